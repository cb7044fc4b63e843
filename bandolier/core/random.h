// Randomness as an argument. A stream is Philox4x32-10 (Salmon et al., SC'11; Random123) keyed by
// the seed; its 128-bit counter is (block, step, trial, purpose), so that every draw of every step
// of every trial is addressable, independent of the order in which threads reach it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "bandolier/core/types.h"

namespace bandolier {

// What a stream is for: two purposes never share numbers. Values are part of saved models and of
// published results: append, never renumber.
enum class Purpose : std::uint32_t {
  kShuffle = 0,      // order of an environment's rows
  kContext = 1,      // generated contexts
  kReward = 2,       // reward noise
  kEnvironment = 3,  // an environment's hidden parameters
  kWarmUp = 4,       // an agent's warm-up: initial weights, basis, training
  kChoose = 5,       // an agent's decisions
  kObserve = 6,      // an agent's learning
  kTest = 7,
};

// The address of a stream: everything but the block counter.
struct StreamKey {
  std::uint64_t seed = 0;
  Purpose purpose = Purpose::kTest;
  std::uint32_t trial = 0;
  std::uint32_t step = 0;
};

namespace internal {
// Philox4x32-10 of a counter under a key, both little-endian in 32-bit words.
std::array<std::uint32_t, 4> philox(const std::array<std::uint32_t, 4>& counter, std::uint64_t key);
}  // namespace internal

class Random {
 public:
  using result_type = std::uint32_t;

  explicit Random(const StreamKey& key);

  // UniformRandomBitGenerator.
  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return 0xffffffffu; }
  result_type operator()();

  std::uint64_t bits64();
  double uniform();                      // [0, 1), 53 bits
  std::uint64_t below(std::uint64_t n);  // 0 .. n-1, unbiased (Lemire 2019); n > 0
  double normal();                       // Box–Muller, one of the pair per call
  double gamma(double shape);            // scale 1; Marsaglia and Tsang 2000; finite shape > 0
  double inverse_gamma(double a, double b) { return b / gamma(a); }

  // Standard normals, many at once: Box–Muller on whole blocks, vectorised, at single precision for
  // both (the same numbers). Starts at a fresh block; a shorter fill is the beginning of a longer
  // one, and the memory's alignment does not matter.
  void fill_normal(VectorRef<float> out);
  void fill_normal(VectorRef<double> out);

  // A stream for a part of this one's job (a layer, a member, an action): independent of this and
  // of other forks, and of how much has been drawn. fork(i) is the same for the same key and i.
  Random fork(std::uint32_t index) const;

  // The key alone re-creates the stream from its beginning.
  const StreamKey& key() const { return key_; }

 private:
  std::array<std::uint32_t, 4> next_block();
  template <class T>
  void fill(VectorRef<T> out);

  StreamKey key_;
  std::uint64_t philox_key_;
  std::uint32_t block_ = 0;
  std::array<std::uint32_t, 4> buffer_{};
  int used_ = 4;
};

// Fisher–Yates. O(n).
template <class Container>
void shuffle(Container& items, Random& random) {
  using std::swap;
  for (std::uint64_t i = items.size(); i > 1; --i) swap(items[i - 1], items[random.below(i)]);
}

// The first `count` items become a random draw without replacement, the same whatever `count`
// (Fisher–Yates from the front). O(count).
template <class Container>
void shuffle_first(Container& items, std::size_t count, Random& random) {
  using std::swap;
  for (std::size_t i = 0; i < count; ++i) swap(items[i], items[i + random.below(items.size() - i)]);
}

}  // namespace bandolier
