// Features brought to mean 0 and variance 1.
#pragma once

#include <span>

#include "bandolier/core/types.h"

namespace bandolier {

// x ← (x − mean)·inverse_sd; inverse_sd is 0 for a constant feature, which becomes 0.
struct Scaling {
  Vector<double> mean, inverse_sd;
  void apply(std::span<float> row) const;
};

// Count, Σ(x − c) and Σ(x − c)² of every feature over the rows added so far; c is the first of
// them, so that little cancels and a constant feature has variance 0 exactly.
class Moments {
 public:
  void add(std::span<const float> row);
  Index count() const { return count_; }
  Scaling scaling() const;  // by the population's variance

 private:
  Index count_ = 0;
  Vector<double> shift_, sum_, squares_;
};

}  // namespace bandolier
