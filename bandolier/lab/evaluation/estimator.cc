#include "bandolier/lab/evaluation/estimator.h"

#include <fmt/format.h>

#include <cmath>

#include "bandolier/core/text.h"
#include "bandolier/lab/evaluation/slope.h"

namespace bandolier {

Index MeanEstimator::choose(const TermMoments& moments) const {
  if (parameters_.size() == 1 || moments.rows() < 2) return 0;
  std::vector<double> deviations;
  for (Index i = 0; i < terms(); ++i) {
    deviations.push_back(std::sqrt(std::max(0.0, moments.covariance(i, i))));
  }
  return slope(moments.means(), deviations);
}

std::string MeanEstimator::choice_text(Index choice) const {
  if (parameters_.size() == 1) return {};
  return fmt::format("{}={}", name_, to_text(parameters_[static_cast<std::size_t>(choice)]));
}

}  // namespace bandolier
