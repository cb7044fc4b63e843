// Agents that see patch features of images in place of pixels.
#include <gtest/gtest.h>

#include "bandolier/agent/registry.h"
#include "testing/allocations.h"
#include "testing/errors.h"

namespace bandolier::patches_test {
namespace {

constexpr Index kSide = 12, kPixels = kSide * kSide, kClasses = 3;
const ProblemShape kImages{.features = kPixels, .actions = kClasses, .image = {kSide, kSide, 1}};

// A bar across, a bar down or a diagonal, somewhere in the image, and noise. Pure in t.
struct Picture {
  explicit Picture(Index t) : label(t * 7 % kClasses), pixels(kPixels) {
    Random random({.seed = 41, .step = static_cast<std::uint32_t>(t)});
    random.fill_normal(pixels);
    pixels *= 0.05f;
    const auto at = static_cast<Index>(random.below(kSide - 2)) + 1;
    for (Index i = 0; i < kSide; ++i) {
      const Index y = label == 0 ? at : i;
      const Index x = label == 0 ? i : label == 1 ? at : (i + at) % kSide;
      pixels[y * kSide + x] += 1;
    }
  }
  Context context() const {
    return {Features::dense({pixels.data(), static_cast<std::size_t>(kPixels)}), kClasses, {}, {}};
  }
  float reward(Index action) const { return action == label ? 1 : 0; }

  Index label;
  Vector<float> pixels;
};

Random stream(Purpose purpose, Index t) {
  return Random({.seed = 42, .purpose = purpose, .step = static_cast<std::uint32_t>(t)});
}

std::unique_ptr<Agent> warmed_up(const std::string& spec, Index images) {
  auto agent = make_agent(spec, kImages);
  std::vector<Picture> pictures;
  for (Index t = 0; t < images; ++t) pictures.emplace_back(t);
  std::vector<Experience> list;
  for (Index t = 0; t < images; ++t) {
    const Picture& one = pictures[static_cast<std::size_t>(t)];
    list.push_back({one.context(), t % kClasses, one.reward(t % kClasses)});
  }
  Random random = stream(Purpose::kWarmUp, 0);
  agent->warm_up(list, random);
  return agent;
}

// Rewards of steps [begin, end).
int play(Agent& agent, Index begin, Index end) {
  auto scratch = agent.make_scratch();
  int won = 0;
  for (Index t = begin; t < end; ++t) {
    const Picture picture(t);
    Random choose = stream(Purpose::kChoose, t), observe = stream(Purpose::kObserve, t);
    const Decision decision = agent.choose(picture.context(), choose, *scratch);
    const float reward = picture.reward(decision.action);
    agent.observe({picture.context(), decision.action, reward, decision.ticket}, observe, *scratch);
    won += reward > 0;
  }
  return won;
}

// Bars at any place: of pixels a linear model can tell little.
TEST(Patches, AutoTakesThemOfImagesUnlessToldOtherwise) {
  auto patches = warmed_up("auto", 20), raw = warmed_up("auto:inputs=raw,model=linear", 20);
  EXPECT_EQ(patches->report().parameters, kClasses * (16 * 24 + 1));
  EXPECT_EQ(raw->report().parameters, kClasses * (kPixels + 1));
  play(*patches, 20, 220);
  play(*raw, 20, 220);
  const int by_patches = play(*patches, 220, 320), by_pixels = play(*raw, 220, 320);
  EXPECT_GT(by_patches, 90);
  EXPECT_LT(by_pixels, by_patches - 10);
  EXPECT_NE(warmed_up("auto:model=mlp:20", 20)->report().parameters, patches->report().parameters);
}

TEST(Patches, LinearAndNeuralLinearLearnFromTheSame) {
  for (const std::string spec :
       {"linear:inputs=patches,filters=8", "neural-linear:inputs=patches,filters=8,model=mlp:10"}) {
    auto agent = warmed_up(spec, 20);
    play(*agent, 20, 320);
    EXPECT_GT(play(*agent, 320, 420), 75) << spec;
  }
}

TEST(Patches, WithoutAWarmUpComeWithThe32ndReward) {
  auto agent = warmed_up("auto:filters=4", 0);
  play(*agent, 0, 31);
  EXPECT_NE(agent->report().parameters, kClasses * (16 * 4 + 1));
  agent = load_agent(save_agent(*agent), "saved");
  play(*agent, 31, 40);
  EXPECT_EQ(agent->report().parameters, kClasses * (16 * 4 + 1));
  EXPECT_EQ(agent->report().steps, 40);
}

TEST(Patches, AScratchGoesOnWhenTheAgentHasBeenSetUpAnew) {
  auto agent = warmed_up("auto:filters=4", 0);
  const auto before = agent->snapshot();
  auto scratch = agent->make_scratch();
  const Picture picture(500);
  Random random = stream(Purpose::kChoose, 500);
  const auto ticket = agent->choose(picture.context(), random, *scratch).ticket;
  play(*agent, 0, 40);
  agent->observe({picture.context(), 1, 0, ticket}, random, *scratch);
  agent->choose(picture.context(), random, *scratch);
  EXPECT_NO_THROW(before->choose(picture.context(), random, *scratch));
  EXPECT_EQ(agent->report().steps, 41);
}

TEST(Patches, AreSavedWithTheAgent) {
  for (const std::string spec : {"auto:filters=4", "linear:inputs=patches,filters=4",
                                 "neural-linear:inputs=patches,filters=4,model=mlp:5"}) {
    auto agent = warmed_up(spec, 20);
    play(*agent, 20, 60);
    const auto loaded = load_agent(save_agent(*agent), "saved");
    EXPECT_EQ(play(*loaded, 60, 160), play(*agent, 60, 160)) << spec;
    EXPECT_EQ(save_agent(*loaded), save_agent(*agent)) << spec;
  }
}

TEST(Patches, BatchesAreDecidedAsOneByOne) {
  auto agent = warmed_up("linear:inputs=patches,filters=4", 20);
  play(*agent, 20, 100);
  std::vector<Picture> pictures;
  for (Index t = 600; t < 610; ++t) pictures.emplace_back(t);
  std::vector<Context> contexts;
  for (const Picture& one : pictures) contexts.push_back(one.context());
  std::vector<Index> actions(contexts.size());
  auto scratch = agent->make_scratch();
  Random random = stream(Purpose::kChoose, 600);
  agent->choose_batch(contexts, random, *scratch, actions);
  for (std::uint32_t i = 0; i < contexts.size(); ++i) {
    Random own = random.fork(i);
    EXPECT_EQ(agent->choose(contexts[i], own, *scratch).action, actions[i]);
  }
}

TEST(Patches, AreFoundWithoutAllocation) {
  auto agent = warmed_up("auto", 20);
  play(*agent, 20, 60);
  auto scratch = agent->make_scratch();
  for (Index t = 60; t < 90; ++t) {
    const Picture picture(t);
    Random choose = stream(Purpose::kChoose, t), observe = stream(Purpose::kObserve, t);
    const std::int64_t before = testing::allocations();
    const Decision decision = agent->choose(picture.context(), choose, *scratch);
    agent->observe(
        {picture.context(), decision.action, picture.reward(decision.action), decision.ticket},
        observe, *scratch);
    if (t >= 80) {
      EXPECT_EQ(testing::allocations(), before);
    }
  }
}

TEST(Patches, AreForImages) {
  const std::string said =
      testing::error_of([] { make_agent("linear:inputs=patches", {.features = 5, .actions = 2}); });
  EXPECT_EQ(said, "inputs=patches is for images: this problem's 5 features are none");
}

}  // namespace
}  // namespace bandolier::patches_test
