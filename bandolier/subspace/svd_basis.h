// Directions found in the iterates of training (Izmailov et al. 2019; Larsen et al. 2021): the
// leading right singular vectors of the iterates, a row per iterate, less their mean.
#pragma once

#include <cstdint>
#include <memory>

#include "bandolier/subspace/dense_basis.h"

namespace bandolier {

struct SvdBasis {
  std::shared_ptr<const DenseBasis<float>> basis;
  Index found = 0;            // directions found in the iterates; the rest are Gaussian
  double variance_share = 0;  // of the iterates' variance that these explain
};

// How many directions: a number, or the fewest that explain a share of the iterates' variance.
struct SvdSize {
  Index dim = 0;     // 0: by share
  double share = 0;  // in (0, 1)
};

// iterates: n × D, centred in place. Exact by the n × n Gram matrix, O(n²D + n³), unless n is many
// times the number of directions: then randomised (Halko et al. 2011), O(n·D·dim). Directions
// missing for want of rank are filled with Gaussian ones of norm 1. Throws Error unless there are
// at least two iterates.
SvdBasis svd_basis(Matrix<float>& iterates, const SvdSize& size, const StreamKey& key);

}  // namespace bandolier
