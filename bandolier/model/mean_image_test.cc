#include "bandolier/model/mean_image.h"

#include <gtest/gtest.h>

namespace bandolier::mean_image_test {
namespace {

const ProblemShape kImages{.features = 4, .actions = 2, .image = {2, 2, 1}};

Context dense(const std::vector<float>& values) { return {Features::dense(values), 2, {}, {}}; }

TEST(MeanImage, IsSubtractedFromDenseAndSparseImagesAlike) {
  const std::vector<float> first = {1, 0, 0, 3}, second = {0, 0, 1, 1};
  const std::vector<Experience> pulls = {{dense(first), 0, 0}, {dense(second), 1, 0}};
  MeanImage mean;
  mean.start(pulls, kImages);
  ContextBuffer memory;
  const std::vector<float> expected = {0.5f, 0, -0.5f, 1};
  const auto of_dense = mean.apply(dense(first), memory).features.values;
  EXPECT_EQ(std::vector<float>(of_dense.begin(), of_dense.end()), expected);

  const std::vector<float> values = {1, 3};
  const std::vector<std::int32_t> indices = {0, 3};
  const auto of_sparse = mean.apply({{values, indices, 4}, 2, {}, {}}, memory).features;
  EXPECT_FALSE(of_sparse.sparse());
  EXPECT_EQ(std::vector<float>(of_sparse.values.begin(), of_sparse.values.end()), expected);
}

TEST(MeanImage, LeavesContextsThatAreNoImagesAndAgentsThatSawNone) {
  const std::vector<float> values = {1, 0, 0, 3};
  const std::vector<Experience> pulls = {{dense(values), 0, 0}};
  ContextBuffer memory;
  MeanImage mean;
  mean.start(pulls, {.features = 4, .actions = 2});
  EXPECT_EQ(mean.apply(dense(values), memory).features.values.data(), values.data());
  mean.start({}, kImages);
  EXPECT_EQ(mean.apply(dense(values), memory).features.values.data(), values.data());
}

TEST(MeanImage, ComesBackAfterSaveAndLoadAndIsNotSavedWhereThereIsNone) {
  const std::vector<float> values = {1, 0, 0, 3};
  const std::vector<Experience> pulls = {{dense(values), 0, 0}};
  MeanImage mean, loaded;
  mean.start(pulls, kImages);
  ArchiveWriter none, one;
  MeanImage().save(none);
  mean.save(one);
  ContextBuffer memory;
  loaded.load(ArchiveReader(one.finish(), "one"), kImages);
  EXPECT_EQ(loaded.apply(dense(values), memory).features.values[3], 0);
  loaded.load(ArchiveReader(none.finish(), "none"), kImages);
  EXPECT_EQ(loaded.apply(dense(values), memory).features.values[3], 3);
}

}  // namespace
}  // namespace bandolier::mean_image_test
