// Rows of logs for tests: those of testing/golden/ope, and tiny ones whose truth is known.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bandolier/lab/evaluation/estimators.h"

namespace bandolier::testing {

// testing/golden/ope/NAME.
std::filesystem::path ope_file(const std::string& name);
// The part of answers.json about one log.
nlohmann::json ope_answers(const std::string& log);

// Rows that own what they point to.
struct OwnedRow {
  LoggedRow row;  // without its views
  std::vector<double> target, logged, predictions;
  LoggedRow view() const;
};

// A generated log with its policy `pi_` and predictions `q_`. Reads numbers with 15 digits.
std::vector<OwnedRow> ope_rows(const std::string& name);

// Every outcome of a tiny problem, its probability as its count: means over these rows are
// expectations. Contexts 0 and 1 with P = 0.3, 0.7; three actions; Bernoulli rewards.
struct TinyProblem {
  std::vector<OwnedRow> outcomes;
  double truth = 0;  // of the target policy
};
TinyProblem tiny_problem();

// The value over rows, by an estimator as it is typed.
double value_of(const std::string& estimator, const std::vector<OwnedRow>& rows,
                const WeightBounds& weights = {});
TermMoments moments_of(const NamedEstimator& estimator, const std::vector<OwnedRow>& rows);

}  // namespace bandolier::testing
