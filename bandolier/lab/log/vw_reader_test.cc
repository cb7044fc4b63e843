#include "bandolier/lab/log/vw_reader.h"

#include <gtest/gtest.h>

#include "bandolier/lab/log/test_log_files.h"

namespace bandolier::vw_reader_test {
namespace {

using testing::error_of_log;
using testing::events_of;
using testing::shown;
using Texts = std::vector<std::string>;

std::vector<LoggedEvent> read(std::string_view text, const LogOptions& options = {}) {
  const testing::TestLog log;
  return events_of({log.write("log.vw", text)}, options);
}

TEST(VwCb, ALineIsADecisionOfTheHighestActionsCount) {
  const auto events = read(
      "1:2:0.4 | tall age:37 tall\n"
      "3:-0.5:0.2 'id7 |user age:1.5 PE |:2 x\n"
      " | only to predict\n");
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].actions, 3);
  EXPECT_EQ(events[0].action, 0);
  EXPECT_EQ(events[0].reward, -2);
  EXPECT_EQ(events[0].propensity, 0.4);
  EXPECT_EQ(shown(events[0].shared), (Texts{"=tall", "age:37"})) << "a word twice counts once";
  EXPECT_EQ(events[1].id, "id7");
  EXPECT_EQ(events[1].reward, 0.5);
  EXPECT_EQ(shown(events[1].shared), (Texts{"user.age:1.5", "user=PE", "x:2"}));
}

TEST(VwAdf, ABlockIsADecisionWithWhatItsActionsShare) {
  const auto events = read(
      "shared | s_1 s_2\n"
      "0:1.0:0.5 | a_1\n"
      " | a_2 w:0.5\n"
      "\n"
      " | b_1\n"
      "0:0.0:0.25 | b_2\n"
      "\n\n"
      " | to predict\n"
      " | only\n"
      "\n");
  ASSERT_EQ(events.size(), 2u);
  EXPECT_EQ(events[0].actions, 2);
  EXPECT_EQ(events[0].action, 0);
  EXPECT_EQ(events[0].reward, -1);
  EXPECT_EQ(shown(events[0].shared), (Texts{"=s_1", "=s_2"}));
  EXPECT_EQ(shown(events[0].own[1]), (Texts{"=a_2", "w:0.5"}));
  EXPECT_EQ(events[1].action, 1);
  EXPECT_EQ(events[1].propensity, 0.25);
  EXPECT_TRUE(events[1].shared.empty());
}

TEST(Vw, WrongLinesAreNamedAndTheNextBlockIsRead) {
  EXPECT_EQ(error_of_log("a.vw", "1:1:0.5 | x\n1:1:0 | x\n"),
            "a.vw line 2: the probability is 0: expected a number above 0 and at most 1; "
            "--propensity uniform takes 1/actions instead");
  EXPECT_NE(error_of_log("a.vw", "1:1 | x\n").find("the probability in '1:1' is missing"),
            std::string::npos);
  EXPECT_NE(error_of_log("a.vw", "1:nan:0.5 | x\n").find("the cost in '1:nan:0.5'"),
            std::string::npos);
  EXPECT_NE(error_of_log("a.vw", "1:1:0.5 | x:inf\n").find("'x:inf' has no finite number"),
            std::string::npos);
  EXPECT_NE(error_of_log("a.vw", "1:1:0.5 | x\n1:1:0.5\n").find("line 2: the line has no '|'"),
            std::string::npos);
  EXPECT_NE(error_of_log("a.vw", "5:1:0.5 | x\n", {.actions = 4})
                .find("the action is 5: expected 1 to 4"),
            std::string::npos);
  const std::string blocks =
      "shared | s\n0:1:0.5 | a\n0:1:0.5 | b\n | c\n\nshared | s\n | a\n0:1:0.5 | b\n\n";
  EXPECT_EQ(error_of_log("a.vw", blocks),
            "a.vw line 3: the label stands at two actions: expected one in a block");
  const auto events = read(blocks, {.lenient = true});
  ASSERT_EQ(events.size(), 1u);
  EXPECT_EQ(events[0].action, 1);
  EXPECT_EQ(events[0].actions, 2);
}

// Three blocks, of which the last has no label; 1,000 lines (the data's README).
TEST(Vw, ReadsVowpalWabbitsOwnFiles) {
  BANDOLIER_REAL_DATA_OR_SKIP();
  const auto logs = *real_data_path / "logs";
  if (!std::filesystem::exists(logs / "cb_test.ldf")) GTEST_SKIP() << logs << " is not there";
  const auto reader = open_log(std::vector{logs / "cb_test.ldf"});
  LoggedEvent event;
  while (reader->next(event)) continue;
  EXPECT_EQ(reader->events(), 2);
  EXPECT_EQ(to_texts(reader->notes()), Texts{"1 blocks left out: they have no label"});
  EXPECT_EQ(events_of({logs / "rcv1_raw_cb_small.vw.gz"}).size(), 1000u);
}

}  // namespace
}  // namespace bandolier::vw_reader_test
