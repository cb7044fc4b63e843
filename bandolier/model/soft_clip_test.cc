#include "bandolier/model/soft_clip.h"

#include <gtest/gtest.h>

#include <cmath>

#include "testing/errors.h"

namespace bandolier::soft_clip_test {
namespace {

Context dense(const std::vector<float>& values) { return {Features::dense(values), 2, {}, {}}; }

TEST(SoftClip, LeavesWhatIsWithinTheKneeAndBringsInTheRestOddMonotoneAndWithoutAStep) {
  const SoftClip clip;
  EXPECT_EQ(clip.knee(), 2);
  for (const float x : {0.0f, 0.5f, 1.9f, 2.0f}) EXPECT_EQ(clip(x), x);
  EXPECT_FLOAT_EQ(clip(2 + std::exp(1.0f) - 1), 3);
  EXPECT_FLOAT_EQ(clip(31.6f), 2 + std::log(30.6f));
  EXPECT_NEAR((clip(2.001f) - clip(2.0f)) / 0.001f, 1, 2e-3);
  for (float x = 0.1f; x < 1e6f; x *= 1.3f) {
    EXPECT_EQ(clip(-x), -clip(x));
    EXPECT_GT(clip(1.3f * x), clip(x));
  }
}

TEST(SoftClip, TheKneeIsTwoForStandardisedFeaturesAndFollowsLargerUnits) {
  const std::vector<float> small = {-0.8f, 0.8f, 0, 0.8f};
  const std::vector<float> large = {100, 0, 0, -300};
  SoftClip clip;
  const std::vector<Experience> standardised = {{dense(small), 0, 0}};
  clip.start(standardised);
  EXPECT_FLOAT_EQ(clip.knee(), 2);
  const std::vector<Experience> amounts = {{dense(large), 0, 0}};
  clip.start(amounts);
  EXPECT_FLOAT_EQ(clip.knee(), 500);
  // Zeros that are not written down count as little as those that are.
  const std::vector<float> values = {100, -300};
  const std::vector<std::int32_t> indices = {0, 3};
  const std::vector<Experience> sparse = {{{{values, indices, 4}, 2, {}, {}}, 0, 0}};
  clip.start(sparse);
  EXPECT_FLOAT_EQ(clip.knee(), 500);
  clip.start({});
  EXPECT_FLOAT_EQ(clip.knee(), 2);
}

TEST(SoftClip, RefusesASavedKneeThatNoFeaturesHaveMade) {
  SoftClip clip;
  for (const auto& [knee, error] :
       {std::pair{500.0, ""},
        {1.5, "m.bndl: knee is 1.5: expected 2 to 3.4028234663852886e+38"},
        {1e39, "m.bndl: knee is 1e+39: expected 2 to 3.4028234663852886e+38"}}) {
    ArchiveWriter out;
    out.write("knee", knee);
    EXPECT_EQ(testing::error_of([&] { clip.load(ArchiveReader(out.finish(), "m.bndl")); }), error);
  }
  EXPECT_EQ(clip.knee(), 500);
}

TEST(SoftClip, BringsInSharedAndActionFeaturesAndDoesNotTouchTheCallersMemory) {
  const std::vector<float> values = {1, -50};
  const std::vector<float> action_features = {0, 9};
  const std::vector<std::int64_t> ids = {7, 4};
  const Context context{Features::dense(values), 2, action_features, ids};
  const SoftClip clip;
  ContextBuffer memory;
  const Context clipped = clip.apply(context, memory);
  EXPECT_EQ(clipped.features.values[0], 1);
  EXPECT_EQ(clipped.features.values[1], clip(-50));
  EXPECT_EQ(clipped.features.size, 2);
  EXPECT_EQ(clipped.action_features[1], clip(9));
  EXPECT_EQ(clipped.action_id(1), 4);
  EXPECT_EQ(values[1], -50);

  const std::vector<float> modest = {1, -2};
  EXPECT_EQ(clip.apply(dense(modest), memory).features.values.data(), modest.data());
}

}  // namespace
}  // namespace bandolier::soft_clip_test
