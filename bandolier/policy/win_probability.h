// The probability that each of K independent normals N(μ_i, s_i²) is the largest of all:
//   q_i = ∫ φ_i(x) ∏_{j≠i} Φ_j(x) dx = ∫ F(x) (φ_i/Φ_i)(x) dx,   F = ∏_j Φ_j,
// for all i in one pass: what Thompson sampling plays given everything but the scores' own noise.
//
// Eight Gauss–Legendre nodes in each of a few panels, cut at μ_j ± {1, 3, 6} s_j, so that a score
// that is well known among others that are not is met by panels of its own width: errors are below
// 1e-6 for deviations that differ by factors up to 1,000. Normals that win less than once in 10¹²
// are left out first. Σq is a check: where it is not 1 within 1e-3 the panels are halved.
// O(K log K + panels · K).
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <vector>

namespace bandolier {

class WinProbability {
 public:
  // q ≥ 0 sums to 1; it is 0 where `available` is (empty: all are). A mean that is not a number
  // never wins; where none is one, all available are alike. Deviations of 0 are allowed; ties are
  // shared. Allocates only where K grows.
  void compute(std::span<const float> mean, std::span<const float> deviation,
               std::span<const std::uint8_t> available, std::span<double> q);

 private:
  using Nodes = Eigen::Array<float, 8, 1>;
  struct Normal {
    std::size_t index;
    double mean, deviation;
    double q;
    Nodes hazard;  // φ/Φ at the nodes of the panel at hand
  };
  struct Cut {
    double x, deviation;  // of the normal that it belongs to
  };

  void keep_contenders(std::span<const float> mean, std::span<const float> deviation,
                       std::span<const std::uint8_t> available);
  void cut();
  void integrate(int splits);
  float add_panel(double from, double to);  // and returns the largest weight · F there

  std::vector<Normal> normals_;
  std::vector<Cut> cuts_;
};

}  // namespace bandolier
