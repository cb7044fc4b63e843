#include "bandolier/lab/log/log_writer.h"

#include <gtest/gtest.h>

#include "bandolier/lab/env/input.h"
#include "bandolier/lab/log/test_log_files.h"

namespace bandolier::log_writer_test {
namespace {

using testing::events_of;
using testing::shown;
using Path = std::filesystem::path;
using Texts = std::vector<std::string>;

std::string text_of(const Path& path) {
  const auto input = open_input(path);
  std::string text(1 << 20, '\0');
  text.resize(input->read(text));
  return text;
}

// There and back gives the same bytes.
void expect_round_trip(const testing::TestLog& log, const std::string& text, const char* first,
                       const char* other, LogOptions options = {}) {
  const Path from = log.write(first, text);
  const Path there = log.folder / other, back = log.folder / (std::string("back") + first);
  convert_log(std::vector{from}, options, there, LogFormat::kAuto);
  convert_log(std::vector{there}, options, back, LogFormat::kAuto);
  EXPECT_EQ(text_of(back), text) << first << " by " << other;
}

TEST(Convert, DsjsonComesBackFromDsjsonByteByByte) {
  const testing::TestLog log;
  const std::string dense =
      R"({"_label_cost":-0.1,"_label_probability":0.25,"_label_Action":2,"_labelIndex":1,"Timestamp":"7",)"
      R"("Version":"1","EventId":"e\"1","a":[2,1],"c":{"x":[0.1,1e-38,3e+38],"_multi":[{"id":"0"},)"
      R"({"id":"1"}]},"p":[0.25,0.75],"pdrop":0.5,"_position":3,"_skipLearn":true})"
      "\n";
  const std::string named =
      R"({"_label_cost":0,"_label_probability":1,"_label_Action":1,"_labelIndex":0,"Timestamp":"",)"
      R"("Version":"1","EventId":"","a":[1,2],"c":{"age":37.5,"genre":["crime","drama"],"x":[1,-2],)"
      R"("_multi":[{"_tag":"tea","price":2},{"_tag":"juice","price":3}]}})"
      "\n";
  expect_round_trip(log, dense + dense, "a.dsjson", "b.dsjson.gz");
  expect_round_trip(log, named + named, "a.dsjson", "b.dsjson");
}

TEST(Convert, VwTextComesBackByteByByteFromVwAndFromDsjson) {
  const testing::TestLog log;
  const std::string lines = "1:2:0.4 | tall age:37\n2:-0.5:0.2 'id7 |user age:1.5 |user.home PE\n";
  const std::string blocks =
      "shared | s_1 w:2\n0:1:0.5 | a_1\n | a_2\n\nshared |u x:0.1\n | a\n0:0:1 | b\n\n";
  for (const char* other : {"b.vw.gz", "b.dsjson"}) {
    expect_round_trip(log, lines, "a.vw", other);
  }
  expect_round_trip(log, blocks, "a.vw", "b.vw");
}

TEST(Convert, ACsvComesBackByteByByteFromCsvVwAndDsjson) {
  const testing::TestLog log;
  const std::string text =
      "age,home,action,reward,propensity\n31,NO,2,-0.5,0.25\n,PE,0,1,0.5\n1e-30,NO,1,0,1\n";
  for (const char* other : {"b.csv.gz", "b.dsjson", "b.vw"}) {
    expect_round_trip(log, text, "a.csv", other, {.actions = 3});
  }
  expect_round_trip(log,
                    "x,action,reward,propensity,pi_0,pi_1\n1,0,0.5,0.5,0.1,0.9\n"
                    "2,1,0,0.5,0.25,0.75\n",
                    "a.csv", "b.csv", {.columns = "pi_"});
  const auto events = events_of({log.write("n.csv",
                                           "w,action,reward,propensity\na,tea,0,1\n"
                                           "\"b, c\",juice,1,1\n")});
  convert_log(std::vector{log.folder / "n.csv"}, {}, log.folder / "n.dsjson", LogFormat::kAuto);
  const auto again = events_of({log.folder / "n.dsjson"});
  EXPECT_EQ(again[1].action_names, events[1].action_names);
  EXPECT_EQ(again[1].action, events[1].action);
  EXPECT_EQ(shown(again[1].shared), Texts{"w=b, c"});
}

TEST(Convert, SaysWhatAFormatCannotHold) {
  const testing::TestLog log;
  const auto line = [](const char* context, const char* more) {
    return fmt::format(R"({{"_label_cost":0,"_label_probability":1,"_label_Action":1,"c":{}{}}})"
                       "\n",
                       context, more);
  };
  const auto convert = [&](const std::string& text, const char* out) {
    return convert_log(std::vector{log.write("a.dsjson", text)}, {}, log.folder / out,
                       LogFormat::kAuto);
  };
  const auto error = [&](const std::string& text, const char* out) {
    return testing::error_of([&] { convert(text, out); });
  };
  const char* plain = R"({"u":1,"_multi":[{},{}]})";
  EXPECT_EQ(to_texts(convert(line(plain, R"(,"pdrop":0.5)") + line(plain, R"(,"_skipLearn":true)"),
                             "b.csv")
                         .notes),
            (Texts{"1 events that are not to be learnt from were left out: a CSV cannot mark them",
                   "1 events lost their pdrop, which a CSV has no place for"}));
  EXPECT_NE(error(line(R"({"_multi":[{"a":1,"b":1},{"a":2,"b":1}]})", ""), "b.csv")
                .find("features of each action, which a CSV has no place for"),
            std::string::npos);
  EXPECT_NE(error(line(plain, "") + line(R"({"_multi":[{},{},{}]})", ""), "c.csv")
                .find("line 2: the actions on offer are not those of the first event"),
            std::string::npos);
  EXPECT_NE(
      error(line(R"({"g":["a","b"],"_multi":[{},{}]})", ""), "c.csv").find("'g' has several words"),
      std::string::npos);
  EXPECT_NE(error(line(R"({"reward":1,"_multi":[{},{}]})", ""), "c.csv")
                .find("a feature is called 'reward'"),
            std::string::npos);
  EXPECT_NE(error(line(plain, ""), "c.parquet").find("the name says no format"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(log.folder / "c.csv"));
  EXPECT_FALSE(std::filesystem::exists(log.folder / "c.csv.part"));
}

}  // namespace
}  // namespace bandolier::log_writer_test
