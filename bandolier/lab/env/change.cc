#include "bandolier/lab/env/change.h"

#include <algorithm>
#include <cmath>

#include "bandolier/core/random.h"
#include "bandolier/core/running_moments.h"

namespace bandolier {
namespace {

constexpr double kOutlierSize = 100;            // in standard deviations of the rewards
constexpr Index kSpreadSteps = 1000;            // the first steps, whose rewards give the deviation
constexpr std::uint32_t kFirstFork = 1u << 31;  // forks of the reward stream below are the inner's
constexpr std::uint32_t kWorldFork = kFirstFork - 1;

class ChangedTrial final : public Trial {
 public:
  ChangedTrial(std::unique_ptr<Trial> inner, const ChangeOptions& options, Index actions,
               std::uint64_t seed, std::uint32_t trial)
      : inner_(std::move(inner)), options_(options), actions_(actions), seed_(seed), trial_(trial) {
    if (options_.outliers > 0) outlier_ = static_cast<float>(kOutlierSize * spread());
  }

  Index steps() const override { return inner_->steps(); }
  Index delay() const override { return options_.delay; }

  Context context(Index t, ContextBuffer& buffer) const override {
    Context context = inner_->context(t, buffer);
    if (const Index worlds = world(t); !context.available.empty() && worlds > 0) {
      // As its rewards: action a is there where the next one was.
      buffer.available.assign(context.available.begin(), context.available.end());
      std::rotate(buffer.available.begin(), buffer.available.begin() + worlds,
                  buffer.available.end());
      context.available = buffer.available;
    }
    return context;
  }

  float reward(Index t, Index action) const override {
    return changed(inner_->reward(t, (action + world(t)) % actions_));
  }

  float observed_reward(Index t, Index action) const override {
    if (options_.reward_noise == 0 && options_.outliers == 0) return reward(t, action);
    Random random = Random({seed_, Purpose::kReward, trial_, static_cast<std::uint32_t>(t)})
                        .fork(kFirstFork + static_cast<std::uint32_t>(action));
    const double noise = options_.reward_noise * random.normal();
    if (random.uniform() < options_.outliers) return random.below(2) == 0 ? outlier_ : -outlier_;
    return static_cast<float>(static_cast<double>(reward(t, action)) + noise);
  }

  void expected_rewards(Index t, std::span<float> out) const override {
    inner_->expected_rewards(t, out);
    std::rotate(out.begin(), out.begin() + world(t), out.begin() + actions_);
    for (float& reward : out) reward = changed(reward);
  }

  // Rewards change, features do not.
  std::optional<FeatureSchema> schema() const override { return inner_->schema(); }

 private:
  float changed(float reward) const {
    return static_cast<float>(options_.reward_scale *
                              (static_cast<double>(reward) + options_.reward_shift));
  }
  // By how many places the actions' rewards have moved, below the number of actions.
  Index world(Index t) const {
    if (options_.drift == 0 || t < options_.drift) return 0;
    const Index since = t - options_.drift, steps = options_.drift_steps;
    switch (options_.drift_kind) {
      case DriftKind::kAbrupt:
        return 1;
      case DriftKind::kGradual: {
        Random random = Random({seed_, Purpose::kReward, trial_, static_cast<std::uint32_t>(t)})
                            .fork(kWorldFork);
        return random.uniform() * static_cast<double>(steps) < static_cast<double>(since) ? 1 : 0;
      }
      case DriftKind::kRepeated:
        return (1 + since / steps) % actions_;
      case DriftKind::kSeasons:
        return (1 + since / steps) % 2;
    }
    return 0;
  }

  // The standard deviation of all actions' rewards over the trial's first steps.
  double spread() const {
    RunningMoments rewards;
    ContextBuffer buffer;
    for (Index t = 0; t < std::min(steps(), kSpreadSteps); ++t) {
      const Context context = inner_->context(t, buffer);
      for (Index a = 0; a < actions_; ++a) {
        if (context.allows(a)) rewards.add(static_cast<double>(reward(t, a)));
      }
    }
    return std::sqrt(rewards.variance());
  }

  std::unique_ptr<Trial> inner_;
  ChangeOptions options_;
  Index actions_;
  std::uint64_t seed_;
  std::uint32_t trial_;
  float outlier_ = 0;
};

std::string when(const ChangeOptions& options) {
  switch (options.drift_kind) {
    case DriftKind::kAbrupt:
      return fmt::format("at step {}", options.drift);
    case DriftKind::kGradual:
      return fmt::format("from step {} to {}", options.drift, options.drift + options.drift_steps);
    case DriftKind::kRepeated:
      return fmt::format("at step {} and every {} steps from there", options.drift,
                         options.drift_steps);
    case DriftKind::kSeasons:
      return fmt::format("at step {} and their own again, in turn, every {} steps from there",
                         options.drift, options.drift_steps);
  }
  return {};
}

class ChangedEnvironment final : public Environment {
 public:
  ChangedEnvironment(std::unique_ptr<Environment> inner, const ChangeOptions& options)
      : inner_(std::move(inner)), options_(options) {}

  ProblemShape shape() const override { return inner_->shape(); }
  Index default_steps() const override { return inner_->default_steps(); }
  std::optional<Index> max_steps() const override { return inner_->max_steps(); }

  std::unique_ptr<Trial> trial(std::uint64_t seed, std::uint32_t trial,
                               Index steps) const override {
    return std::make_unique<ChangedTrial>(inner_->trial(seed, trial, steps), options_,
                                          shape().actions, seed, trial);
  }

  // None where actions drift: each ends as the next one.
  std::vector<std::string> action_names() const override {
    return options_.drift > 0 ? std::vector<std::string>() : inner_->action_names();
  }

  std::vector<Note> notes() const override {
    auto notes = inner_->notes();
    if (options_.reward_shift != 0 || options_.reward_scale != 1) {
      notes.push_back(
          {"rewards-changed", fmt::format("a reward y is {:g}·(y + {:g})", options_.reward_scale,
                                          options_.reward_shift)});
    }
    if (options_.drift > 0) {
      notes.push_back(
          {"drift", fmt::format("each action's rewards become the next one's {}", when(options_))});
    }
    if (options_.reward_noise > 0) {
      notes.push_back(
          {"reward-noise",
           fmt::format("rewards told with noise of standard deviation {}; totals without",
                       options_.reward_noise)});
    }
    if (options_.outliers > 0) {
      notes.push_back(
          {"outliers",
           fmt::format("{:g} % of rewards told as outliers of {:g} standard deviations; totals "
                       "without",
                       100 * options_.outliers, kOutlierSize)});
    }
    if (options_.delay > 0) {
      notes.push_back({"delay", fmt::format("rewards told {} steps later", options_.delay)});
    }
    return notes;
  }

 private:
  std::unique_ptr<Environment> inner_;
  ChangeOptions options_;
};

}  // namespace

Words words_of(DriftKind) {
  static constexpr std::string_view kWords[] = {"abrupt", "gradual", "repeated", "seasons"};
  return kWords;
}

const OptionTable<ChangeOptions>& change_options() {
  using O = ChangeOptions;
  static const OptionTable<O> table = {
      {"reward_shift", &O::reward_shift, "added to every reward"},
      {"reward_scale", &O::reward_scale, "then every reward is multiplied by it", positive()},
      {"drift", &O::drift, "step from which each action pays what the next one paid; 0: never",
       non_negative()},
      {"drift_kind", &O::drift_kind,
       "at once, little by little, on and on to the next action's, or to and fro"},
      {"drift_steps", &O::drift_steps,
       "steps that a gradual change takes, or from one change to the next", at_least(1)},
      {"reward_noise", &O::reward_noise,
       "standard deviation of noise on the rewards that the agent is told", non_negative()},
      {"outliers", &O::outliers,
       "share of the told rewards replaced by plus or minus 100 standard deviations",
       between(0, 1)},
      {"delay", &O::delay, "steps after which the agent is told a reward", non_negative()}};
  return table;
}

std::unique_ptr<Environment> make_changed(std::unique_ptr<Environment> inner,
                                          const ChangeOptions& options) {
  if (options.drift == 0 && options.drift_kind != DriftKind::kAbrupt) {
    fail("drift_kind={}: nothing changes without drift=STEP, the first step of the change",
         to_word(options.drift_kind));
  }
  const bool any = options.reward_shift != 0 || options.reward_scale != 1 || options.drift > 0 ||
                   options.reward_noise > 0 || options.outliers > 0 || options.delay > 0;
  if (!any) return inner;
  if (!inner->shape().fixed_actions && options.drift > 0) {
    fail("drift={}: expected an environment whose actions stay the same", options.drift);
  }
  return std::make_unique<ChangedEnvironment>(std::move(inner), options);
}

}  // namespace bandolier
