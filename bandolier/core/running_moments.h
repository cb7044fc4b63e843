// Mean and variance of numbers that come one at a time.
#pragma once

#include <cstdint>

#include "bandolier/core/archive.h"

namespace bandolier {

// Welford (1962): nothing large is subtracted from anything large, and equal numbers have variance
// 0 exactly.
struct RunningMoments {
  std::int64_t count = 0;
  double mean = 0;
  double squares = 0;  // Σ (x − mean)²

  // Not inline: its rounding is then the same for every caller.
  void add(double x);

  // squares / count, the population's. Needs at least one number.
  double variance() const { return squares / static_cast<double>(count); }

  // As fields of the open section; of numbers that floats hold.
  void save(ArchiveWriter& out) const;
  void load(const ArchiveReader& in);
};

}  // namespace bandolier
