#include "bandolier/lab/report/experiment_report.h"

#include <gtest/gtest.h>

#include "bandolier/core/file.h"
#include "bandolier/lab/report/test_results.h"
#include "testing/temporary.h"

namespace bandolier::experiment_report_test {
namespace {

using testing::example_stored;

std::string page_of(const StoredResults& stored) {
  std::vector<NamedFigure> figures;
  return experiment_page(stored, "", figures);
}

TEST(ExperimentReport, SaysWhatWasRunAndHowToRunItAgain) {
  StoredResults stored = example_stored("r");
  stored.results.settings.environments[0].spec = stored.results.environments[0].spec =
      "csv:my data.csv";
  stored.results.settings.steps = 10;
  const std::string page = page_of(stored);
  EXPECT_NE(page.find("bandolier run --env 'csv:my data.csv' --agent linear uniform "
                      "--steps 10 --trials 3 --seed 0 --warmup-pulls 2"),
            std::string::npos)
      << page;
  EXPECT_NE(page.find("2 agents on 1 environment, 3 trials each"), std::string::npos);
  EXPECT_NE(page.find("badge honest"), std::string::npos);
}

TEST(ExperimentReport, EscapesLabelsAndShowsRepairsAndMissingTrials) {
  StoredResults stored = example_stored("r");
  stored.damage = {"trials.csv: the last line is incomplete, and is left out"};
  stored.results.records.pop_back();
  const std::string page = page_of(stored);
  EXPECT_EQ(page.find("<U>"), std::string::npos);
  EXPECT_NE(page.find("&lt;U&gt;"), std::string::npos);
  EXPECT_NE(page.find("the last line is incomplete"), std::string::npos);
  EXPECT_NE(page.find("Incomplete: 5 of 6 trials are there."), std::string::npos);
}

TEST(ExperimentReport, ShowsWhatWasChosenTheShareAndAnEnvironmentsLabel) {
  StoredResults stored = example_stored("r");
  stored.results.settings.environments[0].label = "the wheel";
  stored.results.environments[0].action_names = {"a", "b", "c", "d", "<e>"};
  const std::string page = page_of(stored);
  EXPECT_NE(page.find("<h2>the wheel</h2>"), std::string::npos);
  EXPECT_NE(page.find("<td>&lt;e&gt;</td><td>0.0</td><td>20.0</td>"), std::string::npos) << page;
  EXPECT_NE(page.find("<td>40.0</td>"), std::string::npos);
  EXPECT_NE(page.find("the wheel</td><td><code>wheel</code>"), std::string::npos);
}

TEST(ExperimentReport, WritesThePageAndOneFileForEachFigure) {
  const testing::TemporaryFolder folder;
  std::vector<NamedFigure> figures;
  const std::string page = experiment_page(example_stored("r"), "", figures);
  write_page(folder.path(), page, figures);
  EXPECT_EQ(folder.names(),
            (std::vector<std::string>{"report.html", "wheel-curves.svg", "wheel-memory.svg",
                                      "wheel-reward.svg", "wheel-time.svg"}));
  EXPECT_EQ(read_file(folder / "report.html"), page);
}

}  // namespace
}  // namespace bandolier::experiment_report_test
