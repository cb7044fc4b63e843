// What the suites over every registered agent share: one small linear problem, and how to play it.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "bandolier/agent/registry.h"

namespace bandolier::conformance_test {

constexpr Index kFeatures = 4;
constexpr Index kActions = 3;
constexpr Index kWarmUp = 2 * kActions;
inline const ProblemShape kShape{.features = kFeatures, .actions = kActions};

// x ~ N(0, I); the reward of action a is factor·(xᵀβ_a + 0.1·noise + shift). Pure in t; contexts
// are kept alive.
class LinearProblem {
 public:
  explicit LinearProblem(Index steps, float factor = 1, float shift = 0)
      : factor_(factor),
        shift_(shift),
        x_(steps, kFeatures),
        beta_(kActions, kFeatures),
        noise_(steps, kActions) {
    Random random({.seed = 1});
    random.fill_normal(VectorMap<float>(beta_.data(), beta_.size()));
    beta_.rowwise().normalize();
    random.fill_normal(VectorMap<float>(x_.data(), x_.size()));
    random.fill_normal(VectorMap<float>(noise_.data(), noise_.size()));
  }

  Index steps() const { return x_.rows(); }
  std::span<const float> features(Index t) const {
    return {x_.data() + t * kFeatures, static_cast<std::size_t>(kFeatures)};
  }
  Context context(Index t) const { return {Features::dense(features(t)), kActions, {}, {}}; }
  float expected(Index t, Index action) const { return x_.row(t).dot(beta_.row(action)); }
  float best(Index t) const { return (beta_ * x_.row(t).transpose()).maxCoeff(); }
  float mean(Index t) const { return (beta_ * x_.row(t).transpose()).mean(); }
  float reward(Index t, Index action) const {
    return factor_ * (expected(t, action) + 0.1f * noise_(t, action) + shift_);
  }

 private:
  float factor_, shift_;
  Matrix<float> x_, beta_, noise_;
};

inline Random stream(Purpose purpose, Index step) {
  return Random({.seed = 7, .purpose = purpose, .step = static_cast<std::uint32_t>(step)});
}

// Warm-up over the problem's first `pulls` steps, actions in turn.
inline void warm_up(Agent& agent, const LinearProblem& problem, Index pulls = kWarmUp) {
  std::vector<Experience> experience;
  for (Index t = 0; t < pulls; ++t) {
    experience.push_back({problem.context(t), t % kActions, problem.reward(t, t % kActions)});
  }
  Random random = stream(Purpose::kWarmUp, 0);
  agent.warm_up(experience, random);
}

// Decides and learns at steps [begin, end) with the streams of those steps.
inline std::vector<Index> play(Agent& agent, const LinearProblem& problem, Index begin, Index end,
                               bool use_ticket = true) {
  std::vector<Index> actions;
  auto scratch = agent.make_scratch();
  for (Index t = begin; t < end; ++t) {
    Random choose = stream(Purpose::kChoose, t), observe = stream(Purpose::kObserve, t);
    const Context context = problem.context(t);
    const Decision decision = agent.choose(context, choose, *scratch);
    actions.push_back(decision.action);
    if (!use_ticket) scratch = agent.make_scratch();
    agent.observe({context, decision.action, problem.reward(t, decision.action),
                   use_ticket ? decision.ticket : 0},
                  observe, *scratch);
  }
  return actions;
}

// What it decides at steps [begin, end) where it does not learn.
inline std::vector<Index> decide(const Agent& agent, const LinearProblem& problem, Index begin,
                                 Index end, Scratch& scratch) {
  std::vector<Index> actions;
  for (Index t = begin; t < end; ++t) {
    Random random = stream(Purpose::kChoose, t);
    actions.push_back(agent.choose(problem.context(t), random, scratch).action);
  }
  return actions;
}

class Conformance : public ::testing::TestWithParam<std::string> {
 protected:
  const AgentEntry& entry() const { return find_agent(GetParam().substr(0, GetParam().find(':'))); }
  // The agent with one more option.
  std::string with(const std::string& option) const {
    return GetParam() + (GetParam().find(':') == std::string::npos ? ":" : ",") + option;
  }
  std::unique_ptr<Agent> make() const { return make_agent(GetParam(), kShape); }
  std::unique_ptr<Agent> trained(const LinearProblem& problem, Index steps) const {
    auto agent = make();
    warm_up(*agent, problem);
    play(*agent, problem, kWarmUp, kWarmUp + steps);
    return agent;
  }
  bool learns() const { return GetParam() != "uniform"; }
  // A mixture of Kalman filters: auto, subspace-ekf, ekf, lofi.
  bool has_filters() const { return has_option("prior_predictive"); }
  bool has_option(const std::string& name) const {
    for (const auto& option : entry().options()) {
      if (option.name == name) return true;
    }
    return false;
  }
};

}  // namespace bandolier::conformance_test
