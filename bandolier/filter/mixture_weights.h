// How much each member of a mixture counts: prequential weights with fixed share (Herbster and
// Warmuth 1998), and members that sleep (Freund et al. 1997).
//
//   w_m ← (1 − α)·w_m p_m(y)/Σ_j w_j p_j(y) + α·π_m
// from w = π, so that a member which was wrong so far can lead again within a few rewards when the
// world changes. A member that has had next to no weight for long is awake for one reward in four,
// and its weight waits meanwhile.
#pragma once

#include <cstdint>
#include <vector>

#include "bandolier/core/archive.h"

namespace bandolier {

class MixtureWeights {
 public:
  // π, in any unit.
  MixtureWeights(const std::vector<double>& prior, double share);

  std::size_t size() const { return weights_.size(); }
  double operator[](std::size_t member) const { return weights_[member]; }  // they sum to 1
  std::size_t leader() const;

  // The member that u, uniform in [0, 1), falls to.
  std::size_t draw(double u) const;

  // Whether a member learns from reward number `step`.
  bool awake(std::size_t member, std::int64_t step) const;

  // After a reward to which member m gave the density exp(log_predictive[m]), for members awake.
  // Those share their old weight anew; the others keep theirs.
  void update(const std::vector<double>& log_predictive, const std::vector<bool>& awake);

  // A member begins with this weight; the others share the rest as before.
  void begin(std::size_t member, double weight);
  void swap(std::size_t first, std::size_t second);

  void save(ArchiveWriter& out) const;
  void load(const ArchiveReader& in);

 private:
  double share_;               // α
  std::vector<double> prior_;  // π
  std::vector<double> weights_;
  std::vector<std::int64_t> lost_;  // rewards since a member last had weight worth speaking of
};

}  // namespace bandolier
