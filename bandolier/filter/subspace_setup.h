// A network's subspace as the warm-up settles it (Algorithm 2, lines 2 to 4): the offset θ*, random
// or trained on the warm-up's rewards; the basis A, random or from the iterates of that training;
// and its dimension.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "bandolier/core/note.h"
#include "bandolier/filter/network_predictor.h"
#include "bandolier/nn/training.h"

namespace bandolier {

enum class OffsetKind { kAuto, kRandom, kSgd };
Words words_of(OffsetKind);
enum class CentreKind { kAuto, kTrue, kFalse };
Words words_of(CentreKind);

struct SubspaceOptions : TrainingOptions {
  BasisKind basis = BasisKind::kRankOne;
  BasisPrecision precision = BasisPrecision::kFloat;  // of a basis that is stored (gaussian, svd)
  std::optional<double> dim;  // nothing: found. Below 1, for svd: a share of the iterates' variance
  std::int64_t thinning = 2;  // svd: every how many-th iterate is kept
  OffsetKind offset = OffsetKind::kAuto;  // auto: sgd for basis=svd, else random
  // The filter sees the rewards of that training once more, and an offset that fits a few of them
  // by chance leaves it sure of what nobody knows: an agent then locks in on its first fit. From
  // fewer rewards per action the offset stays random; directions of the training are of use all the
  // same.
  std::int64_t offset_pulls = 10;
  CentreKind centre = CentreKind::kAuto;  // auto: where the offset is random
};

const OptionTable<SubspaceOptions>& subspace_options();

// Throws Error where options do not go together.
void check(const SubspaceOptions& options);

// The dimension where it is known before warm-up: the number asked for, or all parameters.
std::optional<Index> known_dim(const SubspaceOptions& options, const RewardModel& model);

struct SubspaceSetup {
  std::shared_ptr<const NetworkPredictor> predictor;
  std::vector<Note> notes;  // fallbacks taken
};

// How well a predictor explains the warm-up's rewards, each before it is seen: a log-likelihood, by
// which dim=auto is chosen where there are enough of them.
using Fit = std::function<double(const std::shared_ptr<const Predictor>&)>;

// The experience's rewards are as the filter sees them. Throws Error where `dim` is above the
// number of parameters. `require_memory(dim)` throws Error where basis and belief of so many
// dimensions are too large.
SubspaceSetup set_up_subspace(const SubspaceOptions& options, const RewardModel& model,
                              std::shared_ptr<const Preparation> preparation,
                              std::span<const Experience> experience, const Random& random,
                              const std::function<void(Index)>& require_memory, const Fit& fit);

}  // namespace bandolier
