#include "bandolier/core/running_moments.h"

namespace bandolier {

void RunningMoments::add(double x) {
  ++count;
  const double before = x - mean;
  mean += before / static_cast<double>(count);
  squares += before * (x - mean);
}

void RunningMoments::save(ArchiveWriter& out) const {
  out.write("count", count);
  out.write("mean", mean);
  out.write("squares", squares);
}

void RunningMoments::load(const ArchiveReader& in) {
  count = in.read_count("count");
  mean = in.read_double("mean", {-1e39, 1e39});
  squares = in.read_double("squares", {0, 1e100});
}

}  // namespace bandolier
