// What estimators are made of: a few terms of each row, and a smooth function of the terms' means.
// Sums are all that an estimate keeps of a log, and what is done with sums (intervals, resampling,
// differences) is written once, for all estimators.
#pragma once

#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "bandolier/lab/evaluation/logged_row.h"
#include "bandolier/lab/evaluation/term_moments.h"

namespace bandolier {

// What weights can be under both policies, seen or not.
struct WeightBounds {
  double low = 0;
  double high = std::numeric_limits<double>::infinity();
};

struct Means {
  std::span<const double> of;  // one per term
  double rows = 0;             // TermMoments::effective_rows
  WeightBounds weights;
};

class Estimator {
 public:
  virtual ~Estimator() = default;

  virtual Index terms() const = 0;
  virtual void terms_of(const LoggedRow& row, std::span<double> out) const = 0;

  // The value, for one of the parameters that there are to choose from.
  virtual double value(const Means& means, Index choice) const = 0;

  // Which parameter suits the log; 0 where nothing is to be chosen.
  virtual Index choose(const TermMoments&) const { return 0; }
  // What was chosen, as it would be typed; empty where nothing was.
  virtual std::string choice_text(Index) const { return {}; }
};

// The mean of one number of each row.
class MeanEstimator : public Estimator {
 public:
  using Function = double (*)(const LoggedRow& row, double parameter);

  // One parameter, or several to choose from by SLOPE: the least biased first.
  MeanEstimator(Function function, std::string parameter_name, std::vector<double> parameters)
      : function_(function), name_(std::move(parameter_name)), parameters_(std::move(parameters)) {}
  explicit MeanEstimator(double (*function)(const LoggedRow& row, double), double parameter = 0)
      : MeanEstimator(function, "", {parameter}) {}

  Index terms() const override { return static_cast<Index>(parameters_.size()); }
  void terms_of(const LoggedRow& row, std::span<double> out) const override {
    for (std::size_t i = 0; i < parameters_.size(); ++i) out[i] = function_(row, parameters_[i]);
  }
  double value(const Means& means, Index choice) const override {
    return means.of[static_cast<std::size_t>(choice)];
  }
  Index choose(const TermMoments& moments) const override;
  std::string choice_text(Index choice) const override;

 private:
  Function function_;
  std::string name_;
  std::vector<double> parameters_;
};

}  // namespace bandolier
