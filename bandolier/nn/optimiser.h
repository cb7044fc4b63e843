// First-order optimisers over a flat parameter vector (float).
#pragma once

#include "bandolier/core/archive.h"
#include "bandolier/core/options.h"
#include "bandolier/core/types.h"

namespace bandolier {

enum class OptimiserKind { kSgd, kRmsprop, kAdam };
inline Words words_of(OptimiserKind) {
  static constexpr std::string_view kWords[] = {"sgd", "rmsprop", "adam"};
  return kWords;
}

struct OptimiserOptions {
  OptimiserKind optimiser = OptimiserKind::kSgd;
  double learning_rate = 0.05;
  double momentum = 0.9;     // sgd: v ← m v + g, θ ← θ − η v
  double weight_decay = 0;   // adds w·θ to the gradient
  double gradient_clip = 0;  // largest norm of a gradient; 0: none
  double rate_decay = 0;     // η_t = η / (1 + rate_decay·t), t counted in steps
};
const OptionTable<OptimiserOptions>& optimiser_options();

class Optimiser {
 public:
  Optimiser(const OptimiserOptions& options, Index parameters);

  // θ ← θ − step(gradient). The gradient is used as scratch.
  void step(VectorRef<float> parameters, VectorRef<float> gradient);

  // Moments as at the start, after a divergence; the learning rate goes on falling.
  void forget();

  std::size_t bytes() const;
  void save(ArchiveWriter& out) const;
  void load(const ArchiveReader& in);

 private:
  OptimiserOptions options_;
  Vector<float> first_, second_;  // momentum or first moment; mean square
  std::int64_t steps_ = 0;
};

}  // namespace bandolier
