#include "bandolier/model/preparation.h"

#include <gtest/gtest.h>

#include <cmath>

namespace bandolier::preparation_test {
namespace {

const ProblemShape kImages{.features = 4, .actions = 2, .image = {2, 2, 1}};

Context dense(const std::vector<float>& values) { return {Features::dense(values), 2, {}, {}}; }

std::vector<float> values_of(const Context& context) {
  return {context.features.values.begin(), context.features.values.end()};
}

TEST(Preparation, WithoutOptionsIsTheCallersOwnContext) {
  const std::vector<float> x = {1, -50, 0, 3};
  const std::vector<Experience> pulls = {{dense(x), 0, 0}};
  Preparation preparation({});
  preparation.start(pulls, kImages);
  PreparedContext memory;
  const Context same = preparation.apply(dense(x), false, memory);
  EXPECT_EQ(same.features.values.data(), x.data());
}

TEST(Preparation, ClipsBeyondTheKneeOfTheWarmUp) {
  const std::vector<float> modest = {0.5f, -0.5f, 0.5f, 0.5f}, x = {1, -50, 0, 3};
  const std::vector<Experience> pulls = {{dense(modest), 0, 0}};
  Preparation preparation({.soft_clip = true});
  preparation.start(pulls, {.features = 4, .actions = 2});
  PreparedContext memory;
  const auto clipped = values_of(preparation.apply(dense(x), false, memory));
  EXPECT_EQ(clipped[0], 1);
  EXPECT_FLOAT_EQ(clipped[1], -(2 + std::log(1 + 48.0f)));
  EXPECT_EQ(clipped[2], 0);
  EXPECT_FLOAT_EQ(clipped[3], 2 + std::log(2.0f));
}

TEST(Preparation, SubtractsTheMeanImageForNetworksWithoutConvolutionsAlone) {
  const std::vector<float> first = {1, 0, 0, 1}, second = {0, 0, 1, 1};
  const std::vector<Experience> pulls = {{dense(first), 0, 0}, {dense(second), 1, 0}};
  Preparation preparation({.centre_image = true});
  preparation.start(pulls, kImages);
  PreparedContext memory;
  EXPECT_EQ(values_of(preparation.apply(dense(first), false, memory)),
            (std::vector<float>{0.5f, 0, -0.5f, 0}));
  EXPECT_EQ(values_of(preparation.apply(dense(first), true, memory)), first);
}

// Pixels beyond the knee are clipped first: what is subtracted is the mean of what is left.
TEST(Preparation, TheWarmUpsImagesHaveMeanZeroOncePreparedAlsoWhereTheyAreClipped) {
  const std::vector<float> first = {1, 0, 0, 100}, second = {0, 1, 1, 0};
  const std::vector<float> third = {1, 1, 0, 0}, fourth = {0, 0, 1, 1};
  std::vector<Experience> pulls;
  for (const auto* x : {&first, &second, &third, &fourth}) pulls.push_back({dense(*x), 0, 0});
  Preparation preparation({.soft_clip = true, .centre_image = true});
  preparation.start(pulls, kImages);
  PreparedContext memory;
  std::vector<float> sum(4, 0.0f);
  for (const Experience& pull : pulls) {
    const auto prepared = values_of(preparation.apply(pull.context, false, memory));
    for (std::size_t i = 0; i < 4; ++i) sum[i] += prepared[i];
  }
  for (const float total : sum) EXPECT_NEAR(total, 0, 1e-5f);
}

TEST(Preparation, ComesBackAfterSaveAndLoad) {
  const std::vector<float> first = {1, 0, 0, 40}, second = {0, 0, 1, 1};
  const std::vector<Experience> pulls = {{dense(first), 0, 0}, {dense(second), 1, 0}};
  const PreparationOptions options{.soft_clip = true, .centre_image = true};
  Preparation saved(options), loaded(options);
  saved.start(pulls, kImages);
  ArchiveWriter out;
  saved.save(out);
  loaded.load(ArchiveReader(out.finish(), "preparation"), kImages);
  PreparedContext memory;
  const auto expected = values_of(saved.apply(dense(first), false, memory));
  EXPECT_EQ(values_of(loaded.apply(dense(first), false, memory)), expected);
  EXPECT_NE(expected, first);
}

}  // namespace
}  // namespace bandolier::preparation_test
