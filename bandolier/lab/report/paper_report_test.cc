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
  results.settings.environments = {"covertype"};
  results.environments[0].spec = "covertype";
  results.settings.agents = {{"a", "EKF-Sub-SVD full"}, {"b", "Linear"}};
  const std::string text = paper_text({{"tabular", results}});
  EXPECT_NE(text.find("too few trials: EKF in a learned (SVD) subspace"), std::string::npos)
      << text;
  EXPECT_NE(text.find("not run: On MNIST"), std::string::npos);
}

TEST(CollectionPage, TheCommandIsTheOneThatMadeTheParts) {
  PaperOptions options;
  options.quick = true;
  options.seed = 3;
  const std::string page = page_of({part("tabular", options), part("time", options)});
  EXPECT_NE(page.find("bandolier paper tabular --quick --seed 3 --out DIR"), std::string::npos);
  EXPECT_NE(page.find("bandolier paper time --quick --seed 3 --out DIR"), std::string::npos);
  options.trials = 2;
  options.warmup_feedback = WarmupFeedback::kFull;
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
