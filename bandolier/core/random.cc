#include "bandolier/core/random.h"

#include <Random123/philox.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "bandolier/core/error.h"

namespace bandolier {
namespace internal {

std::array<std::uint32_t, 4> philox(const std::array<std::uint32_t, 4>& counter,
                                    std::uint64_t key) {
  using Philox = r123::Philox4x32;
  const Philox::ctr_type c = {{counter[0], counter[1], counter[2], counter[3]}};
  const Philox::key_type k = {
      {static_cast<std::uint32_t>(key), static_cast<std::uint32_t>(key >> 32)}};
  const Philox::ctr_type r = Philox{}(c, k);
  return {r[0], r[1], r[2], r[3]};
}

}  // namespace internal

namespace {

// (0, 1]: never 0, so that its logarithm is finite. The smallest, 2⁻³³, is a normal of 6.8.
float open_uniform(std::uint32_t bits) { return (static_cast<float>(bits) + 0.5f) * 0x1p-32f; }

}  // namespace

Random::Random(const StreamKey& key) : key_(key), philox_key_(key.seed) {}

Random Random::fork(std::uint32_t index) const {
  // Another Philox key, by Philox itself: the fork's numbers come from another permutation.
  const auto word = internal::philox(
      {index, key_.step, key_.trial, static_cast<std::uint32_t>(key_.purpose) | 0x80000000u},
      philox_key_);
  StreamKey key = key_;
  key.seed = (static_cast<std::uint64_t>(word[1]) << 32) | word[0];
  return Random(key);
}

std::array<std::uint32_t, 4> Random::next_block() {
  return internal::philox(
      {block_++, key_.step, key_.trial, static_cast<std::uint32_t>(key_.purpose)}, philox_key_);
}

Random::result_type Random::operator()() {
  if (used_ == 4) {
    buffer_ = next_block();
    used_ = 0;
  }
  return buffer_[static_cast<std::size_t>(used_++)];
}

std::uint64_t Random::bits64() {
  const std::uint64_t high = (*this)();
  return (high << 32) | (*this)();
}

double Random::uniform() { return static_cast<double>(bits64() >> 11) * 0x1p-53; }

std::uint64_t Random::below(std::uint64_t n) {
  __extension__ using Wide = unsigned __int128;
  Wide product = static_cast<Wide>(bits64()) * n;
  if (static_cast<std::uint64_t>(product) < n) {
    const std::uint64_t threshold = -n % n;
    while (static_cast<std::uint64_t>(product) < threshold) {
      product = static_cast<Wide>(bits64()) * n;
    }
  }
  return static_cast<std::uint64_t>(product >> 64);
}

double Random::normal() {
  const double radius = std::sqrt(-2 * std::log(1 - uniform()));
  return radius * std::cos(2 * std::numbers::pi * uniform());
}

double Random::gamma(double shape) {
  if (!(shape > 0 && std::isfinite(shape))) {
    fail("the shape of a gamma draw is {}: expected a finite number > 0", shape);
  }
  // Below 1: Γ(a) = Γ(a + 1)·U^(1/a).
  if (shape < 1) return gamma(shape + 1) * std::pow(1 - uniform(), 1 / shape);
  const double d = shape - 1.0 / 3;
  const double c = 1 / std::sqrt(9 * d);
  for (;;) {
    const double x = normal();
    const double root = 1 + c * x;
    if (root <= 0) continue;
    const double v = root * root * root;
    const double u = 1 - uniform();
    if (std::log(u) < 0.5 * x * x + d - d * v + d * std::log(v)) return d * v;
  }
}

// Four blocks make 8 uniforms for the radius and 8 for the angle: 16 normals. The arrays have a
// fixed size, so that every element takes the vectorised path: the scalar one rounds differently.
template <class T>
void Random::fill(VectorRef<T> out) {
  constexpr int kPairs = 8;
  used_ = 4;
  Eigen::Array<float, kPairs, 1> radius, angle;
  Eigen::Array<float, 2 * kPairs, 1> normals;
  for (Index start = 0; start < out.size(); start += 2 * kPairs) {
    for (int i = 0; i < kPairs; i += 2) {
      const auto block = next_block();
      radius[i] = open_uniform(block[0]);
      angle[i] = open_uniform(block[1]);
      radius[i + 1] = open_uniform(block[2]);
      angle[i + 1] = open_uniform(block[3]);
    }
    radius = (-2 * radius.log()).sqrt();
    angle *= 2 * std::numbers::pi_v<float>;
    normals.template head<kPairs>() = radius * angle.cos();
    normals.template tail<kPairs>() = radius * angle.sin();
    const Index count = std::min<Index>(2 * kPairs, out.size() - start);
    out.segment(start, count) = normals.head(count).matrix().template cast<T>();
  }
}

void Random::fill_normal(VectorRef<float> out) { fill<float>(out); }
void Random::fill_normal(VectorRef<double> out) { fill<double>(out); }

}  // namespace bandolier
