#include "bandolier/policy/policy.h"

#include <algorithm>
#include <limits>

#include "bandolier/policy/optimism.h"

namespace bandolier {
namespace {

struct Best {
  Index action = 0;
  Index ties = 0;  // 0: no score is a number
  float score = 0;
};

// Counts the ties first, so that a stream without ties is not drawn from.
Best best(std::span<const float> scores, const Context& context) {
  Best found{0, 0, -std::numeric_limits<float>::infinity()};
  while (!context.allows(found.action)) ++found.action;
  for (auto i = static_cast<std::size_t>(found.action); i < scores.size(); ++i) {
    if (!context.allows(static_cast<Index>(i))) continue;
    if (scores[i] > found.score) {
      found = {static_cast<Index>(i), 1, scores[i]};
    } else if (scores[i] == found.score) {
      if (found.ties++ == 0) found.action = static_cast<Index>(i);
    }
  }
  return found;
}

// The n-th (from 0) of the allowed actions that `counts`.
template <class Counts>
Index nth(const Context& context, std::uint64_t n, Counts counts) {
  for (Index i = 0; i < context.actions; ++i) {
    if (context.allows(i) && counts(i) && n-- == 0) return i;
  }
  return 0;
}

Index any(const Context& context, Index allowed, Random& random) {
  const auto n = random.below(static_cast<std::uint64_t>(allowed));
  return context.available.empty() ? static_cast<Index>(n)
                                   : nth(context, n, [](Index) { return true; });
}

// `share` of a probability to the best, divided between ties.
void add_wins(std::span<const float> scores, const Context& context, double share,
              std::span<double> q) {
  const Best winner = best(scores, context);
  if (winner.ties <= 1) {
    q[static_cast<std::size_t>(winner.action)] += share;
    return;
  }
  for (std::size_t i = 0; i < scores.size(); ++i) {
    if (scores[i] == winner.score && context.allows(static_cast<Index>(i))) {
      q[i] += share / static_cast<double>(winner.ties);
    }
  }
}

// Rounding may leave Σq a little below 1: the last that has any is then drawn.
Index draw(std::span<const double> q, Random& random) {
  double left = random.uniform();
  std::size_t action = 0;
  for (std::size_t i = 0; i < q.size(); ++i) {
    if (q[i] <= 0) continue;
    action = i;
    left -= q[i];
    if (left < 0) break;
  }
  return static_cast<Index>(action);
}

}  // namespace

Words words_of(PolicyKind) {
  static constexpr std::string_view kWords[] = {"thompson", "ucb", "greedy", "epsilon-greedy",
                                                "uniform"};
  return kWords;
}

const OptionTable<ExplorationOptions>& exploration_options() {
  static const OptionTable<ExplorationOptions> table = {
      {"exploration_floor", &ExplorationOptions::exploration_floor,
       "share of all decisions in which any allowed action is taken", between(0, 1)}};
  return table;
}

const OptionTable<PolicyOptions>& policy_options() {
  static const OptionTable<PolicyOptions> table = OptionTable<PolicyOptions>{
      {"policy", &PolicyOptions::policy, "how the belief becomes a choice"},
      {"temperature", &PolicyOptions::temperature,
       "thompson: factor on the sampled deviation; pulls: falls with each action's own pulls",
       non_negative(), "pulls"},
      {"temperature_floor", &PolicyOptions::temperature_floor,
       "temperature=pulls: what it falls to, from 1", between(0, 1)},
      {"menu_temperature_floor", &PolicyOptions::menu_temperature_floor,
       "the same where actions change from one decision to the next", between(0, 1)},
      {"temperature_pulls", &PolicyOptions::temperature_pulls,
       "temperature=pulls: pulls of an action for a fall by a factor e", positive()},
      {"optimism", &PolicyOptions::optimism,
       "thompson, ucb: raises scores by this times the rewards' size times √(ln t / pulls)",
       non_negative()},
      {"alpha", &PolicyOptions::alpha, "ucb: standard deviations added to the mean",
       non_negative()},
      {"epsilon", &PolicyOptions::epsilon, "epsilon-greedy: probability of a uniform choice",
       between(0, 1)}}.include(exploration_options());
  return table;
}

Policy::Policy(const PolicyOptions& options, bool fixed_actions)
    : options_(options),
      temperature_(options.temperature ? Temperature{*options.temperature, 0}
                                       : Temperature{fixed_actions ? options.temperature_floor
                                                                   : options.menu_temperature_floor,
                                                     options.temperature_pulls}) {}

bool Policy::optimistic() const {
  return options_.optimism > 0 &&
         (options_.policy == PolicyKind::kThompson || options_.policy == PolicyKind::kUcb);
}

double Policy::uniform_share() const {
  if (options_.policy == PolicyKind::kUniform) return 1;
  const double epsilon = options_.policy == PolicyKind::kEpsilonGreedy ? options_.epsilon : 0;
  return 1 - (1 - options_.exploration_floor) * (1 - epsilon);
}

void Policy::find_temperatures(const Context& context, const Pulls& pulls, Scratch& scratch) const {
  scratch.temperature.resize(static_cast<std::size_t>(context.actions));
  for (Index i = 0; i < context.actions; ++i) {
    scratch.temperature[static_cast<std::size_t>(i)] =
        temperature_.at(pulls.of(context.action_id(i)));
  }
}

void Policy::add_optimism(const Context& context, const Pulls& pulls,
                          std::span<float> scores) const {
  if (!optimistic()) return;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    scores[i] += optimism_bonus(options_.optimism, pulls, context.action_id(static_cast<Index>(i)));
  }
}

void Policy::find_scores(Scorer& scorer, const Context& context, const Pulls& pulls, Random& random,
                         Scratch& scratch, bool contest) const {
  const std::span<float> scores(scratch.scores);
  switch (options_.policy) {
    case PolicyKind::kThompson:
      if (!contest) {
        scorer.sample(random, scratch.temperature, scores);
        break;
      }
      scratch.bonus.assign(scores.size(), 0.0f);
      add_optimism(context, pulls, scratch.bonus);
      scorer.contest(random, scratch.temperature, scratch.bonus, context, scores);
      return;
    case PolicyKind::kUcb:
      scratch.deviation.resize(scores.size());
      scorer.mean(scores);
      scorer.deviation(scratch.deviation);
      for (std::size_t i = 0; i < scores.size(); ++i) {
        scores[i] += static_cast<float>(options_.alpha) * scratch.deviation[i];
      }
      break;
    case PolicyKind::kGreedy:
    case PolicyKind::kEpsilonGreedy:
    case PolicyKind::kUniform:
      scorer.mean(scores);
      break;
  }
  add_optimism(context, pulls, scores);
}

Decision Policy::choose(Scorer& scorer, const Context& context, const Pulls& pulls, Random& random,
                        Scratch& scratch) const {
  scratch.scores.resize(static_cast<std::size_t>(context.actions));
  if (options_.policy == PolicyKind::kThompson) find_temperatures(context, pulls, scratch);
  find_scores(scorer, context, pulls, random, scratch, true);
  return pick(scratch.scores, context, random);
}

void Policy::top(Scorer& scorer, const Context& context, const Pulls& pulls, Random& random,
                 Scratch& scratch, std::span<Index> best) const {
  const auto actions = static_cast<std::size_t>(context.actions);
  scratch.scores.resize(actions);
  if (options_.policy == PolicyKind::kThompson) find_temperatures(context, pulls, scratch);
  find_scores(scorer, context, pulls, random, scratch, false);
  std::vector<std::uint8_t> left(context.available.begin(), context.available.end());
  left.resize(actions, 1);
  Context rest = context;
  rest.available = left;
  for (Index& place : best) {
    place = pick(scratch.scores, rest, random).action;
    left[static_cast<std::size_t>(place)] = 0;
  }
}

Decision Policy::decide(Scorer& scorer, const Context& context, const Pulls& pulls, Random& random,
                        Scratch& scratch) const {
  const auto actions = static_cast<std::size_t>(context.actions);
  scratch.scores.resize(actions);
  scratch.probabilities.assign(actions, 0.0);
  const std::span<double> q(scratch.probabilities);
  bool exact = true;
  if (options_.policy == PolicyKind::kThompson) {
    find_temperatures(context, pulls, scratch);
    scratch.deviation.resize(actions);
    exact = scorer.normals(random, scratch.temperature, scratch.scores, scratch.deviation);
    if (exact) {
      add_optimism(context, pulls, scratch.scores);
      scratch.wins.compute(scratch.scores, scratch.deviation, context.available, q);
    }
  }
  if (options_.policy != PolicyKind::kThompson) {
    find_scores(scorer, context, pulls, random, scratch, true);
    add_wins(scratch.scores, context, 1, q);
  } else if (!exact) {
    if (scratch.samples.cols() < context.actions) {
      scratch.samples.resize(kShareSamples, context.actions);
    }
    scorer.samples(random, scratch.temperature, scratch.samples.leftCols(context.actions));
    for (Index i = 0; i < kShareSamples; ++i) {
      const auto row = scratch.samples.row(i);
      std::copy_n(row.data(), actions, scratch.scores.data());
      add_optimism(context, pulls, scratch.scores);
      add_wins(scratch.scores, context, 1.0 / kShareSamples, q);
    }
  }
  const double explore = uniform_share();
  if (explore > 0) {
    const double each = explore / static_cast<double>(context.allowed());
    for (std::size_t i = 0; i < actions; ++i) {
      if (context.allows(static_cast<Index>(i))) q[i] = (1 - explore) * q[i] + each;
    }
  }
  Decision decision;
  decision.scores = scratch.scores;
  decision.action = draw(q, random);
  decision.probabilities = q;
  decision.propensity = q[static_cast<std::size_t>(decision.action)];
  decision.full_support = exact || explore > 0;
  return decision;
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
    actions[i] =
        pick({row, static_cast<std::size_t>(columns)}, contexts[i], memory.streams[i]).action;
  }
}

Decision Policy::pick(std::span<const float> scores, const Context& context, Random& random) const {
  const Index allowed = context.allowed();
  const double explore = uniform_share();
  Decision decision;
  decision.scores = scores;
  if (options_.policy == PolicyKind::kUniform) {
    decision.action = any(context, allowed, random);
    decision.propensity = 1 / static_cast<double>(allowed);
    return decision;
  }
  const Best greedy = best(scores, context);
  decision.action = greedy.action;
  if (greedy.ties > 1) {
    const auto n = random.below(static_cast<std::uint64_t>(greedy.ties));
    decision.action = nth(
        context, n, [&](Index i) { return scores[static_cast<std::size_t>(i)] == greedy.score; });
  }
  if (explore > 0 && random.uniform() < explore) decision.action = any(context, allowed, random);
  if (options_.policy == PolicyKind::kThompson) return decision;
  const bool is_best = greedy.ties == 0
                           ? decision.action == greedy.action
                           : scores[static_cast<std::size_t>(decision.action)] == greedy.score;
  decision.propensity =
      explore / static_cast<double>(allowed) +
      (is_best ? (1 - explore) / static_cast<double>(std::max<Index>(1, greedy.ties)) : 0);
  return decision;
}

}  // namespace bandolier
