#include "bandolier/core/note.h"

#include <gtest/gtest.h>

#include "bandolier/core/error.h"

namespace bandolier::note_test {
namespace {

using Notes = std::vector<Note>;

ArchiveReader read_back(const ArchiveWriter& out) { return {out.finish(), "notes.bndl"}; }

TEST(Note, IsShownWithItsCountWhereItHasOne) {
  EXPECT_EQ((Note{"rewards-refused", "rewards were refused", 12}).to_text(),
            "12 rewards were refused");
  EXPECT_EQ((Note{"dim-chosen", "dim=50 by validation"}).to_text(), "dim=50 by validation");
}

TEST(Note, OfTheSameKindAndTextAreOneWithTheSumOfTheirCounts) {
  const Notes notes = {{"diverged", "trainings diverged", 2},
                       {"plain", "plain"},
                       {"refused", "rewards were refused", 7},
                       {"diverged", "trainings diverged", 3},
                       {"plain", "plain"},
                       {"dim", "dim=50"},
                       {"dim", "dim=100"},
                       {"other", "plain"}};
  EXPECT_EQ(merge_notes(notes), (Notes{{"diverged", "trainings diverged", 5},
                                       {"plain", "plain"},
                                       {"refused", "rewards were refused", 7},
                                       {"dim", "dim=50"},
                                       {"dim", "dim=100"},
                                       {"other", "plain"}}));
  EXPECT_TRUE(merge_notes({}).empty());
}

TEST(Note, ComesBackFromAnArchive) {
  const Notes notes = {{"refused", "3 rewards | refused", 12}, {"plain", "plain"}};
  ArchiveWriter out;
  save_notes(notes, out);
  EXPECT_EQ(load_notes(read_back(out)), notes);
}

TEST(Note, OfAnArchiveWithTextsAloneIsThatText) {
  ArchiveWriter out;
  out.write("notes", std::vector<std::string>{"plain"});
  EXPECT_EQ(load_notes(read_back(out)), (Notes{{"note", "plain"}}));
}

TEST(Note, AnArchiveWhoseListsDifferInLengthIsRefused) {
  ArchiveWriter out;
  out.write("note_kinds", std::vector<std::string>{"plain"});
  out.write("note_texts", std::vector<std::string>{"plain"});
  out.write("note_counts", std::vector<std::int64_t>{});
  EXPECT_THROW(load_notes(read_back(out)), Error);
}

}  // namespace
}  // namespace bandolier::note_test
