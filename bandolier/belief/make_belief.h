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

enum class BeliefKind { kFull, kDiagonal, kBlock, kLowRank };
Words words_of(BeliefKind);  // full, diag, block, low-rank

struct BeliefOptions {
  BeliefKind kind = BeliefKind::kFull;
  Index rank = 10;            // low-rank: directions of the precision beside its diagonal
  std::vector<Index> blocks;  // block: the blocks' dimensions, in order
};

// N(mean, variance·I) at first.
template <class T>
std::unique_ptr<Belief<T>> make_belief(const BeliefOptions& options, const ConstVectorRef<T>& mean,
                                       T variance);

// What a belief in float about so many parameters takes, in bytes.
double belief_bytes_needed(const BeliefOptions& options, Index dim);

}  // namespace bandolier
