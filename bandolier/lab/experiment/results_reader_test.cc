// Damaged results files: what is refused, and what is dropped and run again.
#include "bandolier/lab/experiment/results_reader.h"

#include <gtest/gtest.h>

#include <fstream>

#include "bandolier/core/error.h"
#include "bandolier/lab/experiment/test_store.h"
#include "testing/errors.h"

namespace bandolier::results_reader_test {
namespace {

class ResultsReaderTest : public testing::StoreTest {};

TEST_F(ResultsReaderTest, ADamagedLineInTheMiddleIsAnErrorThatNamesIt) {
  write_all({{0, 0}, {0, 1}, {1, 0}, {1, 1}});
  std::string text = bytes("trials.csv");
  const auto second = text.find('\n', text.find('\n') + 1) + 1;
  text.insert(text.find(',', second), "\n");
  std::ofstream(folder / "trials.csv", std::ios::binary) << text;
  try {
    open();
    FAIL() << "a damaged line was taken";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("trials.csv: line 3: 1 fields"), std::string::npos)
        << error.what();
  }
}

TEST_F(ResultsReaderTest, NumbersAndTrialsThatCannotBeAreErrorsThatNameFileAndLine) {
  write_all({{0, 0}, {0, 1}, {1, 0}, {1, 1}});
  const auto damaged = [&](const char* name, const std::string& from, const std::string& to) {
    const std::string whole = bytes(name);
    std::string text = whole;
    const auto at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    text.replace(at, from.size(), to);
    std::ofstream(folder / name, std::ios::binary) << text;
    const std::string error = testing::error_of([&] { open(); });
    std::ofstream(folder / name, std::ios::binary) << whole;
    return error;
  };
  EXPECT_NE(damaged("trials.csv", "10.25", "nan").find("trials.csv: line 2: reward is 'nan'"),
            std::string::npos);
  EXPECT_NE(
      damaged("trials.csv", ",linear,1,", ",linear,-1,").find("line 3: trial is '-1': expected 0"),
      std::string::npos);
  EXPECT_NE(damaged("trials.csv", ",linear,1,", ",linear,2,")
                .find("line 3: trial is '2': expected 0 to 1"),
            std::string::npos);
  EXPECT_NE(
      damaged("trials.csv", ",linear,1,", ",linear,0,").find("line 3: the trial is there twice"),
      std::string::npos);
  EXPECT_NE(
      damaged("timings.csv", ",linear,1,", ",linear,0,").find("timings.csv: line 3: the trial is"),
      std::string::npos);
  EXPECT_NE(damaged("curves.csv", "10.25", "inf").find("curves.csv: line 2: reward is 'inf'"),
            std::string::npos);
}

TEST_F(ResultsReaderTest, DamageIsSaidWithTheWayToMendIt) {
  write_all({{0, 0}, {0, 1}, {1, 0}, {1, 1}});
  EXPECT_TRUE(read_results(folder).damage.empty());
  cut("trials.csv", 2);
  const StoredResults read = read_results(folder);
  EXPECT_EQ(read.results.records.size(), 3U);
  ASSERT_EQ(read.damage.size(), 1U);
  EXPECT_EQ(read.damage[0], (folder / "trials.csv").string() +
                                ": the last line is incomplete, and is left out: run the same "
                                "command again to mend it");
}

TEST_F(ResultsReaderTest, AFieldThatCannotBeIsAnError) {
  write_all({{0, 0}});
  const std::string whole = bytes("trials.csv");
  for (const auto& [from, to] : {std::pair<std::string, std::string>{"[40,30,20,10,0]", "[40,30]"},
                                 {"[40,30,20,10,0]", "[40,30,20,-10,0]"},
                                 {"[40,30,20,10,0]", "40"},
                                 {"\"\"kind\"\"", "\"\"what\"\""},
                                 {",bandit,", ",full,"},
                                 {",0,3,100,", ",0,4,100,"}}) {
    std::string text = whole;
    ASSERT_NE(text.find(from), std::string::npos) << from;
    text.replace(text.find(from), from.size(), to);
    std::ofstream(folder / "trials.csv", std::ios::binary) << text;
    const std::string error = testing::error_of([&] { read_results(folder); });
    EXPECT_NE(error.find("trials.csv: line 2: "), std::string::npos) << to << ": " << error;
  }
}

TEST_F(ResultsReaderTest, ACurveWithAGapIsDroppedWithItsTrial) {
  write_all({{0, 0}, {0, 1}, {1, 0}, {1, 1}});
  std::string text = bytes("curves.csv");
  const auto second = text.find('\n', text.find('\n') + 1) + 1;
  text.erase(second, text.find('\n', second) + 1 - second);
  std::ofstream(folder / "curves.csv", std::ios::binary) << text;
  const auto store = open();
  EXPECT_EQ(store->records().size(), 3U);
  ASSERT_EQ(store->repairs().size(), 1U);
  EXPECT_NE(store->repairs()[0].find("trial 0 of 'linear'"), std::string::npos);
}

TEST_F(ResultsReaderTest, AManifestWithoutItsFieldsIsAnErrorInWordsOfOurOwn) {
  open();
  for (const char* manifest : {"{}", "[]", R"({"format": 3, "settings": {}, "environments": 3})",
                               R"({"format": "one"})"}) {
    std::ofstream(folder / "manifest.json") << manifest;
    for (const std::string& error :
         {testing::error_of([&] { open(); }), testing::error_of([&] { read_results(folder); })}) {
      EXPECT_NE(error.find("manifest.json is damaged"), std::string::npos) << error;
      EXPECT_EQ(error.find("json.exception"), std::string::npos) << error;
    }
  }
}

TEST_F(ResultsReaderTest, ADamagedManifestIsAnError) {
  open();
  std::ofstream(folder / "manifest.json") << "{\"format\": 3,";
  EXPECT_THROW(open(), Error);
  EXPECT_THROW(read_results(folder), Error);
}

}  // namespace
}  // namespace bandolier::results_reader_test
