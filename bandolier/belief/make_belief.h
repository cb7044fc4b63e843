// Every kind of Gaussian belief by its word. A new kind is one file pair and one line here and in
// make_belief.cc, and serves every filter.
#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "bandolier/belief/belief.h"
#include "bandolier/core/words.h"

namespace bandolier {

// split: full up to 1,024 parameters; of more, full for the first 512 and diagonal for the rest.
enum class BeliefKind { kFull, kDiagonal, kBlock, kLowRank, kSplit };
Words words_of(BeliefKind);  // full, diag, block, low-rank, split

struct BeliefOptions {
  BeliefKind kind = BeliefKind::kFull;
  Index rank = 10;            // low-rank: directions of the precision beside its diagonal
  std::vector<Index> blocks;  // block: the blocks' dimensions, in order
};

// N(mean, diag(variances)) at first.
template <class T>
std::unique_ptr<Belief<T>> make_belief(const BeliefOptions& options, const ConstVectorRef<T>& mean,
                                       const ConstVectorRef<T>& variances);

template <class T>
std::unique_ptr<Belief<T>> make_belief(const BeliefOptions& options, const ConstVectorRef<T>& mean,
                                       T variance) {
  const Vector<T> variances = Vector<T>::Constant(mean.size(), variance);
  return make_belief<T>(options, mean, ConstVectorRef<T>(variances));
}

// Parameters whose covariance is kept in full by a kind that does so for the first ones, of `dim`.
Index full_part(BeliefKind kind, Index dim);

// What a belief in float about so many parameters takes, in bytes.
double belief_bytes_needed(const BeliefOptions& options, Index dim);

}  // namespace bandolier
