// What is asked for, checked before anything is read.
#include <algorithm>

#include "bandolier/core/error.h"
#include "bandolier/lab/evaluation/evaluation.h"

namespace bandolier {

EvaluationPlan::EvaluationPlan(EvaluationOptions options) : options_(std::move(options)) {
  if (options_.policies.empty()) fail("no policy: expected one at least, such as uniform");
  if (options_.estimators.empty()) fail("no estimator: expected one at least, such as dr");
  for (const auto& policy : options_.policies) policies_.emplace_back(policy, columns_);
  for (const auto& text : options_.estimators) {
    estimators_.push_back(make_estimator(text));
    check_interval(estimators_.back(), options_.interval);
  }
  if (!options_.predictions.empty()) prediction_column_ = columns_.place(options_.predictions);
  if (options_.interval.rewards && !(options_.interval.rewards->width() > 0)) {
    fail("reward range {},{}: expected LOW,HIGH with LOW < HIGH", options_.interval.rewards->low,
         options_.interval.rewards->high);
  }
  if (options_.folds < 0 || options_.folds == 1 || options_.folds > 100) {
    fail("folds is {}: expected 2 to 100, or past", options_.folds);
  }
  if (options_.interval.kind != IntervalKind::kBetting) return;
  if (needs_predictions() && !prediction_column_ && options_.folds != 0) {
    fail("interval 'betting' of dr needs predictions from earlier rows alone: add --folds past");
  }
  for (const TargetSpec& policy : policies_) {
    if (!policy.learns()) continue;
    fail(
        "policy '{}' learns along the log, and what it is worth with it: interval 'betting' is of "
        "policies that stay the same; save it first (bandolier learn)",
        policy.text());
  }
}

bool EvaluationPlan::needs_predictions() const {
  return std::any_of(estimators_.begin(), estimators_.end(),
                     [](const NamedEstimator& e) { return e.needs.predictions; });
}

bool EvaluationPlan::needs_survey() const {
  return (needs_predictions() && !prediction_column_) ||
         std::any_of(policies_.begin(), policies_.end(),
                     [](const TargetSpec& policy) { return policy.needs_survey(); });
}

}  // namespace bandolier
