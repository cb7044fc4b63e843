// Features brought to mean 0 and variance 1.
#pragma once

#include <span>
#include <vector>

#include "bandolier/core/running_moments.h"
#include "bandolier/model/feature_schema.h"

namespace bandolier {

// x ← (x − mean)·inverse_sd, one of each per feature; inverse_sd is 0 for a constant one.
struct Scaling {
  std::vector<double> mean, inverse_sd;
};

// The schema with these moments.
FeatureSchema standardised(FeatureSchema schema, const Scaling& scaling);

// Mean and variance of every feature over the rows added so far. A missing number (NaN) stands for
// the mean of those that are there.
class Moments {
 public:
  void add(std::span<const double> row);
  Scaling scaling() const;  // by the population's variance

 private:
  Index rows_ = 0;
  std::vector<RunningMoments> features_;  // of the numbers that are there
};

}  // namespace bandolier
