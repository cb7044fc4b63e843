// The estimators, one file each. w: weight, r: reward, q: predicted reward of the action taken,
// v: Σ_a π(a) q(a).
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bandolier/core/options.h"
#include "bandolier/lab/evaluation/estimator.h"

namespace bandolier {

// What an estimator asks of each row beside weight and reward.
struct EstimatorNeeds {
  bool predictions = false;
  bool marginal_weights = false;
  std::vector<std::string> features = {};  // what actions are alike by; none: all that they have
};

// The confidence sequence that belongs to an estimator (betting.h).
enum class Sequence { kNone, kWeights, kDoublyRobust };

// One made from what was typed.
struct NamedEstimator {
  std::string text;  // as typed
  std::unique_ptr<Estimator> estimator;
  EstimatorNeeds needs;
  Sequence sequence = Sequence::kNone;
  bool of_weights = false;  // a function of weights and rewards alone: has an empirical likelihood
};

struct EstimatorEntry {
  std::string name;
  std::string summary;  // one line
  std::vector<OptionDoc> options;
  std::function<NamedEstimator(const OptionTexts&)> make;
};

EstimatorEntry ips_estimator();
EstimatorEntry snips_estimator();
EstimatorEntry dm_estimator();
EstimatorEntry dr_estimator();
EstimatorEntry sndr_estimator();
EstimatorEntry switch_dr_estimator();
EstimatorEntry dros_estimator();
EstimatorEntry cressie_read_estimator();
EstimatorEntry mips_estimator();

const std::vector<EstimatorEntry>& estimators();

// From NAME or NAME:key=value,... Throws Error for unknown names, options and bad values.
NamedEstimator make_estimator(const std::string& spec);

// The thresholds of weights that a tuned estimator chooses from, the least biased first.
std::vector<double> weight_thresholds();

}  // namespace bandolier
