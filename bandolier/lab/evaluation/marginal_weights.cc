#include "bandolier/lab/evaluation/marginal_weights.h"

#include <algorithm>
#include <bit>

#include "bandolier/core/error.h"
#include "bandolier/core/text.h"

namespace bandolier {
namespace {

std::uint64_t mixed(std::uint64_t hash, std::uint64_t value) {
  hash = (hash ^ value) * 0x9e3779b97f4a7c15u;
  return hash ^ (hash >> 32);
}

}  // namespace

std::uint64_t MarginalWeights::like(const LoggedEvent& event, Index action) const {
  std::uint64_t hash = 1;
  if (event.dense) {
    const auto width = event.action_features.size() / static_cast<std::size_t>(event.actions);
    for (const float x : std::span(event.action_features)
                             .subspan(static_cast<std::size_t>(action) * width, width)) {
      hash = mixed(hash, std::bit_cast<std::uint32_t>(x));
    }
    return hash;
  }
  const NamedValues& values = event.own[static_cast<std::size_t>(action)];
  std::size_t found = 0;
  std::uint64_t sum = 0;  // in whatever order they stand
  for (Index i = 0; i < values.size(); ++i) {
    const auto value = values[i];
    if (!features_.empty()) {
      if (std::find(features_.begin(), features_.end(), value.name) == features_.end()) continue;
      ++found;
    }
    sum += mixed(mixed(hash, value.hash), std::bit_cast<std::uint64_t>(value.number));
  }
  if (found < features_.size()) {
    fail("estimator 'mips': an action has not all of the features {}", join(features_, ", "));
  }
  return sum;
}

std::optional<double> MarginalWeights::weight(const LoggedEvent& event,
                                              std::span<const double> target,
                                              std::span<const double> logged) {
  if (event.dense) {
    if (event.action_features.empty()) return std::nullopt;
    if (!features_.empty()) {
      fail("estimator 'mips': this log's features have no names: leave features= out");
    }
  } else if (std::all_of(event.own.begin(), event.own.begin() + event.actions,
                         [](const NamedValues& own) { return own.empty(); })) {
    return std::nullopt;
  }
  const std::uint64_t taken = like(event, event.action);
  double above = 0, below = 0;
  for (Index a = 0; a < event.actions; ++a) {
    if (like(event, a) != taken) continue;
    above += target[static_cast<std::size_t>(a)];
    below += logged[static_cast<std::size_t>(a)];
  }
  return above / below;
}

}  // namespace bandolier
