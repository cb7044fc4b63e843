#include "bandolier/lab/evaluation/evaluation.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "bandolier/core/error.h"
#include "bandolier/core/stop.h"
#include "bandolier/lab/evaluation/marginal_weights.h"
#include "bandolier/lab/evaluation/predictions.h"

namespace bandolier {
namespace {

constexpr Index kMostPositions = 100;

// One policy by one estimator: all rows, each position's, and the difference from the first policy.
struct Cell {
  Cell(const NamedEstimator& estimator, const IntervalOptions& options, bool first)
      : estimation(estimator, options), marginal(estimator.needs.features) {
    if (!first) difference.emplace(estimator, options);
  }

  Estimation estimation;
  std::map<Index, Estimation> positions;
  std::optional<DifferenceEstimation> difference;
  MarginalWeights marginal;
  std::string why_not;  // the log cannot tell
};

// One policy: what it would have done in the row at hand, and its cells.
struct Column {
  std::unique_ptr<Target> target;
  LoggedRow row;
  Weights weights;
  WeightBounds bounds{std::numeric_limits<double>::infinity(), 0};
  bool bounds_known = true;
  std::vector<Cell> cells;
};

void check_probabilities(std::span<const double> probabilities, const LoggedEvent& event,
                         const std::string& policy) {
  if (static_cast<Index>(probabilities.size()) != event.actions) {
    fail("policy '{}' has {} probabilities: expected {}, one per action", policy,
         probabilities.size(), event.actions);
  }
  double sum = 0;
  for (const double q : probabilities) {
    if (!(q >= 0 && q <= 1 + 1e-9)) {
      fail("policy '{}' has the probability {}: expected 0 to 1", policy, q);
    }
    sum += q;
  }
  if (std::abs(sum - 1) > 1e-3) {
    fail("policy '{}': probabilities sum to {:.6g}: expected 1", policy, sum);
  }
}

class Evaluator {
 public:
  Evaluator(const OpenLog& open, const EvaluationPlan& plan, const ShowProgress& show)
      : open_(open), plan_(plan), options_(plan.options()), show_(show) {}

  Evaluation run() {
    LogSurvey survey;
    if (plan_.needs_survey()) survey = look();
    make_columns(survey);
    if (plan_.needs_predictions()) make_predictions(survey);
    const auto notes =
        read_decided("evaluating", [&](const LoggedEvent& event) { evaluate(event); });
    return finish(notes);
  }

 private:
  // Calls work(event) for all events; returns the reader's notes.
  template <class Work>
  std::vector<Note> read(const char* name, Work work) {
    const auto reader = open_(plan_.columns());
    for (LoggedEvent event; reader->next(event);) {
      throw_if_stopped();
      if (show_ && reader->events() % 1024 == 0) show_({name, reader->events(), total_});
      at_event(*reader, [&] { work(event); });
    }
    total_ = reader->events();
    return reader->notes();
  }

  // The same for those that the logging policy decided.
  template <class Work>
  std::vector<Note> read_decided(const char* name, Work work) {
    rows_ = left_out_ = 0;
    return read(name, [&](const LoggedEvent& event) {
      if (event.skip_learn) {
        ++left_out_;
      } else {
        work(event);
        ++rows_;
      }
    });
  }

  LogSurvey look() {
    LogSurveyor surveyor;
    auto notes = read("looking", [&](const LoggedEvent& event) { surveyor.look_at(event); });
    return surveyor.finish(std::move(notes));
  }

  void make_columns(const LogSurvey& survey) {
    for (const TargetSpec& policy : plan_.policies()) {
      Column& column = columns_.emplace_back();
      column.target = policy.make(survey, options_.agents);
      for (const NamedEstimator& estimator : plan_.estimators()) {
        column.cells.emplace_back(estimator, options_.interval, columns_.size() == 1);
      }
    }
  }

  void make_predictions(const LogSurvey& survey) {
    const std::string& model = options_.reward_model;
    if (const auto column = plan_.prediction_column()) {
      predictions_ = logged_predictions(*column);
    } else if (options_.folds == 0) {
      predictions_ = past_predictions(RewardLearner(model, survey, options_.agents));
    } else {
      auto folded =
          std::make_unique<FoldedPredictions>(model, options_.folds, survey, options_.agents);
      read_decided("learning rewards",
                   [&](const LoggedEvent& event) { folded->teach(event, rows_); });
      predictions_ = std::move(folded);
    }
  }

  void evaluate(const LoggedEvent& event) {
    check_reward(event);
    count_ += event.drop_weight();
    reward_ += event.drop_weight() * event.reward;
    full_support_ = full_support_ && event.full_support;
    const auto logged = logged_probabilities(event);
    std::span<const double> predicted;
    if (predictions_) {
      predicted = predictions_->of(event, rows_);
      if (static_cast<Index>(predicted.size()) != event.actions) {
        fail("{} predictions: expected {}, one per action", predicted.size(), event.actions);
      }
      for (const double q : predicted) {
        if (!std::isfinite(q)) fail("the prediction {}: expected a finite number", q);
      }
    }
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      make_row(event, plan_.policies()[i].text(), logged, predicted, columns_[i]);
    }
    for (std::size_t e = 0; e < plan_.estimators().size(); ++e) {
      for (Column& column : columns_) add(event, e, column);
    }
    for (Column& column : columns_) column.target->learn(event, rows_);
    if (predictions_) predictions_->learn(event, rows_);
  }

  void check_reward(const LoggedEvent& event) const {
    const auto kind = options_.interval.kind;
    if (kind != IntervalKind::kEmpiricalLikelihood && kind != IntervalKind::kBetting) return;
    const RewardRange& range = *options_.interval.rewards;
    if (event.reward < range.low || event.reward > range.high) {
      fail("reward {}: expected {} to {}, as --reward-range says", event.reward, range.low,
           range.high);
    }
    if (kind == IntervalKind::kBetting && event.dropped > 0) {
      fail("pdrop is {}: interval 'betting' is of logs from which nothing was dropped",
           event.dropped);
    }
  }

  // All of them where the log tells them, or where the action's says that they are equal.
  std::span<const double> logged_probabilities(const LoggedEvent& event) {
    if (!event.probabilities.empty()) return event.probabilities;
    const auto actions = static_cast<double>(event.actions);
    if (std::abs(event.propensity * actions - 1) > 1e-6) return {};
    equal_.assign(static_cast<std::size_t>(event.actions), 1 / actions);
    return equal_;
  }

  void make_row(const LoggedEvent& event, const std::string& policy, std::span<const double> logged,
                std::span<const double> predicted, Column& column) {
    const auto taken = static_cast<std::size_t>(event.action);
    LoggedRow& row = column.row;
    row = LoggedRow{};
    row.action = event.action;
    row.reward = event.reward;
    row.count = event.drop_weight();
    row.logged = logged;
    row.predictions = predicted;
    if (column.target->is_logging_policy()) {
      row.target = logged;
    } else {
      row.target = column.target->probabilities(event, rows_);
      check_probabilities(row.target, event, policy);
      row.weight = row.target[taken] / event.propensity;
    }
    if (!predicted.empty()) {
      row.predicted = predicted[taken];
      for (std::size_t a = 0; a < row.target.size(); ++a) row.value += row.target[a] * predicted[a];
    }
    column.weights.add(row);
    if (column.target->is_logging_policy()) {
      column.bounds = {1, 1};
    } else if (logged.empty()) {
      column.bounds_known = false;
    } else {
      for (std::size_t a = 0; a < logged.size(); ++a) {
        if (logged[a] == 0 && row.target[a] == 0) continue;
        const double weight = row.target[a] / logged[a];
        column.bounds.low = std::min(column.bounds.low, weight);
        column.bounds.high = std::max(column.bounds.high, weight);
      }
    }
  }

  void add(const LoggedEvent& event, std::size_t e, Column& column) {
    const NamedEstimator& estimator = plan_.estimators()[e];
    Cell& cell = column.cells[e];
    if (!cell.why_not.empty()) return;
    cell.why_not = why_not(event, estimator, cell, column.row);
    if (!cell.why_not.empty()) return;
    cell.estimation.add(column.row);
    if (event.position > 0 && event.position <= kMostPositions) {
      cell.positions.try_emplace(event.position, estimator, options_.interval)
          .first->second.add(column.row);
    }
    // The first policy comes first: its row has this estimator's marginal weight.
    if (cell.difference && columns_[0].cells[e].why_not.empty()) {
      cell.difference->add(column.row, columns_[0].row);
    }
  }

  // Why the log cannot tell; sets the row's marginal weight.
  static std::string why_not(const LoggedEvent& event, const NamedEstimator& estimator, Cell& cell,
                             LoggedRow& row) {
    if (estimator.needs.predictions && row.target.empty()) {
      return "the log does not tell the probabilities of all actions";
    }
    if (estimator.needs.marginal_weights) {
      if (row.logged.empty()) return "mips: the log does not tell the probabilities of all actions";
      const auto weight = cell.marginal.weight(event, row.target, row.logged);
      if (!weight) return "mips: the log's actions have no features";
      row.marginal_weight = *weight;
    }
    return {};
  }

  Evaluation finish(const std::vector<Note>& log_notes) {
    Evaluation out;
    out.rows = rows_;
    out.mean_reward = reward_ / count_;
    out.interval = options_.interval.kind;
    out.level = options_.interval.level;
    out.notes = log_notes;
    if (left_out_ > 0) {
      out.notes.push_back(
          {"not-decided", "rows were not decided by the logging policy", left_out_});
    }
    if (!full_support_) {
      out.notes.push_back({"no-support",
                           "propensities are shares of samples: where a share is 0 the action "
                           "might have been taken, and weighted estimates are biased",
                           0});
    }
    if (rows_ == 0)
      fail("no row of the log was decided by the logging policy: nothing to evaluate");
    for (std::size_t i = 0; i < columns_.size(); ++i) out.policies.push_back(finish(i));
    return out;
  }

  static WeightBounds bounds(const Column& column) {
    return column.bounds_known ? column.bounds : WeightBounds{};
  }

  EvaluatedPolicy finish(std::size_t i) {
    Column& column = columns_[i];
    EvaluatedPolicy out;
    out.policy = plan_.policies()[i].text();
    out.weights = column.weights;
    out.notes = column.weights.warnings();
    for (auto& note : column.target->notes()) out.notes.push_back(std::move(note));
    for (std::size_t e = 0; e < column.cells.size(); ++e) {
      Cell& cell = column.cells[e];
      // The same draws for every policy and estimator.
      const Random random(
          {.seed = options_.agents.seed, .purpose = Purpose::kShuffle, .trial = kLogTrial});
      EstimatedValue value;
      value.estimator = plan_.estimators()[e].text;
      if (cell.why_not.empty()) {
        value.figure = cell.estimation.figure(bounds(column), random);
        for (auto& [position, estimation] : cell.positions) {
          value.positions.push_back(
              {position, estimation.rows(), estimation.figure(bounds(column), random)});
        }
      } else {
        value.notes.push_back(cell.why_not);
      }
      if (i > 0 && cell.why_not.empty() && columns_[0].cells[e].why_not.empty()) {
        value.difference = cell.difference->figure(value.figure, first_figures_[e], bounds(column),
                                                   bounds(columns_[0]), random);
      }
      if (!value.figure.chosen.empty()) {
        value.notes.push_back(
            value.figure.chosen +
            " by SLOPE; the interval is that of dr, since nobody knows the bias of the choice");
      }
      if (value.figure.empty) {
        value.notes.push_back(
            "every value has been ruled out: weights are larger than they may be in 95 logs of "
            "100; "
            "are the propensities right? The interval is the range of rewards");
      }
      if (value.figure.value < value.figure.interval.low ||
          value.figure.value > value.figure.interval.high) {
        value.notes.push_back(
            "the value lies outside the interval, which uses that weights have mean 1 as well: "
            "take "
            "snips, cressie-read or dr");
      }
      if (i == 0) first_figures_.push_back(value.figure);
      out.values.push_back(std::move(value));
    }
    return out;
  }

  const OpenLog& open_;
  const EvaluationPlan& plan_;
  const EvaluationOptions& options_;
  const ShowProgress& show_;
  std::int64_t total_ = 0;  // events, once a pass has been over them
  std::vector<Column> columns_;
  std::unique_ptr<Predictions> predictions_;
  std::vector<double> equal_;
  std::vector<Figure> first_figures_;  // of the first policy
  std::int64_t rows_ = 0, left_out_ = 0;
  double count_ = 0, reward_ = 0;
  bool full_support_ = true;
};

}  // namespace

Evaluation evaluate(const OpenLog& open, const EvaluationPlan& plan, const ShowProgress& show) {
  return Evaluator(open, plan, show).run();
}

}  // namespace bandolier
