// Features of images that are learnt from images alone, no reward needed: how much of each of a few
// filters there is in each part of an image (Coates and Ng 2012, "Learning feature representations
// with k-means").
//
//   patches     all 6 × 6 windows, less their mean, over √(variance + 0.1 of the mean variance);
//               whitened (ZCA, 0.1 of the mean eigenvalue added)
//   filters     centres d_k of a spherical k-means over them, in 15 rounds
//   features    √(mean over a cell of relu(d_kᵀp − 0.7 r_k)) for 4 × 4 cells, r_k the root mean
//               square of d_kᵀp, less their mean over the images learnt from
// Images of more than 40 pixels a side are averaged down first. O(positions·36·channels·filters)
// per image, one matrix product.
#pragma once

#include <optional>

#include "bandolier/core/archive.h"
#include "bandolier/core/random.h"
#include "bandolier/model/context.h"

namespace bandolier {

// A caller's memory.
struct PatchScratch {
  Vector<float> image;        // dense, averaged down
  Matrix<float> windows;      // positions × window
  Matrix<float> responses;    // positions × filters
  Vector<float> scale;        // per position
  std::vector<float> values;  // the features
};

class PatchFeatures {
 public:
  // From the contexts' images; nothing where they are too few (fewer than 10), too small (3 × 3) or
  // all alike.
  static std::optional<PatchFeatures> learn(std::span<const Experience> experience,
                                            const ProblemShape& shape, Index filters,
                                            const Random& random);

  // What whoever learns from the features sees; the same before there are any.
  const ProblemShape& shape() const { return shape_; }
  static ProblemShape shape_of(const ProblemShape& given, Index filters);

  // The context with these features for its image, in `memory`.
  Context apply(const Context& context, PatchScratch& memory) const;

  void save(ArchiveWriter& out) const;
  static PatchFeatures load(const ArchiveReader& in, const ProblemShape& shape);

 private:
  PatchFeatures(const ProblemShape& shape, Index filters);

  // The windows of a context's image, one per row, and their scale.
  void unroll(const Context& context, PatchScratch& memory) const;
  // The features of the image that was unrolled last, before their mean is taken off.
  void respond(PatchScratch& memory) const;

  ImageShape given_, image_;  // as it comes, and averaged down by `factor_`
  Index factor_ = 1, side_ = 0;
  ProblemShape shape_;
  float flat_ = 0;            // what is added to a window's variance
  Matrix<float> filters_;     // window × filters: of windows as they are, over their scale
  Vector<float> thresholds_;  // per filter
  Vector<float> mean_;        // of the features
};

}  // namespace bandolier
