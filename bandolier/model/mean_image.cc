#include "bandolier/model/mean_image.h"

namespace bandolier {
namespace {

void add(const Features& features, VectorRef<float> out) {
  for (std::size_t i = 0; i < features.values.size(); ++i) {
    out[features.sparse() ? Index{features.indices[i]} : static_cast<Index>(i)] +=
        features.values[i];
  }
}

}  // namespace

void MeanImage::start(std::span<const Experience> experience, const ProblemShape& shape) {
  mean_.resize(0);
  if (shape.image.size() == 0 || experience.empty()) return;
  mean_.setZero(shape.features);
  for (const Experience& one : experience) add(one.context.features, mean_);
  mean_ /= static_cast<float>(experience.size());
}

Context MeanImage::apply(const Context& context, ContextBuffer& memory) const {
  if (mean_.size() == 0) return context;
  memory.values.resize(static_cast<std::size_t>(mean_.size()));
  VectorMap<float> centred(memory.values.data(), mean_.size());
  centred = -mean_;
  add(context.features, centred);
  Context result = context;
  result.features = Features::dense(memory.values);
  return result;
}

void MeanImage::save(ArchiveWriter& out) const {
  if (mean_.size() > 0) out.write("mean", mean_);
}

void MeanImage::load(const ArchiveReader& in, const ProblemShape& shape) {
  mean_.resize(in.has("mean") ? shape.features : 0);
  if (mean_.size() > 0) in.read_into("mean", mean_);
}

}  // namespace bandolier
