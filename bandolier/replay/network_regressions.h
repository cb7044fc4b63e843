// Bayesian linear heads on a trained network's last hidden features φ(s): for each action a
// normal-inverse-gamma regression of its rewards on x = (φ(s), 1), the 1 standing for the output's
// bias. Refitted in batch when the features change (Algorithm 3 of the paper), by rank-one updates
// in between.
#pragma once

#include <span>
#include <vector>

#include "bandolier/belief/normal_inverse_gamma.h"
#include "bandolier/core/note.h"
#include "bandolier/nn/training.h"

namespace bandolier {

// The prior of one head: w | σ² ~ N(mean, σ² precision⁻¹), σ² ~ IG(noise).
struct RegressionPrior {
  Vector<double> mean;
  Matrix<double> precision;
  InverseGamma noise;
};

// What rewards say of one head: Φ = Σ x xᵀ (its lower half), ψ = Σ x y, R² = Σ y², N.
struct RegressionStatistics {
  Matrix<double> gram;
  Vector<double> moment;
  double squares = 0;
  double count = 0;

  void clear(Index dim);
  // X: rows × dim.
  void add(const ConstMatrixRef<double>& X, const ConstVectorRef<double>& y);
};

// update-bel of the paper with its slip mended (b needs Σ⁻¹, not Σ):
//   Σ = (Σ₀⁻¹ + Φ)⁻¹ = SSᵀ,  μ = Σ(Σ₀⁻¹μ₀ + ψ),  a = a₀ + N/2,
//   b = b₀ + ½(R² + μ₀ᵀΣ₀⁻¹μ₀ − μᵀΣ⁻¹μ).
// With Σ⁻¹ = LLᵀ and y = L⁻¹(Σ₀⁻¹μ₀ + ψ): S = L⁻ᵀ, μ = Sy, μᵀΣ⁻¹μ = yᵀy. O(dim³).
struct RegressionPosterior {
  Vector<double> mean;
  Matrix<double> root;
  InverseGamma noise;

  // False where features or rewards are too large for a finite answer.
  bool compute(const RegressionPrior& prior, const RegressionStatistics& statistics);

 private:
  Matrix<double> precision_;
  Vector<double> y_;
};

class NetworkRegressions {
 public:
  struct Scratch {
    NetworkScratch<float> network;
    std::vector<Index> order;  // of the rows, by action
    std::size_t next = 0;      // the first of them that gather has not seen
    Matrix<double> x;          // features of a few rows
    Vector<double> y;          // and their rewards
    RegressionStatistics statistics;
    RegressionPosterior posterior;
    Vector<float> mean;  // of the posterior, and its root
    Matrix<float> root;
    BeliefScratch<float> update;
  };

  // Prior N(0, σ²/λ), IG(noise). Throws Error for a network without a hidden layer.
  NetworkRegressions(const Network& network, double lambda, const InverseGamma& noise);

  Index dim() const { return dim_; }
  const RegressionPrior& prior() const { return prior_; }

  // All heads at the prior, with this noise.
  void start(const InverseGamma& noise);
  // Rewards are in another unit (NormalInverseGamma::rescale), where the prior's noise is `noise`.
  void rescale(double factor, const InverseGamma& noise);
  std::span<const NormalInverseGamma<float>> all() const { return regressions_; }

  // x of one row of a forward pass.
  void features(const NetworkScratch<float>& pass, Index row, Vector<float>& x) const;
  // x of the first rows of a forward pass, one per row.
  void features(const NetworkScratch<float>& pass, MatrixRef<double> x) const;

  // One more reward of `action` at x. O(dim²).
  void update(Index action, const Vector<float>& x, float reward, Scratch& scratch);

  // All heads anew from the prior and the stored rows, features as these parameters make them.
  // O(rows·(forward + dim²) + actions·dim³).
  void refit(const Network& network, const ConstVectorRef<float>& parameters,
             const TrainingSet& rows, Scratch& work);

  // What the stored rows say of each action, for posteriors that are computed elsewhere: `begin`
  // once, then `gather` for action 0, 1, ... leaves them in work.statistics.
  void begin(const Network& network, const TrainingSet& rows, Scratch& work) const;
  void gather(const Network& network, const ConstVectorRef<float>& parameters,
              const TrainingSet& rows, Index action, Scratch& work) const;
  // Such a posterior: w | σ² ~ N(mean, σ² root·rootᵀ), σ² ~ IG(noise).
  void assign(Index action, const Vector<double>& mean, const Matrix<double>& root,
              const InverseGamma& noise, Scratch& work);
  // Of the covariance alone; the mean and the noise stay.
  void assign_root(Index action, const Matrix<double>& root, Scratch& work);
  void refuse() { ++refused_; }

  void add_notes(std::vector<Note>& notes) const;
  std::size_t bytes() const;
  void save(ArchiveWriter& out) const;
  // `noise`: of the prior, in the unit that rewards were seen in.
  void load(const ArchiveReader& in, const InverseGamma& noise);

 private:
  NormalInverseGamma<float> prior_head() const;

  std::size_t stage_;  // of the features among the activations
  Index dim_;
  RegressionPrior prior_;
  std::vector<NormalInverseGamma<float>> regressions_;  // one per action
  std::int64_t refused_ = 0;  // updates that would have made a head non-finite
};

}  // namespace bandolier
