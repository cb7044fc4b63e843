// How a problem's features are prepared before a model sees them: softly clipped (soft_clip.h),
// and images, for networks without convolutions, minus their mean (mean_image.h). Set once, by the
// warm-up's contexts.
#pragma once

#include "bandolier/model/mean_image.h"
#include "bandolier/model/soft_clip.h"

namespace bandolier {

struct PreparationOptions {
  bool soft_clip = false;
  bool centre_image = false;
};

// A caller's memory for one prepared context.
struct PreparedContext {
  ContextBuffer clipped, centred;
};

class Preparation {
 public:
  explicit Preparation(const PreparationOptions& options) : options_(options) {}

  void start(std::span<const Experience> experience, const ProblemShape& shape);

  // The context as a network sees it, in `memory` where it differs.
  Context apply(const Context& context, bool convolutional, PreparedContext& memory) const;

  void save(ArchiveWriter& out) const;
  void load(const ArchiveReader& in, const ProblemShape& shape);

 private:
  PreparationOptions options_;
  SoftClip clip_;
  MeanImage mean_image_;
};

}  // namespace bandolier
