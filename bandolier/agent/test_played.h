// A small problem that no linear model explains (or one that it does), and agents that play it.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "bandolier/agent/filter_agent.h"
#include "bandolier/agent/registry.h"

namespace bandolier::played_test {

constexpr Index kFeatures = 6;
constexpr Index kActions = 3;
inline const ProblemShape kShape{.features = kFeatures, .actions = kActions};

// x ~ N(0, I). The reward of action a is `factor` where |x_a| is above its median, else 0; or,
// where linear, factor·x_a. From step `turn` on it is that of the next action.
class Problem {
 public:
  struct Options {
    float factor = 1;
    bool linear = false;
    Index turn = -1;
  };
  explicit Problem(Index steps) : Problem(steps, {}) {}
  Problem(Index steps, const Options& options) : x_(steps, kFeatures), options_(options) {
    Random random({.seed = 5});
    random.fill_normal(VectorMap<float>(x_.data(), x_.size()));
  }

  Context context(Index t) const {
    return {
        Features::dense({x_.row(t).data(), static_cast<std::size_t>(kFeatures)}), kActions, {}, {}};
  }
  float reward(Index t, Index action) const {
    const bool turned = options_.turn >= 0 && t >= options_.turn;
    const float x = x_(t, turned ? (action + 1) % kActions : action);
    return options_.factor * (options_.linear ? x : std::abs(x) > 0.6745f ? 1.0f : 0.0f);
  }
  std::vector<Experience> warm_up(Index pulls) const {
    std::vector<Experience> experience;
    for (Index t = 0; t < pulls * kActions; ++t) {
      experience.push_back({context(t), t % kActions, reward(t, t % kActions)});
    }
    return experience;
  }

 private:
  Matrix<float> x_;
  Options options_;
};

struct Played {
  std::vector<Index> actions;
  std::vector<double> rewards;
  std::unique_ptr<Agent> agent;

  // Of the last `count` steps.
  double mean_reward(std::size_t count) const {
    double sum = 0;
    for (std::size_t i = rewards.size() - count; i < rewards.size(); ++i) sum += rewards[i];
    return sum / static_cast<double>(count);
  }
  double mean_reward() const { return mean_reward(rewards.size()); }
};

// A warm-up of so many pulls of every action, then decisions up to step `steps`.
inline Played run(const std::string& spec, const Problem& problem, Index pulls, Index steps) {
  Played played;
  played.agent = make_agent(spec, kShape);
  Random random({.seed = 8, .purpose = Purpose::kWarmUp});
  played.agent->warm_up(problem.warm_up(pulls), random);
  const auto scratch = played.agent->make_scratch();
  for (Index t = pulls * kActions; t < steps; ++t) {
    Random choose({.seed = 8, .purpose = Purpose::kChoose, .step = static_cast<std::uint32_t>(t)});
    const Context context = problem.context(t);
    const Decision decision = played.agent->choose(context, choose, *scratch);
    const float reward = problem.reward(t, decision.action);
    played.agent->observe({context, decision.action, reward, decision.ticket}, choose, *scratch);
    played.actions.push_back(decision.action);
    played.rewards.push_back(static_cast<double>(reward));
  }
  return played;
}

// The belief of the first filter.
inline const ParameterBelief<float>& belief(const Agent& agent) {
  return dynamic_cast<const FilterAgent&>(agent).mixture().members().front().filter.belief();
}

}  // namespace bandolier::played_test
