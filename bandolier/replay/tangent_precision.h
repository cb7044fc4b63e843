// The precision of a linear model on a network's tangent features g = ∇_θ f(x; θ):
//   U = λI + Σ g gᵀ,
// its diagonal alone, or all of it as the square root of U⁻¹ (rank-one updates, no inversion).
#pragma once

#include <optional>

#include "bandolier/belief/gaussian_full.h"
#include "bandolier/model/reward_model.h"

namespace bandolier {

enum class TangentCovariance { kDiag, kFull };
inline Words words_of(TangentCovariance) {
  static constexpr std::string_view kWords[] = {"diag", "full"};
  return kWords;
}

// A feature is given as RewardModel::block_gradient does: the block of the first layer that its
// input touches, and the rest. U is laid out block by block, then the rest.
class TangentPrecision {
 public:
  // Throws Error where a full matrix would be too large.
  TangentPrecision(const RewardModel& model, double lambda, TangentCovariance covariance);

  // gᵀU⁻¹g. Diagonal: O(head + tail). Full: O(D²); `dense` and `scratch` are the caller's.
  double inverse_form(Index block, const Vector<float>& head, const Vector<float>& tail,
                      Vector<float>& dense, Vector<float>& scratch) const;
  // U ← U + g gᵀ (its diagonal).
  void add(Index block, const Vector<float>& head, const Vector<float>& tail, Vector<float>& dense,
           BeliefScratch<float>& scratch);

  std::size_t bytes() const;
  void save(ArchiveWriter& out) const;
  void load(const ArchiveReader& in);

 private:
  void to_dense(Index block, const Vector<float>& head, const Vector<float>& tail,
                Vector<float>& dense) const;

  Index size_;
  Vector<float> diagonal_;                      // diag
  std::optional<GaussianFull<float>> inverse_;  // full: U⁻¹ as the covariance of a belief
};

}  // namespace bandolier
