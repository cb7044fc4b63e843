#include "bandolier/filter/prior_scale.h"

namespace bandolier {
namespace {

constexpr int kMadeUp = 32;

// Calls visit(context, action) for made-up contexts.
template <class Visit>
void make_up(const ProblemShape& shape, Random random, Visit&& visit) {
  Vector<float> features(shape.features), of_actions(shape.actions * shape.action_features);
  for (int i = 0; i < kMadeUp; ++i) {
    random.fill_normal(features);
    random.fill_normal(of_actions);
    Context context;
    context.features =
        Features::dense({features.data(), static_cast<std::size_t>(features.size())});
    context.actions = shape.actions;
    context.action_features = {of_actions.data(), static_cast<std::size_t>(of_actions.size())};
    visit(context, static_cast<Index>(random.below(static_cast<std::uint64_t>(shape.actions))));
  }
}

}  // namespace

double mean_squared_gradient(const Predictor& predictor, std::span<const Experience> experience,
                             Random random, double hidden_variance) {
  const ParameterLayout& layout = predictor.layout();
  PredictorScratch scratch = predictor.make_scratch();
  const Vector<float> z = Vector<float>::Zero(layout.body);
  Vector<float> gradient = z, phi(layout.features), w(layout.features);
  double sum = 0;
  const auto add = [&](const Context& context, Index action) {
    if (layout.heads > 0) w = predictor.head_means().row(predictor.head_of(action)).transpose();
    predictor.bind(context, scratch);
    predictor.linearise_at(z, w, action, scratch, gradient, phi);
    sum += static_cast<double>(gradient.squaredNorm() + phi.squaredNorm());
    sum -= (1 - hidden_variance) * static_cast<double>(phi.head(layout.hidden).squaredNorm());
  };
  if (experience.empty()) {
    make_up(predictor.encoder().shape(), random, add);
    return sum / kMadeUp;
  }
  for (const Experience& one : experience) add(one.context, one.action);
  return sum / static_cast<double>(experience.size());
}

double mean_squared_weight(const Predictor& predictor) {
  const SubspaceModel<float>* model = predictor.batch_model();
  if (model == nullptr) return 0;
  return static_cast<double>(model->offset().squaredNorm()) /
         static_cast<double>(model->parameters());
}

}  // namespace bandolier
