// Policies × estimators on one log: passes over it, and what they found.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bandolier/core/note.h"
#include "bandolier/lab/evaluation/estimation.h"
#include "bandolier/lab/evaluation/target.h"
#include "bandolier/lab/evaluation/weights.h"
#include "bandolier/lab/log/log_reader.h"

namespace bandolier {

struct EvaluationOptions {
  std::vector<std::string> policies;
  std::vector<std::string> estimators = {"ips", "snips", "dr"};
  IntervalOptions interval;
  // The reward model of dm and dr: an agent by name, cross-fitted over so many folds, or, where 0,
  // learning along the log; or predictions that stand in the log.
  std::string reward_model = "linear";
  Index folds = 3;
  std::string predictions;     // prefix of the log's columns; empty: none
  LoggedPlayerOptions agents;  // their seed and slots; the seed is that of resampling too
};

struct PositionFigure {
  Index position = 0;
  std::int64_t rows = 0;
  Figure figure;
};

struct EstimatedValue {
  std::string estimator;             // as typed
  Figure figure;                     // NaN where the log cannot tell; notes say why
  std::optional<Figure> difference;  // from the first policy's
  std::vector<PositionFigure> positions;
  std::vector<std::string> notes;
};

struct EvaluatedPolicy {
  std::string policy;  // as typed
  Weights weights;
  std::vector<std::string> notes;
  std::vector<EstimatedValue> values;  // one per estimator
};

struct Evaluation {
  std::int64_t rows = 0;
  double mean_reward = 0;  // of the log as it is
  IntervalKind interval = IntervalKind::kBootstrap;
  double level = kLevel;
  std::vector<Note> notes;  // of the log
  std::vector<EvaluatedPolicy> policies;
};

// Opens the log anew for every pass, with these columns (LogOptions::columns).
using OpenLog = std::function<std::unique_ptr<LogReader>(const std::string& columns)>;

struct EvaluationProgress {
  const char* pass;          // what is done
  std::int64_t rows, total;  // of this pass; total 0: not known yet
};
using ShowProgress = std::function<void(const EvaluationProgress&)>;

// Options as evaluate() reads them. Throws Error where they contradict each other or themselves.
class EvaluationPlan {
 public:
  explicit EvaluationPlan(EvaluationOptions options);

  const EvaluationOptions& options() const { return options_; }
  const std::vector<TargetSpec>& policies() const { return policies_; }
  const std::vector<NamedEstimator>& estimators() const { return estimators_; }
  std::string columns() const { return columns_.text(); }
  bool needs_predictions() const;
  // From which column of the log; nothing: from the reward model.
  std::optional<std::size_t> prediction_column() const { return prediction_column_; }
  bool needs_survey() const;

 private:
  EvaluationOptions options_;
  ColumnPrefixes columns_;
  std::vector<TargetSpec> policies_;
  std::vector<NamedEstimator> estimators_;
  std::optional<std::size_t> prediction_column_;
};

// One pass; one more before it where agents or a reward model need to know what the log has, and
// one more where a reward model is cross-fitted. The same options give the same bits.
Evaluation evaluate(const OpenLog& open, const EvaluationPlan& plan, const ShowProgress& show = {});

}  // namespace bandolier
