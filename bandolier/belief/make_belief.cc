#include "bandolier/belief/make_belief.h"

#include <array>

#include "bandolier/belief/gaussian_block.h"
#include "bandolier/belief/gaussian_diagonal.h"
#include "bandolier/belief/gaussian_full.h"
#include "bandolier/belief/gaussian_split.h"
#include "bandolier/belief/low_rank.h"

namespace bandolier {

Words words_of(BeliefKind) {
  static constexpr std::array<std::string_view, 5> kWords = {"full", "diag", "block", "low-rank",
                                                             "split"};
  return kWords;
}

Index full_part(BeliefKind kind, Index dim) {
  constexpr Index kMostFull = 1024, kFirst = 512;
  if (kind == BeliefKind::kFull) return dim;
  return kind != BeliefKind::kSplit ? 0 : dim <= kMostFull ? dim : kFirst;
}

template <class T>
std::unique_ptr<Belief<T>> make_belief(const BeliefOptions& options, const ConstVectorRef<T>& mean,
                                       const ConstVectorRef<T>& variances) {
  switch (options.kind) {
    case BeliefKind::kFull:
      return std::make_unique<GaussianFull<T>>(mean, variances);
    case BeliefKind::kDiagonal:
      return std::make_unique<GaussianDiagonal<T>>(mean, variances);
    case BeliefKind::kBlock:
      return std::make_unique<GaussianBlock<T>>(mean, variances, options.blocks);
    case BeliefKind::kSplit: {
      const Index full = full_part(options.kind, mean.size());
      if (full == mean.size()) return std::make_unique<GaussianFull<T>>(mean, variances);
      return std::make_unique<GaussianSplit<T>>(mean, variances, full);
    }
    case BeliefKind::kLowRank:
      break;
  }
  return std::make_unique<LowRank<T>>(mean, variances, options.rank);
}

double belief_bytes_needed(const BeliefOptions& options, Index dim) {
  switch (options.kind) {
    case BeliefKind::kFull:
      return GaussianFull<float>::bytes_needed(dim);
    case BeliefKind::kDiagonal:
      return GaussianDiagonal<float>::bytes_needed(dim);
    case BeliefKind::kBlock:
      return GaussianBlock<float>::bytes_needed(options.blocks);
    case BeliefKind::kSplit: {
      const Index full = full_part(options.kind, dim);
      return full == dim ? GaussianFull<float>::bytes_needed(dim)
                         : GaussianSplit<float>::bytes_needed(dim, full);
    }
    case BeliefKind::kLowRank:
      break;
  }
  return LowRank<float>::bytes_needed(dim, options.rank);
}

template std::unique_ptr<Belief<float>> make_belief(const BeliefOptions&,
                                                    const ConstVectorRef<float>&,
                                                    const ConstVectorRef<float>&);
template std::unique_ptr<Belief<double>> make_belief(const BeliefOptions&,
                                                     const ConstVectorRef<double>&,
                                                     const ConstVectorRef<double>&);

}  // namespace bandolier
