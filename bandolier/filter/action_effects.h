// What an action's own id has taught, beside what its features say: y = f(x, a) + b_id + noise,
// with b_id ~ N(0, v₀) before its first reward. One scalar belief per id, independent of all other
// parameters, so that a step is the exact marginal of the joint update: with v the effect's
// variance, q' that of everything else and s = 1 + V(v + q'),
//   b ← b + v l/s,   v ← v (1 + Vq')/s.
// In constant memory: 4,096 ids in sets of 8, a set by a hash of the id. An id without a place is
// where all began; a new one takes the place of that of its set which has gone longest without a
// reward. O(8) per id; forgetting goes through all places.
#pragma once

#include <cstdint>
#include <vector>

#include "bandolier/belief/belief.h"
#include "bandolier/core/copy_on_write.h"

namespace bandolier {

template <class T>
class ActionEffects {
 public:
  struct Effect {
    T mean = 0, variance = 0;
  };

  explicit ActionEffects(T prior_variance);

  Effect of(std::int64_t id) const;
  void correct(std::int64_t id, const Observation<T>& observation, T q_others);

  void reset();  // no id has taught anything
  void scale_means(T factor);
  void forget(T gamma);  // towards the prior, as a belief does
  void add_process_noise(T q);

  // Ids that have a place.
  Index count() const;

  std::size_t bytes() const { return bytes_needed(); }
  static std::size_t bytes_needed();
  void save(ArchiveWriter& out) const;
  void load(const ArchiveReader& in);

 private:
  struct Table {
    std::vector<std::int64_t> ids, used;  // used: when last, counted in rewards; 0: free
    Vector<T> means, variances;
  };
  std::size_t find(std::int64_t id) const;  // its place, or that of none
  std::size_t claim(std::int64_t id);       // its place, made if need be

  T prior_;
  std::int64_t clock_ = 0;
  CopyOnWrite<Table> table_;
};

}  // namespace bandolier
