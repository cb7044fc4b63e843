#include "bandolier/core/running_moments.h"

namespace bandolier {

void RunningMoments::add(double x) {
  ++count;
  const double before = x - mean;
  mean += before / static_cast<double>(count);
  squares += before * (x - mean);
}

}  // namespace bandolier
