#include "bandolier/model/patch_features.h"

#include <gtest/gtest.h>

#include <cmath>

namespace bandolier::patch_features_test {
namespace {

constexpr Index kFilters = 3;

ProblemShape images(Index height, Index width, Index channels) {
  return {.features = height * width * channels, .actions = 2, .image = {height, width, channels}};
}

// Bars at random places, and a little noise.
class Pictures {
 public:
  Pictures(const ProblemShape& shape, Index count) {
    Random random({.seed = 31});
    for (Index i = 0; i < count; ++i) {
      std::vector<float> one(static_cast<std::size_t>(shape.features));
      const auto bar =
          static_cast<Index>(random.below(static_cast<std::uint64_t>(shape.image.width)));
      for (std::size_t p = 0; p < one.size(); ++p) {
        const Index pixel = static_cast<Index>(p) / shape.image.channels;
        const Index x = pixel % shape.image.width, y = pixel / shape.image.width;
        const bool on = i % 2 == 0 ? x == bar : y == bar % shape.image.height;
        one[p] = (on ? 1.0f : 0.0f) + 0.05f * static_cast<float>(random.normal());
      }
      all.push_back(std::move(one));
    }
  }
  Context context(std::size_t i) const { return {Features::dense(all[i]), 2, {}, {}}; }
  std::vector<Experience> experience() const {
    std::vector<Experience> list;
    for (std::size_t i = 0; i < all.size(); ++i) list.push_back({context(i), 0, 0});
    return list;
  }
  std::vector<std::vector<float>> all;
};

std::optional<PatchFeatures> learn(const ProblemShape& shape, const Pictures& pictures) {
  return PatchFeatures::learn(pictures.experience(), shape, kFilters, Random({.seed = 32}));
}

std::vector<float> features(const PatchFeatures& patches, const Context& context) {
  PatchScratch memory;
  const auto values = patches.apply(context, memory).features.values;
  return {values.begin(), values.end()};
}

// By the definition, window by window, from what is saved.
std::vector<double> by_definition(const PatchFeatures& patches, const ImageShape& image,
                                  const std::vector<float>& pixels) {
  ArchiveWriter out;
  patches.save(out);
  const ArchiveReader in(out.finish(), "saved");
  const auto filters = in.read_matrix<float>("filters");
  const auto thresholds = in.read_vector<float>("thresholds");
  const auto mean = in.read_vector<float>("mean");
  const double flat = in.read_double("flat");
  const Index side = 6, rows = image.height - side + 1, columns = image.width - side + 1;
  std::vector<double> sums(static_cast<std::size_t>(16 * kFilters)), counts(16);
  for (Index y = 0; y < rows; ++y) {
    for (Index x = 0; x < columns; ++x) {
      std::vector<double> window;
      for (Index dy = 0; dy < side; ++dy) {
        for (Index dx = 0; dx < side; ++dx) {
          for (Index c = 0; c < image.channels; ++c) {
            window.push_back(pixels[static_cast<std::size_t>(
                ((y + dy) * image.width + x + dx) * image.channels + c)]);
          }
        }
      }
      double average = 0, variance = 0;
      for (const double v : window) average += v / static_cast<double>(window.size());
      for (const double v : window) {
        variance += (v - average) * (v - average) / static_cast<double>(window.size());
      }
      const auto cell = static_cast<std::size_t>(y * 4 / rows * 4 + x * 4 / columns);
      ++counts[cell];
      for (Index k = 0; k < kFilters; ++k) {
        double response = -static_cast<double>(thresholds[k]);
        for (std::size_t i = 0; i < window.size(); ++i) {
          response += static_cast<double>(filters(static_cast<Index>(i), k)) *
                      (window[i] - average) / std::sqrt(variance + flat);
        }
        sums[cell * kFilters + static_cast<std::size_t>(k)] += std::max(0.0, response);
      }
    }
  }
  for (std::size_t i = 0; i < sums.size(); ++i) {
    sums[i] = std::sqrt(sums[i] / counts[i / kFilters]) -
              static_cast<double>(mean[static_cast<Index>(i)]);
  }
  return sums;
}

void expect_near(const std::vector<float>& found, const std::vector<double>& expected,
                 double tolerance = 1e-4) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], tolerance) << i;
}

TEST(PatchFeatures, AreWhatTheDefinitionSaysInGreyAndInColour) {
  for (const Index channels : {1, 3}) {
    const ProblemShape shape = images(14, 11, channels);
    const Pictures pictures(shape, 12);
    const auto patches = learn(shape, pictures);
    ASSERT_TRUE(patches);
    EXPECT_EQ(patches->shape().features, 16 * kFilters);
    EXPECT_EQ(patches->shape().image.size(), 0);
    for (const std::size_t i : {0u, 5u}) {
      expect_near(features(*patches, pictures.context(i)),
                  by_definition(*patches, shape.image, pictures.all[i]));
    }
  }
}

TEST(PatchFeatures, HaveMeanZeroOverTheImagesTheyWereLearntFrom) {
  const ProblemShape shape = images(16, 16, 1);
  const Pictures pictures(shape, 20);
  const auto patches = learn(shape, pictures);
  ASSERT_TRUE(patches);
  std::vector<double> sums(16 * kFilters);
  for (std::size_t i = 0; i < 20; ++i) {
    const auto values = features(*patches, pictures.context(i));
    for (std::size_t j = 0; j < sums.size(); ++j) sums[j] += static_cast<double>(values[j]);
  }
  for (const double sum : sums) EXPECT_NEAR(sum, 0, 1e-3);
}

TEST(PatchFeatures, OfASparseImageAreThoseOfTheSameDenseOne) {
  const ProblemShape shape = images(12, 12, 1);
  const Pictures pictures(shape, 12);
  const auto patches = learn(shape, pictures);
  std::vector<float> dense(144), values;
  std::vector<std::int32_t> indices;
  for (std::int32_t i = 3; i < 144; i += 13) {
    dense[static_cast<std::size_t>(i)] = 1;
    indices.push_back(i);
    values.push_back(1);
  }
  EXPECT_EQ(features(*patches, {{values, indices, 144}, 2, {}, {}}),
            features(*patches, {Features::dense(dense), 2, {}, {}}));
}

TEST(PatchFeatures, DoNotChangeWithBrightness) {
  const ProblemShape shape = images(12, 12, 1);
  const Pictures pictures(shape, 12);
  const auto patches = learn(shape, pictures);
  std::vector<float> brighter = pictures.all[0];
  for (float& pixel : brighter) pixel += 5;
  const auto plain = features(*patches, pictures.context(0));
  expect_near(features(*patches, {Features::dense(brighter), 2, {}, {}}),
              {plain.begin(), plain.end()}, 2e-3);
}

TEST(PatchFeatures, OfLargeImagesAreThoseOfSmallOnesWhosePixelsAreRepeated) {
  const ProblemShape small = images(30, 30, 1), large = images(60, 60, 1);
  const Pictures pictures(small, 12);
  Pictures enlarged(large, 0);
  for (const auto& one : pictures.all) {
    std::vector<float> pixels(3600);
    for (std::size_t y = 0; y < 60; ++y) {
      for (std::size_t x = 0; x < 60; ++x) pixels[y * 60 + x] = one[y / 2 * 30 + x / 2];
    }
    enlarged.all.push_back(std::move(pixels));
  }
  const auto of_small = learn(small, pictures), of_large = learn(large, enlarged);
  ASSERT_TRUE(of_small && of_large);
  const auto expected = features(*of_small, pictures.context(3));
  expect_near(features(*of_large, enlarged.context(3)), {expected.begin(), expected.end()}, 1e-3);
}

TEST(PatchFeatures, AreNotLearntFromTooFewTooSmallOrEmptyImages) {
  EXPECT_FALSE(learn(images(12, 12, 1), Pictures(images(12, 12, 1), 9)));
  EXPECT_FALSE(learn(images(2, 12, 1), Pictures(images(2, 12, 1), 30)));
  Pictures blank(images(12, 12, 1), 20);
  for (auto& one : blank.all) std::fill(one.begin(), one.end(), 0.5f);
  EXPECT_FALSE(learn(images(12, 12, 1), blank));
}

TEST(PatchFeatures, ComeBackAfterSaveAndLoad) {
  const ProblemShape shape = images(12, 12, 3);
  const Pictures pictures(shape, 12);
  const auto patches = learn(shape, pictures);
  ArchiveWriter out;
  patches->save(out);
  const auto loaded = PatchFeatures::load(ArchiveReader(out.finish(), "saved"), shape);
  EXPECT_EQ(features(loaded, pictures.context(1)), features(*patches, pictures.context(1)));
}

}  // namespace
}  // namespace bandolier::patch_features_test
