// How often intervals of bandolier evaluate hold the truth: coverage [KEY=VALUE...] [ENV...]
//
// A problem is a pool of contexts with the rewards of all actions. A log draws rows from the pool
// with replacement, so that the mean over the pool is the truth, and reveals the reward of the
// action that its policy took: fixed (epsilon-greedy, by a model of few rows) or learning (`linear`
// with Thompson sampling and a floor, from nothing). The policy to evaluate is greedy by a model of
// other rows, one time in five uniform. Rewards are scaled to [0, 1]. Prints a CSV: for each
// problem and logger, estimator and interval, how many logs were held and the mean width.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "bandolier/agent/registry.h"
#include "bandolier/core/parallel.h"
#include "bandolier/core/text.h"
#include "bandolier/lab/env/registry.h"
#include "bandolier/lab/evaluation/evaluation.h"

namespace bandolier {
namespace {

struct Options {
  std::int64_t logs = 500, rows = 2000, pool = 20'000, seed = 1;
  double floor = 0.5;  // the loggers' share of uniform decisions
  std::string interval = "bootstrap";
};

const OptionTable<Options>& option_table() {
  static const OptionTable<Options> table = {
      {"logs", &Options::logs, "logs of each problem and logger", at_least(1)},
      {"rows", &Options::rows, "of a log", at_least(2)},
      {"pool", &Options::pool, "contexts of a problem", at_least(600)},
      {"seed", &Options::seed, "of everything random", at_least(0)},
      {"floor", &Options::floor, "share of a logger's decisions that are uniform", between(0, 1)},
      {"interval", &Options::interval, "normal, bootstrap, empirical-likelihood or betting"}};
  return table;
}

// Contexts and rewards of all actions, in memory.
struct Pool {
  Index features = 0, actions = 0;
  Matrix<float> contexts;         // rows × features
  Matrix<float> rewards;          // rows × actions, scaled to [0, 1]
  Matrix<double> logger, target;  // probabilities
  double truth = 0;

  Index rows() const { return contexts.rows(); }
  Context context(Index i) const {
    Context context;
    context.features =
        Features::dense({contexts.row(i).data(), static_cast<std::size_t>(features)});
    context.actions = actions;
    return context;
  }
};

// Means of all actions by `linear`, taught all rewards of some rows; epsilon-greedy in them.
Matrix<double> greedy_policy(const Pool& pool, Index from, Index count, double epsilon,
                             std::uint64_t seed) {
  ProblemShape shape;
  shape.features = pool.features;
  shape.actions = pool.actions;
  auto agent = make_agent(fmt::format("linear:policy=epsilon-greedy,epsilon={}", epsilon), shape);
  Random random({.seed = seed, .purpose = Purpose::kWarmUp});
  agent->warm_up({}, random);
  auto scratch = agent->make_scratch();
  for (Index i = from; i < from + count; ++i) {
    for (Index a = 0; a < pool.actions; ++a) {
      agent->observe({pool.context(i), a, pool.rewards(i, a)}, random, *scratch);
    }
  }
  Matrix<double> out(pool.rows(), pool.actions);
  for (Index i = 0; i < pool.rows(); ++i) {
    const Decision decision = agent->decide(pool.context(i), random, *scratch);
    for (Index a = 0; a < pool.actions; ++a) {
      out(i, a) = decision.probabilities[static_cast<std::size_t>(a)];
    }
  }
  return out;
}

Pool make_pool(const std::string& spec, const Options& options) {
  const auto environment = make_environment(spec);
  const ProblemShape shape = environment->shape();
  Pool pool;
  pool.features = shape.features;
  pool.actions = shape.actions;
  const Index rows = std::min<Index>(options.pool, environment->max_steps().value_or(options.pool));
  const auto trial = environment->trial(static_cast<std::uint64_t>(options.seed), 0, rows);
  pool.contexts.resize(rows, pool.features);
  pool.rewards.resize(rows, pool.actions);
  ContextBuffer buffer;
  for (Index i = 0; i < rows; ++i) {
    const Context context = trial->context(i, buffer);
    if (context.features.sparse() || context.actions != pool.actions) {
      fail("{}: expected dense features and the same actions in every step", spec);
    }
    for (Index j = 0; j < pool.features; ++j) {
      pool.contexts(i, j) = context.features.values[static_cast<std::size_t>(j)];
    }
    for (Index a = 0; a < pool.actions; ++a) pool.rewards(i, a) = trial->reward(i, a);
  }
  const float low = pool.rewards.minCoeff(), high = pool.rewards.maxCoeff();
  pool.rewards = (pool.rewards.array() - low) / (high - low);
  const auto seed = static_cast<std::uint64_t>(options.seed);
  pool.logger = greedy_policy(pool, 0, 30, options.floor, seed);
  pool.target = greedy_policy(pool, 30, 300, 0.2, seed);
  pool.truth =
      pool.target.cwiseProduct(pool.rewards.cast<double>()).sum() / static_cast<double>(rows);
  return pool;
}

struct Drawn {
  Index row = 0, action = 0;
  std::vector<double> probabilities;
};

Index draw(std::span<const double> probabilities, Random& random) {
  double left = random.uniform();
  for (std::size_t a = 0; a + 1 < probabilities.size(); ++a) {
    left -= probabilities[a];
    if (left < 0) return static_cast<Index>(a);
  }
  return static_cast<Index>(probabilities.size()) - 1;
}

std::vector<Drawn> make_log(const Pool& pool, bool learning, std::uint32_t log,
                            const Options& options) {
  const auto seed = static_cast<std::uint64_t>(options.seed);
  Random rows({.seed = seed, .purpose = Purpose::kShuffle, .trial = log});
  Random actions({.seed = seed, .purpose = Purpose::kChoose, .trial = log});
  std::unique_ptr<Agent> agent;
  std::unique_ptr<Scratch> scratch;
  if (learning) {
    ProblemShape shape;
    shape.features = pool.features;
    shape.actions = pool.actions;
    agent = make_agent(fmt::format("linear:exploration_floor={}", options.floor), shape);
    agent->warm_up({}, actions);
    scratch = agent->make_scratch();
  }
  std::vector<Drawn> out(static_cast<std::size_t>(options.rows));
  for (Drawn& one : out) {
    one.row = static_cast<Index>(rows.below(static_cast<std::uint64_t>(pool.rows())));
    if (learning) {
      const Decision decision = agent->decide(pool.context(one.row), actions, *scratch);
      one.action = decision.action;
      one.probabilities.assign(decision.probabilities.begin(), decision.probabilities.end());
      agent->observe({pool.context(one.row), one.action, pool.rewards(one.row, one.action)},
                     actions, *scratch);
    } else {
      const double* p = pool.logger.row(one.row).data();
      one.probabilities.assign(p, p + pool.actions);
      one.action = draw(one.probabilities, actions);
    }
  }
  return out;
}

// A log in memory; the policy to evaluate is its first list of columns.
class MemoryLog : public LogReader {
 public:
  MemoryLog(const Pool& pool, const std::vector<Drawn>& log) : pool_(pool), log_(log) {}

  bool next(LoggedEvent& event) override {
    if (next_ == log_.size()) return false;
    const Drawn& one = log_[next_++];
    event.dense = true;
    const float* x = pool_.contexts.row(one.row).data();
    event.features.assign(x, x + pool_.features);
    event.actions = pool_.actions;
    event.action_names.resize(static_cast<std::size_t>(pool_.actions));
    event.action_ids.clear();
    for (Index a = 0; a < pool_.actions; ++a) event.action_ids.push_back(a);
    event.action = one.action;
    event.reward = pool_.rewards(one.row, one.action);
    event.probabilities = one.probabilities;
    event.propensity = one.probabilities[static_cast<std::size_t>(one.action)];
    const double* q = pool_.target.row(one.row).data();
    event.columns = {std::vector<double>(q, q + pool_.actions)};
    return true;
  }
  const std::string& file() const override { return name_; }
  Index line() const override { return events(); }
  Index events() const override { return static_cast<Index>(next_); }
  std::vector<Note> notes() const override { return {}; }

 private:
  const Pool& pool_;
  const std::vector<Drawn>& log_;
  std::size_t next_ = 0;
  std::string name_ = "memory";
};

EvaluationOptions evaluation_options(const Options& options, bool learning) {
  EvaluationOptions out;
  out.policies = {"columns:target"};
  out.interval.kind = parse_word<IntervalKind>("interval", options.interval);
  out.interval.rewards = RewardRange{0, 1};
  out.folds = learning ? 0 : 3;
  switch (out.interval.kind) {
    case IntervalKind::kEmpiricalLikelihood:
      out.estimators = {"cressie-read"};
      break;
    case IntervalKind::kBetting:
      out.estimators = {"ips", "dr"};
      out.folds = 0;
      break;
    default:
      out.estimators = {"ips", "snips", "dr", "sndr", "switch-dr", "dros"};
  }
  return out;
}

struct Tally {
  std::int64_t logs = 0, held = 0, below = 0;  // below: the truth lies below the interval
  double width = 0, error = 0, squares = 0;
};

void report(const std::string& spec, bool learning, const Pool& pool, const Options& options) {
  const EvaluationPlan plan(evaluation_options(options, learning));
  std::vector<std::vector<Figure>> figures(static_cast<std::size_t>(options.logs));
  parallel_for(options.logs, available_cores(), [&](Index i) {
    const auto log = make_log(pool, learning, static_cast<std::uint32_t>(i), options);
    const Evaluation found =
        evaluate([&](const std::string&) { return std::make_unique<MemoryLog>(pool, log); }, plan);
    for (const auto& value : found.policies[0].values) {
      figures[static_cast<std::size_t>(i)].push_back(value.figure);
    }
  });
  for (std::size_t e = 0; e < plan.estimators().size(); ++e) {
    Tally tally;
    for (const auto& log : figures) {
      const Figure& figure = log[e];
      ++tally.logs;
      tally.held +=
          !figure.empty && figure.interval.low <= pool.truth && pool.truth <= figure.interval.high;
      tally.below += pool.truth < figure.interval.low;
      tally.width += figure.interval.high - figure.interval.low;
      tally.error += figure.value - pool.truth;
      tally.squares += (figure.value - pool.truth) * (figure.value - pool.truth);
    }
    const auto n = static_cast<double>(tally.logs);
    fmt::print("{},{},{},{},{},{},{:.4f},{:.4f},{:.5f},{:.5f},{:.5f},{:.5f}\n", spec,
               learning ? "learning" : "fixed", plan.estimators()[e].text, options.interval,
               options.rows, tally.logs, static_cast<double>(tally.held) / n,
               static_cast<double>(tally.below) / n, tally.width / n, pool.truth, tally.error / n,
               std::sqrt(tally.squares / n));
    std::fflush(stdout);
  }
}

void run(int argc, char** argv) {
  OptionTexts texts;
  std::vector<std::string> specs;
  for (int i = 1; i < argc; ++i) {
    const std::string text = argv[i];
    const auto equals = text.find('=');
    if (equals < text.find(':')) {
      texts[text.substr(0, equals)] = text.substr(equals + 1);
    } else {
      specs.push_back(text);
    }
  }
  const Options options = option_table().parse("coverage", texts);
  if (specs.empty())
    specs = {"linear",
             "sparse-linear",
             "wheel",
             "covertype:sample=paper",
             "shuttle:sample=paper",
             "adult:sample=paper"};
  fmt::print(
      "problem,logger,estimator,interval,rows,logs,held,truth_below,width,truth,bias,rmse\n");
  for (const auto& spec : specs) {
    const Pool pool = make_pool(spec, options);
    for (const bool learning : {false, true}) report(spec, learning, pool, options);
  }
}

}  // namespace
}  // namespace bandolier

int main(int argc, char** argv) {
  try {
    bandolier::run(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "coverage: {}\n", error.what());
    return 1;
  }
}
