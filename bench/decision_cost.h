// Bytes and flops that one choose and one observe of subspace-ekf ask for: the stated limit that
// benchmarks are read against (docs/performance.md). Matrix-vector products read one matrix element
// for every multiply-add, so that bytes follow flops: 4 bytes for 2 flops, or 2 where a basis is
// stored in half precision. Bytes count wherever they come from, cache or memory; vectors of d
// values and the draw of d normals are left out. Of ReLU units half are taken to be at 0, and
// skipped where the models skip them.
#pragma once

#include <cmath>
#include <string_view>

#include "bandolier/subspace/basis.h"

namespace bandolier {

struct Cost {
  double flops = 0, bytes = 0;

  Cost& operator+=(const Cost& other) {
    flops += other.flops;
    bytes += other.bytes;
    return *this;
  }
  friend Cost operator*(double times, Cost one) { return {times * one.flops, times * one.bytes}; }
};

// n multiply-adds, each with one element of `size` bytes read for it.
inline Cost products(double n, double size = 4) { return {2 * n, size * n}; }

// The belief: S is read for a sample (d²), for f = Sᵀg (d²), and read and written for S − c(Sf)fᵀ.
inline Cost belief_choose_cost(double d) { return products(d * d); }
inline Cost belief_observe_cost(double d) {
  Cost cost = products(3 * d * d);
  cost.bytes = 12 * d * d;  // the update's two products share one read, and there is one write
  return cost;
}

class DecisionCost {
 public:
  // A network of `passes` evaluations in choose (the offset's, the sample's and the mean's) and one
  // with its gradient in observe; `nonzeros` of the inputs are not 0.
  DecisionCost(const Network& network, std::string_view basis, Index dim, Index nonzeros,
               double element)
      : network_(network),
        layers_(affine_layers(network)),
        basis_(basis),
        d_(static_cast<double>(dim)),
        nonzeros_(static_cast<double>(nonzeros)),
        element_(element) {}

  Cost choose(double passes = 3) const {
    Cost cost = belief_choose_cost(d_);
    cost += bind();
    cost += passes * forward(false);
    return cost;
  }
  Cost observe() const {
    Cost cost = belief_observe_cost(d_);
    cost += forward(true);
    cost += backward();
    return cost;
  }

 private:
  bool dense(const AffineLayer& layer) const {
    const auto& kind = network_.layers()[static_cast<std::size_t>(layer.layer)].kind;
    return std::holds_alternative<Dense>(kind);
  }
  bool all_dense() const { return dense(layers_.front()); }  // convolutions come first
  bool rank_one() const { return basis_ == "rank-one"; }
  bool contracted() const { return basis_ == "gaussian" && all_dense(); }

  // W* (or the formed W) times the layer's inputs; a convolution's kernel is used at every pixel
  // and stays in the cache.
  Cost own_product(const AffineLayer& layer) const {
    const double weights = static_cast<double>(layer.in) * static_cast<double>(layer.out);
    const Layer& place = network_.layers()[static_cast<std::size_t>(layer.layer)];
    if (dense(layer)) return products(weights);
    const double pixels = static_cast<double>(place.outputs) / static_cast<double>(layer.out);
    return {2 * pixels * weights, 4 * pixels * static_cast<double>(layer.in)};
  }

  Cost bind() const {
    const auto hidden = static_cast<double>(layers_.front().out);
    if (!all_dense() || !(rank_one() || contracted())) return {};
    Cost cost = products(nonzeros_ * hidden);
    cost += rank_one() ? products(nonzeros_ * d_) : products(nonzeros_ * hidden * d_, element_);
    return cost;
  }

  // θ(z) formed in full, by a basis that has no better way.
  Cost form() const {
    const auto parameters = static_cast<double>(network_.parameters());
    if (basis_ == "hadamard") {
      const double rounds = std::ceil(std::log2(parameters));
      return {rounds * std::exp2(rounds), 8 * rounds * std::exp2(rounds)};
    }
    return products(parameters * d_, element_);
  }

  Cost forward(bool one_output) const {
    Cost cost;
    if (!rank_one() && !contracted()) cost += form();
    for (std::size_t l = 0; l < layers_.size(); ++l) {
      const bool last = one_output && l + 1 == layers_.size();
      const auto in = static_cast<double>(layers_[l].in);
      const double out = last ? 1 : static_cast<double>(layers_[l].out);
      const bool bound = l == 0 && all_dense();
      if (contracted()) {
        cost += bound ? products(out * d_) : products((in + 1) * out * d_, element_);
      } else if (rank_one() && dense(layers_[l])) {
        cost += products((bound ? out : in / 2 + out) * d_);
      } else if (rank_one()) {  // a kernel formed: V read once, U kept
        cost += Cost{2 * in * out * d_, 4 * in * d_};
      }
      if (!bound)
        cost += (last ? 1 / static_cast<double>(layers_[l].out) : 1) * own_product(layers_[l]);
    }
    return cost;
  }

  Cost backward() const {
    Cost cost;
    if (!rank_one() && !contracted()) cost += form();
    for (std::size_t l = 0; l < layers_.size(); ++l) {
      const auto in = static_cast<double>(layers_[l].in);
      const double out = l + 1 == layers_.size() ? 1 : static_cast<double>(layers_[l].out) / 2;
      const bool bound = l == 0 && all_dense();
      if (contracted()) {
        cost += bound ? products(out * d_) : products((in / 2 + 1) * out * d_, element_);
      } else if (rank_one() && dense(layers_[l])) {
        cost += products((bound ? out : out + in / 2) * d_);
      } else if (rank_one()) {
        cost += Cost{4 * in * out * d_, 4 * in * d_};
      }
      if (!bound && dense(layers_[l])) cost += products(in * out);
      if (!dense(layers_[l])) cost += (l == 0 ? 1 : 2) * own_product(layers_[l]);
    }
    return cost;
  }

  const Network& network_;
  std::vector<AffineLayer> layers_;
  std::string_view basis_;
  double d_, nonzeros_, element_;
};

}  // namespace bandolier
