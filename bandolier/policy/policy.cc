#include "bandolier/policy/policy.h"

#include <limits>

#include "bandolier/policy/optimism.h"

namespace bandolier {
namespace {

struct Best {
  Index action = 0;
  Index ties = 1;
  float score = 0;
};

// Counts the ties first, so that a stream without ties is not drawn from.
Best best(std::span<const float> scores, Random& random) {
  Best found{0, 0, -std::numeric_limits<float>::infinity()};
  for (std::size_t i = 0; i < scores.size(); ++i) {
    if (scores[i] > found.score) {
      found = {static_cast<Index>(i), 1, scores[i]};
    } else if (scores[i] == found.score) {
      if (found.ties++ == 0) found.action = static_cast<Index>(i);
    }
  }
  if (found.ties > 1) {
    auto skip = random.below(static_cast<std::uint64_t>(found.ties));
    for (auto i = static_cast<std::size_t>(found.action); i < scores.size(); ++i) {
      if (scores[i] == found.score && skip-- == 0) {
        found.action = static_cast<Index>(i);
        break;
      }
    }
  }
  return found;
}

}  // namespace

Words words_of(PolicyKind) {
  static constexpr std::string_view kWords[] = {"thompson", "ucb", "greedy", "epsilon-greedy",
                                                "uniform"};
  return kWords;
}

const OptionTable<PolicyOptions>& policy_options() {
  static const OptionTable<PolicyOptions> table = {
      {"policy", &PolicyOptions::policy, "how the belief becomes a choice"},
      {"temperature", &PolicyOptions::temperature,
       "thompson: factor on the sampled deviation; pulls: falls with each action's own pulls",
       non_negative(), "pulls"},
      {"temperature_floor", &PolicyOptions::temperature_floor,
       "temperature=pulls: what it falls to, from 1", between(0, 1)},
      {"temperature_pulls", &PolicyOptions::temperature_pulls,
       "temperature=pulls: pulls of an action for a fall by a factor e", positive()},
      {"optimism", &PolicyOptions::optimism,
       "thompson, ucb: raises scores by this times the rewards' size times √(ln t / pulls)",
       non_negative()},
      {"alpha", &PolicyOptions::alpha, "ucb: standard deviations added to the mean",
       non_negative()},
      {"epsilon", &PolicyOptions::epsilon, "epsilon-greedy: probability of a uniform choice",
       between(0, 1)}};
  return table;
}

Policy::Policy(const PolicyOptions& options)
    : options_(options),
      temperature_(options.temperature
                       ? Temperature{*options.temperature, 0}
                       : Temperature{options.temperature_floor, options.temperature_pulls}) {}

bool Policy::optimistic() const {
  return options_.optimism > 0 &&
         (options_.policy == PolicyKind::kThompson || options_.policy == PolicyKind::kUcb);
}

Decision Policy::choose(Scorer& scorer, const Context& context, const Pulls& pulls, Random& random,
                        Scratch& scratch) const {
  const auto actions = static_cast<std::size_t>(context.actions);
  const auto id = [&](std::size_t i) { return context.action_id(static_cast<Index>(i)); };
  scratch.scores.resize(actions);
  const std::span<float> scores(scratch.scores);
  switch (options_.policy) {
    case PolicyKind::kThompson:
      scratch.temperature.resize(actions);
      for (std::size_t i = 0; i < actions; ++i) {
        scratch.temperature[i] = temperature_.at(pulls.of(id(i)));
      }
      scorer.sample(random, scratch.temperature, scores);
      break;
    case PolicyKind::kUcb:
      scratch.deviation.resize(actions);
      scorer.mean(scores);
      scorer.deviation(scratch.deviation);
      for (std::size_t i = 0; i < actions; ++i) {
        scores[i] += static_cast<float>(options_.alpha) * scratch.deviation[i];
      }
      break;
    case PolicyKind::kGreedy:
    case PolicyKind::kEpsilonGreedy:
    case PolicyKind::kUniform:
      scorer.mean(scores);
      break;
  }
  if (optimistic()) {
    for (std::size_t i = 0; i < actions; ++i) {
      scores[i] += optimism_bonus(options_.optimism, pulls, id(i));
    }
  }
  return decide(scores, random);
}

void Policy::choose_batch(BatchScorer& scorer, std::span<const Context> contexts,
                          const Pulls& pulls, const Random& random, std::uint32_t first,
                          BatchScores& memory, std::span<Index> actions) const {
  const auto rows = static_cast<Index>(contexts.size());
  const Index columns = contexts.empty() ? 0 : contexts[0].actions;
  const auto id = [&](Index i, Index a) {
    return contexts[static_cast<std::size_t>(i)].action_id(a);
  };
  memory.scores.resize(rows, columns);
  memory.buffer.resize(rows, columns);
  memory.streams.clear();
  for (std::uint32_t i = 0; i < contexts.size(); ++i) {
    memory.streams.push_back(random.fork(first + i));
  }
  switch (options_.policy) {
    case PolicyKind::kThompson:
      for (Index i = 0; i < rows; ++i) {
        for (Index a = 0; a < columns; ++a) {
          memory.buffer(i, a) = temperature_.at(pulls.of(id(i, a)));
        }
      }
      scorer.sample(memory.streams, memory.buffer, memory.scores);
      break;
    case PolicyKind::kUcb:
      scorer.mean(memory.scores);
      scorer.deviation(memory.buffer);
      memory.scores += static_cast<float>(options_.alpha) * memory.buffer;
      break;
    case PolicyKind::kGreedy:
    case PolicyKind::kEpsilonGreedy:
    case PolicyKind::kUniform:
      scorer.mean(memory.scores);
      break;
  }
  for (Index i = 0; optimistic() && i < rows; ++i) {
    for (Index a = 0; a < columns; ++a) {
      memory.scores(i, a) += optimism_bonus(options_.optimism, pulls, id(i, a));
    }
  }
  for (std::size_t i = 0; i < contexts.size(); ++i) {
    const float* row = memory.scores.row(static_cast<Index>(i)).data();
    actions[i] = decide({row, static_cast<std::size_t>(columns)}, memory.streams[i]).action;
  }
}

Decision Policy::decide(std::span<const float> scores, Random& random) const {
  const auto actions = scores.size();
  Decision decision;
  decision.scores = scores;
  if (options_.policy == PolicyKind::kUniform) {
    decision.action = static_cast<Index>(random.below(actions));
    decision.propensity = 1 / static_cast<double>(actions);
    return decision;
  }
  const Best greedy = best(scores, random);
  decision.action = greedy.action;
  if (options_.policy == PolicyKind::kThompson) return decision;
  const double explore = options_.policy == PolicyKind::kEpsilonGreedy ? options_.epsilon : 0;
  if (explore > 0 && random.uniform() < explore) {
    decision.action = static_cast<Index>(random.below(actions));
  }
  const bool is_best = scores[static_cast<std::size_t>(decision.action)] == greedy.score;
  decision.propensity = explore / static_cast<double>(actions) +
                        (is_best ? (1 - explore) / static_cast<double>(greedy.ties) : 0);
  return decision;
}

Index argmax(std::span<const float> scores, Random& random) { return best(scores, random).action; }

}  // namespace bandolier
