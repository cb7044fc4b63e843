#include "bandolier/policy/policy.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

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

void check_batch(std::span<const Context> contexts, std::span<const Index> actions) {
  if (contexts.size() != actions.size()) {
    fail("a batch of {} contexts with room for {} actions: expected as many", contexts.size(),
         actions.size());
  }
}

float Temperature::at(std::int64_t pulls) const {
  if (scale_pulls == 0) return static_cast<float>(floor);
  return static_cast<float>(floor +
                            (1 - floor) * std::exp(-static_cast<double>(pulls) / scale_pulls));
}

Policy::Policy(const PolicyOptions& options, Index actions)
    : kind_(options.policy),
      alpha_(options.alpha),
      epsilon_(options.epsilon),
      optimism_(options.optimism),
      temperature_(options.temperature
                       ? Temperature{*options.temperature, 0}
                       : Temperature{options.temperature_floor, options.temperature_pulls}),
      pulls_(static_cast<std::size_t>(actions), 0) {}

Decision Policy::choose(Scorer& scorer, const Context& context, Random& random, Scratch& scratch,
                        std::vector<float>& buffer) const {
  const auto actions = static_cast<std::size_t>(context.actions);
  scratch.scores.resize(actions);
  buffer.resize(actions);
  const std::span<float> scores(scratch.scores);
  switch (kind_) {
    case PolicyKind::kThompson:
      for (std::size_t i = 0; i < actions; ++i) {
        buffer[i] = temperature(context, static_cast<Index>(i));
      }
      scorer.sample(random, buffer, scores);
      break;
    case PolicyKind::kUcb:
      scorer.mean(scores);
      scorer.deviation(buffer);
      for (std::size_t i = 0; i < actions; ++i) {
        scores[i] += static_cast<float>(alpha_) * buffer[i];
      }
      break;
    case PolicyKind::kGreedy:
    case PolicyKind::kEpsilonGreedy:
      scorer.mean(scores);
      break;
  }
  if (optimism_ > 0) {
    for (std::size_t i = 0; i < actions; ++i) scores[i] += bonus(context, static_cast<Index>(i));
  }
  return decide(scores, random);
}

void Policy::choose_batch(BatchScorer& scorer, std::span<const Context> contexts,
                          const Random& random, std::uint32_t first, BatchScores& memory,
                          std::span<Index> actions) const {
  const auto rows = static_cast<Index>(contexts.size());
  const Index columns = contexts.empty() ? 0 : contexts[0].actions;
  memory.scores.resize(rows, columns);
  memory.buffer.resize(rows, columns);
  memory.streams.clear();
  for (std::uint32_t i = 0; i < contexts.size(); ++i) {
    memory.streams.push_back(random.fork(first + i));
  }
  switch (kind_) {
    case PolicyKind::kThompson:
      for (Index i = 0; i < rows; ++i) {
        const Context& context = contexts[static_cast<std::size_t>(i)];
        for (Index a = 0; a < columns; ++a) memory.buffer(i, a) = temperature(context, a);
      }
      scorer.sample(memory.streams, memory.buffer, memory.scores);
      break;
    case PolicyKind::kUcb:
      scorer.mean(memory.scores);
      scorer.deviation(memory.buffer);
      memory.scores += static_cast<float>(alpha_) * memory.buffer;
      break;
    case PolicyKind::kGreedy:
    case PolicyKind::kEpsilonGreedy:
      scorer.mean(memory.scores);
      break;
  }
  for (Index i = 0; optimism_ > 0 && i < rows; ++i) {
    const Context& context = contexts[static_cast<std::size_t>(i)];
    for (Index a = 0; a < columns; ++a) memory.scores(i, a) += bonus(context, a);
  }
  for (std::size_t i = 0; i < contexts.size(); ++i) {
    const float* row = memory.scores.row(static_cast<Index>(i)).data();
    actions[i] = decide({row, static_cast<std::size_t>(columns)}, memory.streams[i]).action;
  }
}

Decision Policy::decide(std::span<const float> scores, Random& random) const {
  Decision decision;
  decision.scores = scores;
  const auto actions = scores.size();
  const Best greedy = best(scores, random);
  if (kind_ == PolicyKind::kThompson) {
    decision.action = greedy.action;
    return decision;
  }
  const double explore = kind_ == PolicyKind::kEpsilonGreedy ? epsilon_ : 0;
  decision.action = greedy.action;
  if (explore > 0 && random.uniform() < explore) {
    decision.action = static_cast<Index>(random.below(actions));
  }
  const bool is_best = scores[static_cast<std::size_t>(decision.action)] == greedy.score;
  decision.propensity = explore / static_cast<double>(actions) +
                        (is_best ? (1 - explore) / static_cast<double>(greedy.ties) : 0);
  return decision;
}

float Policy::temperature(const Context& context, Index action) const {
  return temperature_.at(pulls(context.action_id(action)));
}

float Policy::bonus(const Context& context, Index action) const {
  if (kind_ != PolicyKind::kThompson && kind_ != PolicyKind::kUcb) return 0;
  const auto n = static_cast<double>(pulls(context.action_id(action)));
  const double log_t = std::log1p(static_cast<double>(total_));
  return static_cast<float>(optimism_ * std::sqrt(mean_square_ * log_t / (1 + n)));
}

std::size_t Policy::slot(std::int64_t action_id) const {
  return static_cast<std::size_t>(static_cast<std::uint64_t>(action_id) % pulls_.size());
}

void Policy::count(const Context& context, Index action, float reward) {
  ++pulls_[slot(context.action_id(action))];
  ++total_;
  // One outlier among many does not set the size, and one among the first is forgotten.
  double square = static_cast<double>(reward) * static_cast<double>(reward);
  if (mean_square_ > 0) square = std::min(square, 25 * mean_square_);
  mean_square_ += (square - mean_square_) / static_cast<double>(total_);
}

std::int64_t Policy::pulls(std::int64_t action_id) const { return pulls_[slot(action_id)]; }

std::size_t Policy::bytes() const { return pulls_.size() * sizeof pulls_[0]; }

void Policy::save(ArchiveWriter& out) const {
  out.write("pulls", pulls_);
  if (optimism_ > 0) out.write("mean_square", mean_square_);
}

void Policy::load(ArchiveReader& in) {
  auto pulls = in.read_integers("pulls");
  if (pulls.size() != pulls_.size()) {
    fail("the saved agent has {} pull counts: expected {}, one an action", pulls.size(),
         pulls_.size());
  }
  pulls_ = std::move(pulls);
  total_ = std::accumulate(pulls_.begin(), pulls_.end(), std::int64_t{0});
  if (optimism_ > 0) mean_square_ = in.read_double("mean_square");
}

Index argmax(std::span<const float> scores, Random& random) { return best(scores, random).action; }

}  // namespace bandolier
