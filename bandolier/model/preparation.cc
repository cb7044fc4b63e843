#include "bandolier/model/preparation.h"

namespace bandolier {

void Preparation::start(std::span<const Experience> experience, const ProblemShape& shape) {
  if (options_.soft_clip) clip_.start(experience);
  if (!options_.centre_image) return;
  // The mean of images as they will be when it is subtracted.
  std::vector<ContextBuffer> memory(experience.size());
  std::vector<Experience> seen(experience.begin(), experience.end());
  for (std::size_t i = 0; options_.soft_clip && i < seen.size(); ++i) {
    seen[i].context = clip_.apply(seen[i].context, memory[i]);
  }
  mean_image_.start(seen, shape);
}

Context Preparation::apply(const Context& context, bool convolutional,
                           PreparedContext& memory) const {
  Context prepared = options_.soft_clip ? clip_.apply(context, memory.clipped) : context;
  if (options_.centre_image && !convolutional) {
    prepared = mean_image_.apply(prepared, memory.centred);
  }
  return prepared;
}

void Preparation::save(ArchiveWriter& out) const {
  if (options_.soft_clip) clip_.save(out);
  if (options_.centre_image) mean_image_.save(out);
}

void Preparation::load(const ArchiveReader& in, const ProblemShape& shape) {
  if (options_.soft_clip) clip_.load(in);
  if (options_.centre_image) mean_image_.load(in, shape);
}

}  // namespace bandolier
