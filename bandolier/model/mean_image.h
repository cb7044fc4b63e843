// Images minus the mean image of the warm-up. Pixels are not centred, and their common part would
// be most of what a unit of the first layer sees. For networks that take pixels as plain features;
// a convolution's padding means "nothing there" and needs 0 to mean the same.
#pragma once

#include "bandolier/core/archive.h"
#include "bandolier/model/context.h"

namespace bandolier {

class MeanImage {
 public:
  // Over the pulls' contexts; nothing is subtracted where there are none, or no images.
  void start(std::span<const Experience> experience, const ProblemShape& shape);

  // The context with its features, dense, minus the mean: in `memory`.
  Context apply(const Context& context, ContextBuffer& memory) const;

  void save(ArchiveWriter& out) const;
  void load(const ArchiveReader& in, const ProblemShape& shape);

 private:
  Vector<float> mean_;  // empty: nothing is subtracted
};

}  // namespace bandolier
