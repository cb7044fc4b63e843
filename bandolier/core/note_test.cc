#include "bandolier/core/note.h"

#include <gtest/gtest.h>

namespace bandolier::note_test {
namespace {

using Notes = std::vector<Note>;

TEST(Note, IsShownWithItsCountWhereItHasOne) {
  EXPECT_EQ((Note{"rewards were refused", 12}).to_text(), "12 rewards were refused");
  EXPECT_EQ((Note{"dim=50 by validation"}).to_text(), "dim=50 by validation");
}

TEST(Note, ComesBackFromItsText) {
  for (const Note& note : {Note{"rewards were refused: 5 units too far", 12}, Note{"plain"},
                           Note{"dim=50 by validation on 210 rewards"}, Note{"3x as long"}}) {
    EXPECT_EQ(Note::from_text(note.to_text()), note) << note.to_text();
  }
}

TEST(Note, OfTheSameTextAreOneWithTheSumOfTheirCounts) {
  const Notes notes = {{"trainings diverged", 2},
                       {"plain"},
                       {"rewards were refused", 7},
                       {"trainings diverged", 3},
                       {"plain"},
                       {"dim=50"},
                       {"dim=100"}};
  EXPECT_EQ(merge_notes(notes), (Notes{{"trainings diverged", 5},
                                       {"plain"},
                                       {"rewards were refused", 7},
                                       {"dim=50"},
                                       {"dim=100"}}));
  EXPECT_TRUE(merge_notes({}).empty());
}

}  // namespace
}  // namespace bandolier::note_test
