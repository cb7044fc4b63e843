#include "bandolier/lab/report/paper_report.h"

#include <gtest/gtest.h>

#include <set>

#include "bandolier/lab/experiment/paper.h"
#include "bandolier/lab/report/test_results.h"

namespace bandolier::paper_report_test {
namespace {

using testing::example_results;
using testing::example_stored;

StoredResults part(const std::string& experiment, const PaperOptions& options) {
  const PaperPart first = paper_parts(experiment, options).front();
  StoredResults stored = example_stored("out/" + first.id);
  stored.results.settings.name = first.settings.name;
  stored.results.settings.command = first.settings.command;
  stored.results.settings.warmup_feedback = first.settings.warmup_feedback;
  return stored;
}

std::string page_of(const std::vector<StoredResults>& folders) {
  std::vector<NamedFigure> figures;
  return collection_page(folders, "", figures);
}

TEST(PaperReport, TextHasAVerdictForEveryClaim) {
  Results results = example_results(1);
  results.settings.name = "Paper: tabular filters";
  results.settings.environments = {{"covertype"}};
  results.environments[0].spec = "covertype";
  results.settings.agents = {{"a", paper_method::kSvdFull}, {"b", paper_method::kLinear}};
  const std::string text = paper_text({results});
  EXPECT_NE(text.find("undecided [4.1, bandit]: On Covertype EKF-Sub-SVD full beats"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("not run [4.3, bandit]: On MNIST the CNN"), std::string::npos);
}

TEST(PaperReport, APageHasTheVerdictsOfBothFeedbacks) {
  std::vector<StoredResults> folders;
  for (const auto& one : paper_parts("movielens", {.feedback = PaperFeedback::kBoth})) {
    folders.push_back(example_stored("out/" + one.id));
    Results& results = folders.back().results;
    results.settings.name = one.settings.name;
    results.settings.warmup_feedback = one.settings.warmup_feedback;
    results.settings.environments = {{"movielens"}};
    results.environments[0].spec = "movielens";
    for (auto& record : results.records) record.result.cpu_seconds = 1;
    results.settings.agents = {one.settings.agents[0], one.settings.agents[1]};
  }
  std::vector<NamedFigure> figures;
  const std::string page = collection_page(folders, "", figures);
  EXPECT_NE(page.find("bandit: <strong>not run</strong>"), std::string::npos);
  EXPECT_NE(page.find("full: <strong>not run</strong>"), std::string::npos);
  std::set<std::string> names;
  for (const auto& figure : figures) EXPECT_TRUE(names.insert(figure.name).second) << figure.name;
  EXPECT_TRUE(names.contains("paper-movielens-mlp1-reward"));
}

TEST(CollectionPage, TheCommandIsTheOneThatMadeTheParts) {
  PaperOptions options;
  options.quick = true;
  options.seed = 3;
  const std::string page = page_of({part("tabular", options), part("large", options)});
  EXPECT_NE(page.find("bandolier paper tabular --quick --seed 3 --out DIR"), std::string::npos);
  EXPECT_NE(page.find("bandolier paper large --quick --seed 3 --out DIR"), std::string::npos);
  options.trials = 2;
  options.feedback = PaperFeedback::kFull;
  EXPECT_NE(page_of({part("movielens", options)})
                .find("bandolier paper movielens --quick --trials 2 --seed 3 --warmup-feedback "
                      "full --out DIR"),
            std::string::npos);
}

TEST(CollectionPage, UnnamedFoldersHaveFiguresOfTheirOwn) {
  std::vector<NamedFigure> figures;
  collection_page({example_stored("x/first"), example_stored("x/second")}, "", figures);
  std::set<std::string> names;
  for (const auto& figure : figures) EXPECT_TRUE(names.insert(figure.name).second) << figure.name;
  EXPECT_EQ(names.size(), 8U);
  EXPECT_TRUE(names.contains("first-wheel-reward"));
}

TEST(CollectionPage, ShowsEveryProtocolThatTookPart) {
  StoredResults honest = example_stored("x/a"), leaky = example_stored("x/b");
  leaky.results.settings.warmup_feedback = WarmupFeedback::kFull;
  const auto lead = [](const std::string& page) {
    const auto begin = page.find("<p class=\"lead\">");
    return page.substr(begin, page.find("</p>", begin) - begin);
  };
  EXPECT_EQ(lead(page_of({honest})).find("badge leaky"), std::string::npos);
  EXPECT_NE(lead(page_of({honest, leaky})).find("badge leaky"), std::string::npos);
  EXPECT_NE(lead(page_of({leaky, honest})).find("badge honest"), std::string::npos);
}

}  // namespace
}  // namespace bandolier::paper_report_test
