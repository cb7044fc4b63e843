#include "bandolier/subspace/warm_up_training.h"

#include <utility>

namespace bandolier {

WarmUpTraining train_on_warm_up(const Encoder& encoder, const Network& network,
                                std::span<const Experience> experience,
                                const TrainingOptions& options, Index thinning,
                                Vector<float> initial, Random& random) {
  const auto rows = static_cast<Index>(experience.size());
  Matrix<float> inputs(rows, encoder.inputs());
  std::vector<Index> outputs;
  std::vector<float> targets;
  for (Index i = 0; i < rows; ++i) {
    const Experience& one = experience[static_cast<std::size_t>(i)];
    encoder.encode_dense(one.context, one.action,
                         VectorMap<float>(inputs.row(i).data(), inputs.cols()));
    outputs.push_back(encoder.output_of(one.action));
    targets.push_back(one.reward);
  }

  WarmUpTraining training;
  training.parameters = std::move(initial);
  const Index batch = options.batch_size > 0 ? std::min<Index>(options.batch_size, rows) : rows;
  const Index steps = options.epochs * ((rows + batch - 1) / batch);
  if (thinning > 0) training.iterates.resize(steps / thinning, network.parameters());
  Index kept = 0;
  Optimiser optimiser(options, network.parameters());
  training.result =
      train(network, {inputs, outputs, targets}, options, optimiser, training.parameters, random,
            [&](std::int64_t step, const Vector<float>& parameters) {
              if (thinning == 0 || step % thinning != 0) return;
              if (kept == training.iterates.rows()) return;
              training.iterates.row(kept++) = parameters.transpose();
            });
  training.iterates.conservativeResize(kept, Eigen::NoChange);
  return training;
}

}  // namespace bandolier
