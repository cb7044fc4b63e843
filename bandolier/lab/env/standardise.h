// Features brought to mean 0 and variance 1.
#pragma once

#include <span>
#include <vector>

#include "bandolier/core/running_moments.h"
#include "bandolier/core/types.h"

namespace bandolier {

// x ← (x − mean)·inverse_sd; inverse_sd is 0 for a constant feature, which becomes 0, as does a
// missing number (NaN).
struct Scaling {
  Vector<double> mean, inverse_sd;
  void apply(std::span<float> row) const;
};

// Mean and variance of every feature over the rows added so far. A missing number (NaN) stands for
// the mean of those that are there.
class Moments {
 public:
  void add(std::span<const float> row);
  Scaling scaling() const;  // by the population's variance

 private:
  Index rows_ = 0;
  std::vector<RunningMoments> features_;  // of the numbers that are there
};

}  // namespace bandolier
