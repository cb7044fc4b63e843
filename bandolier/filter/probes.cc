#include "bandolier/filter/probes.h"

namespace bandolier {

double mean_over_probes(const ProblemShape& shape, std::span<const Experience> experience,
                        Random random, const std::function<double(const Context&, Index)>& value) {
  double sum = 0;
  if (!experience.empty()) {
    for (const Experience& one : experience) sum += value(one.context, one.action);
    return sum / static_cast<double>(experience.size());
  }
  constexpr int kProbes = 32;
  Vector<float> features(shape.features), of_actions(shape.actions * shape.action_features);
  for (int i = 0; i < kProbes; ++i) {
    random.fill_normal(features);
    random.fill_normal(of_actions);
    Context context;
    context.features =
        Features::dense({features.data(), static_cast<std::size_t>(features.size())});
    context.actions = shape.actions;
    context.action_features = {of_actions.data(), static_cast<std::size_t>(of_actions.size())};
    sum +=
        value(context, static_cast<Index>(random.below(static_cast<std::uint64_t>(shape.actions))));
  }
  return sum / kProbes;
}

}  // namespace bandolier
