// Features clipped softly: what is within the knee c stays, what is beyond grows by its logarithm,
//   s(x) = sign(x) (c + ln(1 + |x| − c))      for |x| > c; slope 1 at the knee, one to one.
// A rare category of share p, standardised, is 1/√p where it holds: 30 for one row in a thousand.
// Left as it is, that one feature decides the variance of the context's prediction, which the model
// then learns and explores from few rows. The far tails of amounts do the same.
#pragma once

#include "bandolier/core/archive.h"
#include "bandolier/model/context.h"

namespace bandolier {

class SoftClip {
 public:
  // c = max(2, 2.5·mean |x|) over what is not 0 in the pulls' features: two standard deviations of
  // standardised features, more where features come in larger units.
  void start(std::span<const Experience> experience);

  float knee() const { return knee_; }
  float operator()(float x) const;
  void apply(std::span<float> values) const;

  // The context with its features clipped: in `memory`, or itself where nothing is beyond c.
  Context apply(const Context& context, ContextBuffer& memory) const;

  void save(ArchiveWriter& out) const;
  void load(const ArchiveReader& in);

 private:
  bool beyond(std::span<const float> values) const;

  float knee_ = 2;
};

}  // namespace bandolier
