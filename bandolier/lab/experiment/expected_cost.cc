#include "bandolier/lab/experiment/expected_cost.h"

#include <algorithm>
#include <iterator>

#include "bandolier/core/text.h"

namespace bandolier {
namespace {

// Of one choose and observe: fixed + per_parameter·D + n²/2 where a full covariance of n of the D
// parameters is kept. Fitted to one run of all agents on covertype, wheel and linear with 100
// features (docs/clusters.md); trainings on stored data are in `fixed`, spread over the steps.
struct StepCost {
  const char* agent;
  std::int64_t fixed, per_parameter;  // ns
  std::int64_t most_filtered = 0;     // n is at most this; 0: no full covariance of weights
};

constexpr std::int64_t kAll = 1'000'000;
constexpr StepCost kStepCosts[] = {
    {"uniform", 1'000, 0},          {"linear", 1'000, 15},    {"neural-greedy", 120'000, 50},
    {"neural-linear", 130'000, 50}, {"lim2", 700'000, 60},    {"neural-ts", 3'400'000, 300},
    {"neural-ucb", 3'400'000, 300}, {"ekf", 5'000, 12, kAll}, {"subspace-ekf", 8'000, 1, 800},
    {"lofi", 15'000, 25},           {"auto", 20'000, 5},
};
constexpr StepCost kUnknown = {"", 100'000, 20};

std::int64_t whole_option(const Agent& agent, const std::string& name, std::int64_t otherwise) {
  const auto& options = agent.spec().options;
  const auto found = options.find(name);
  if (found == options.end()) return otherwise;
  return parse_integer(found->second).value_or(otherwise);
}

// The coordinates that have a full covariance.
std::int64_t filtered(const Agent& agent, const StepCost& cost, std::int64_t parameters) {
  const auto& options = agent.spec().options;
  const auto covariance = options.find("covariance");
  if (covariance != options.end() && covariance->second != "full") return 0;
  const std::int64_t most =
      cost.most_filtered == kAll ? kAll : whole_option(agent, "dim", cost.most_filtered);
  return std::min({parameters, most, kAll});
}

}  // namespace

std::int64_t expected_cost(const Agent& agent, Index steps) {
  const auto* found =
      std::find_if(std::begin(kStepCosts), std::end(kStepCosts),
                   [&](const StepCost& cost) { return cost.agent == agent.spec().name; });
  const StepCost& cost = found == std::end(kStepCosts) ? kUnknown : *found;
  constexpr std::int64_t kMostParameters = 1'000'000'000;
  const std::int64_t parameters =
      std::min<std::int64_t>(agent.report().parameters.value_or(0), kMostParameters);
  std::int64_t step = cost.fixed + cost.per_parameter * parameters;
  if (cost.most_filtered > 0) {
    const std::int64_t n = filtered(agent, cost, parameters);
    step += n * n / 2;
  }
  // At most 10¹⁸: sums over trials are made of shares of it (share.cc).
  constexpr std::int64_t kMost = 1'000'000'000'000'000'000;
  return step > kMost / std::max<Index>(steps, 1) ? kMost : std::max<std::int64_t>(step * steps, 1);
}

}  // namespace bandolier
