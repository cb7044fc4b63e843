#include "bandolier/lab/log/dsjson_reader.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "bandolier/lab/env/test_data.h"
#include "testing/errors.h"

namespace bandolier::dsjson_reader_test {
namespace {

using testing::error_of;

std::string event(std::string_view id, std::string_view probability = "0.5") {
  return fmt::format(R"({{"_label_cost":-1,"_label_probability":{},"_label_Action":1,)"
                     R"("EventId":"{}","c":{{"a":1,"_multi":[{{"b":2}},{{"b":3}}]}}}})",
                     probability, id);
}

std::vector<std::string> ids_of(DsjsonReader& reader) {
  std::vector<std::string> ids;
  for (LoggedEvent event; reader.next(event);) ids.push_back(event.id);
  return ids;
}

// `count` times the same byte, made as it is read.
class EndlessInput final : public Input {
 public:
  explicit EndlessInput(std::size_t count) : left_(count) {}
  const std::string& name() const override { return name_; }
  std::size_t read(std::span<char> out) override {
    const std::size_t count = std::min(out.size(), left_);
    std::fill_n(out.begin(), count, '[');
    left_ -= count;
    return count;
  }
  void rewind() override {}
  std::size_t left() const { return left_; }

 private:
  std::string name_ = "bomb";
  std::size_t left_;
};

TEST(LineReader, GivesEveryLineWithItsNumberHoweverItEnds) {
  const std::string longer(200'000, 'x');
  const auto input = text_input(
      "\xef\xbb\xbf"
      "one\n\n \t\r\ntwo\r\n" +
          longer + "\nlast",
      "t");
  LineReader reader(*input);
  std::string_view line;
  std::vector<std::pair<Index, std::string>> lines;
  while (reader.next(line)) lines.emplace_back(reader.line(), line);
  EXPECT_EQ(lines, (std::vector<std::pair<Index, std::string>>{
                       {1, "one"}, {4, "two"}, {5, longer}, {6, "last"}}));
}

TEST(LineReader, ALineLongerThan64MiBIsRefusedBeforeItIsHeld) {
  EndlessInput input(std::size_t{1} << 40);
  LineReader reader(input);
  std::string_view line;
  EXPECT_EQ(error_of([&] { reader.next(line); }),
            "bomb line 1: the line is longer than 64 MiB: expected one event per line");
  EXPECT_EQ((std::size_t{1} << 40) - input.left(), kLongestLine + 1);
}

TEST(DsjsonReader, ReadsPlainAndGzippedLogs) {
  const testing::TemporaryFolder folder;
  const std::string text = event("a") + "\n" + event("b") + "\r\n\n" + event("c");
  for (const auto& path : {testing::write_file(folder, "log.dsjson", text),
                           testing::write_file(folder, "log.dsjson.gz", testing::gzip(text))}) {
    DsjsonReader reader(open_input(path));
    EXPECT_EQ(ids_of(reader), (std::vector<std::string>{"a", "b", "c"}));
    EXPECT_EQ(reader.events(), 3);
    EXPECT_TRUE(reader.notes().empty());
  }
}

TEST(DsjsonReader, AGzippedLogThatIsCutIsRefused) {
  const testing::TemporaryFolder folder;
  std::string text;
  for (int i = 0; i < 1000; ++i) text += event(fmt::format("{}", 7919 * i)) + "\n";
  const std::string bytes = testing::gzip(text);
  const auto path = testing::write_file(folder, "cut.gz", bytes.substr(0, bytes.size() / 2));
  EXPECT_NE(error_of([&] {
              DsjsonReader reader(open_input(path));
              ids_of(reader);
            }).find("is cut: its gzip stream ends"),
            std::string::npos);
}

TEST(DsjsonReader, AWrongLineIsNamedWithFileLineAndField) {
  DsjsonReader reader(text_input(event("a") + "\n\n" + event("b", "0") + "\n", "log.dsjson"));
  LoggedEvent read;
  EXPECT_TRUE(reader.next(read));
  EXPECT_EQ(error_of([&] { reader.next(read); }),
            "log.dsjson line 3: _label_probability is 0: expected a number above 0 and at most 1; "
            "--propensity uniform takes 1/actions instead");
}

TEST(DsjsonReader, SkipsWrongLinesWhereAskedAndCountsThemByReason) {
  const std::string reward = R"({"RewardValue":1,"EventId":"a"})";
  std::string named = event("n");
  named.replace(named.find("\"b\":3"), 5, "\"b\":1e39");
  auto input =
      text_input(event("a") + "\n" + event("b", "0") + "\n" + reward + "\n" + event("c", "2") +
                     "\n" + named + "\n" + event("d") + "\n" + event("e").substr(0, 40),
                 "log.dsjson");
  DsjsonReader reader(std::move(input), {.lenient = true});
  EXPECT_EQ(ids_of(reader), (std::vector<std::string>{"a", "d"}));
  EXPECT_EQ(
      to_texts(reader.notes()),
      (std::vector<std::string>{"1 lines left out: they have no _label_cost",
                                "1 lines skipped: their JSON is missing or wrong",
                                "2 lines skipped: their _label_probability is missing or wrong",
                                "1 lines skipped: their c._multi[] is missing or wrong"}));
}

TEST(DsjsonReader, ReadsVowpalWabbitsOwnLog) {
  BANDOLIER_REAL_DATA_OR_SKIP();
  const auto path = *real_data_path / "logs" / "dsjson_cb.json";
  if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is not there";
  DsjsonReader reader(open_input(path));
  double reward = 0;
  for (LoggedEvent read; reader.next(read);) {
    reward += read.reward;
    EXPECT_EQ(read.actions, 4);
    EXPECT_EQ(read.probabilities.size(), 4u);
    EXPECT_FALSE(read.dense);
    EXPECT_EQ(read.shared.size(), 3);
    if (reader.events() > 1) continue;
    EXPECT_EQ(read.id, "13118d9b4c114f8485d9dec417e3aefe");
    EXPECT_EQ(read.propensity, 0.05000000074505806);
    EXPECT_EQ(read.action, 3);
    EXPECT_EQ(read.probabilities, (std::vector<double>{0.05, 0.05, 0.85, 0.05}));
    EXPECT_EQ(read.action_names[1], "Cold brew");
    EXPECT_EQ(read.shared[0].feature, "FromUrl.name=Cathy");
  }
  EXPECT_EQ(reader.events(), 23);
  EXPECT_EQ(reward, 12);
  EXPECT_TRUE(reader.notes().empty());
}

}  // namespace
}  // namespace bandolier::dsjson_reader_test
