// Scores of linear heads: one normal-inverse-gamma regression per action, on the same features x.
//
// A head's Thompson sample is w̃ = μ + σ̃ S ε, ε ~ N(0, I), and its score xᵀw̃ = xᵀμ + σ̃ (Sᵀx)ᵀε.
// Given σ̃ that is N(xᵀμ, σ̃² ‖Sᵀx‖²), and the heads are independent. So one normal η per action
// gives scores of exactly the same joint distribution: xᵀμ + σ̃ ‖Sᵀx‖ η. O(K d²), with one normal
// and one gamma draw per action in place of d normals. Heads see rewards in units; scores are in
// the user's.
#pragma once

#include <span>

#include "bandolier/belief/normal_inverse_gamma.h"
#include "bandolier/policy/policy.h"

namespace bandolier {

class RegressionScorer final : public Scorer {
 public:
  // All are borrowed for the scorer's life; `work` is scratch of any size.
  RegressionScorer(std::span<const NormalInverseGamma<float>> heads, const Vector<float>& x,
                   Vector<float>& work, double unit = 1)
      : heads_(heads), x_(x), work_(work), unit_(unit) {}

  void mean(std::span<float> out) override;
  void sample(Random& random, std::span<const float> temperature, std::span<float> out) override;
  bool normals(Random& random, std::span<const float> temperature, std::span<float> mean,
               std::span<float> deviation) override;
  void deviation(std::span<float> out) override;

 private:
  struct Normal {
    float mean;
    double deviation;
  };
  // A head's score given a draw of its noise variance.
  Normal draw(std::size_t head, Random& random);

  std::span<const NormalInverseGamma<float>> heads_;
  const Vector<float>& x_;
  Vector<float>& work_;
  double unit_;
};

}  // namespace bandolier
