// Everything about an extended Kalman filter that warm-up settles and learning leaves alone: the
// subspace (Algorithm 2, lines 2 to 4) and the prior's scale.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bandolier/agent/ekf_filter.h"
#include "bandolier/agent/ekf_options.h"
#include "bandolier/model/reward_model.h"
#include "bandolier/subspace/offset.h"
#include "bandolier/subspace/subspace.h"

namespace bandolier {

struct EkfSetup {
  std::shared_ptr<const SubspaceModel<float>> model;
  std::optional<StreamKey> offset_key;  // of a random offset
  double prior_variance = 1;            // of a coordinate, in the filter's units
  bool centred = false;                 // the predictor is f(θ(z)) − f(θ*)
  std::vector<std::string> notes;       // fallbacks taken

  void save(ArchiveWriter& out) const;
  static EkfSetup load(const RewardModel& model, ArchiveReader& in);
};

// Throws Error where basis and belief of so many dimensions need more than the memory at hand: they
// are most of what an agent holds.
void require_ekf_memory(const SubspaceEkfOptions& options, const RewardModel& model, Index dim);

// The experience's rewards are as the filter sees them, in units of `unit`. Throws Error where
// `dim` is above the number of parameters, or basis and belief need more than the memory at hand.
EkfSetup set_up_ekf(const SubspaceEkfOptions& options, const RewardModel& model,
                    std::span<const Experience> experience, double unit, const Random& random);

// The filter before any reward.
EkfFilter<float> make_ekf_filter(const SubspaceEkfOptions& options, const EkfSetup& setup,
                                 double unit);

}  // namespace bandolier
