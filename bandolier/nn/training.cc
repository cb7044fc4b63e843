#include "bandolier/nn/training.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "bandolier/core/stop.h"

namespace bandolier {
namespace {

using BlockMap = Eigen::Map<Matrix<float>, 0, Eigen::OuterStride<>>;
using ConstBlockMap = Eigen::Map<const Matrix<float>, 0, Eigen::OuterStride<>>;

// One batch at a time of a training set, through the network and back.
class Batches {
 public:
  Batches(const Network& network, const TrainingSet& data, TrainingScratch& work)
      : network_(network), data_(data), work_(work) {
    work.gradient.resize(network.parameters());
    work.network.activations.resize(network.layers().size() + 1);
  }

  // Gathers rows `order`; those of blocks are put in order of their block.
  void gather(std::span<Index> order) {
    order_ = order;
    const bool blocks = !data_.blocks.empty();
    if (blocks) {
      std::sort(order.begin(), order.end(),
                [&](Index a, Index b) { return std::pair(block(a), a) < std::pair(block(b), b); });
    }
    Matrix<float>& inputs = blocks ? work_.inputs : work_.network.activations[0];
    inputs.resize(static_cast<Index>(order.size()), data_.inputs.cols());
    for (std::size_t i = 0; i < order.size(); ++i) {
      if (i + 2 < order.size()) prefetch(order[i + 2]);
      inputs.row(static_cast<Index>(i)) = data_.inputs.row(order[i]);
    }
  }

  // ½ Σ error² over the batch; its gradient over the number of rows goes to work.gradient.
  double loss(const ConstVectorRef<float>& parameters) {
    const Matrix<float>& outputs = forward(parameters);
    work_.slope.setZero(outputs.rows(), outputs.cols());
    double sum = 0;
    for (std::size_t i = 0; i < order_.size(); ++i) {
      const auto row = static_cast<std::size_t>(order_[i]);
      const auto at = static_cast<Index>(i);
      const float error = outputs(at, data_.outputs[row]) - data_.targets[row];
      work_.slope(at, data_.outputs[row]) = error / static_cast<float>(order_.size());
      sum += 0.5 * static_cast<double>(error) * static_cast<double>(error);
    }
    backward(parameters);
    return sum;
  }

 private:
  // Rows in no order are not foreseen by the processor.
  void prefetch(Index row) const {
    const float* values = data_.inputs.row(row).data();
    for (Index k = 0; k < data_.inputs.cols(); k += 16) __builtin_prefetch(values + k);
  }

  Index block(Index row) const { return data_.blocks[static_cast<std::size_t>(row)]; }

  // Calls visit(block, first row, number of rows) for each run of rows of one block.
  template <class Visit>
  void for_runs(Visit&& visit) const {
    for (std::size_t begin = 0, end = 0; begin < order_.size(); begin = end) {
      while (end < order_.size() && block(order_[end]) == block(order_[begin])) ++end;
      visit(block(order_[begin]), static_cast<Index>(begin), static_cast<Index>(end - begin));
    }
  }

  const Matrix<float>& forward(const ConstVectorRef<float>& parameters) {
    NetworkScratch<float>& network = work_.network;
    if (data_.blocks.empty()) return network_.forward_from<float>(0, parameters, network);
    const auto& dense = std::get<Dense>(network_.layers()[0].kind);
    const ConstVectorMap<float> bias(parameters.data() + dense.out * dense.in, dense.out);
    const Index width = data_.inputs.cols();
    Matrix<float>& y = network.activations[1];
    y.resize(work_.inputs.rows(), dense.out);
    y.rowwise() = bias.transpose();
    for_runs([&](Index b, Index first, Index count) {
      const ConstBlockMap weights(parameters.data() + b * width, dense.out, width,
                                  Eigen::OuterStride<>(dense.in));
      y.middleRows(first, count).noalias() +=
          work_.inputs.middleRows(first, count) * weights.transpose();
    });
    return network_.forward_from<float>(1, parameters, network);
  }

  void backward(const ConstVectorRef<float>& parameters) {
    if (data_.blocks.empty()) {
      network_.backward<float>(parameters, work_.slope, work_.network, work_.gradient);
      return;
    }
    const auto& dense = std::get<Dense>(network_.layers()[0].kind);
    work_.gradient.head(dense.parameters()).setZero();
    const auto delta =
        network_.layers().size() == 1
            ? MatrixMap<float>(work_.slope.data(), work_.slope.rows(), work_.slope.cols())
            : network_.backward_to<float>(1, parameters, work_.slope, work_.network,
                                          work_.gradient);
    const Index width = data_.inputs.cols();
    for_runs([&](Index b, Index first, Index count) {
      BlockMap(work_.gradient.data() + b * width, dense.out, width, Eigen::OuterStride<>(dense.in))
          .noalias() =
          delta.middleRows(first, count).transpose() * work_.inputs.middleRows(first, count);
    });
    work_.gradient.segment(dense.out * dense.in, dense.out) = delta.colwise().sum().transpose();
  }

  const Network& network_;
  const TrainingSet& data_;
  TrainingScratch& work_;
  std::span<Index> order_;
};

}  // namespace

const OptionTable<TrainingOptions>& training_options() {
  static const OptionTable<TrainingOptions> table = [] {
    OptionTable<TrainingOptions> rows = {
        {"epochs", &TrainingOptions::epochs, "passes over the data in one training", at_least(1)},
        {"batch_size", &TrainingOptions::batch_size, "rows of a gradient; 0: all", non_negative()},
        {"max_steps", &TrainingOptions::max_steps, "steps of one training at most; 0: no limit",
         non_negative()},
        {"stop_loss", &TrainingOptions::stop_loss,
         "a training ends when the mean loss of an epoch is at most this", non_negative()}};
    return rows.include(optimiser_options());
  }();
  return table;
}

TrainingResult train(const Network& network, const TrainingSet& data,
                     const TrainingOptions& options, Optimiser& optimiser,
                     VectorRef<float> parameters, Random& random, TrainingScratch& work,
                     const AfterStep& after_step) {
  TrainingResult result;
  const auto rows = static_cast<std::size_t>(data.size());
  if (rows == 0) return result;
  const auto batch =
      options.batch_size == 0 ? rows : std::min(rows, static_cast<std::size_t>(options.batch_size));
  const auto max_steps =
      options.max_steps == 0 ? std::numeric_limits<std::int64_t>::max() : options.max_steps;
  Batches batches(network, data, work);
  work.order.resize(rows);
  const auto in_order = [&] { std::iota(work.order.begin(), work.order.end(), Index{0}); };
  in_order();
  if (batch == rows) batches.gather(work.order);

  double lowest = std::numeric_limits<double>::infinity();
  work.good = parameters;
  const auto diverge = [&] {
    parameters = work.good;
    result.diverged = true;
    return result;
  };
  for (std::int64_t epoch = 0; epoch < options.epochs && result.steps < max_steps; ++epoch) {
    work.start = parameters;
    if (batch < rows) {
      in_order();  // gather has sorted the batches
      shuffle(work.order, random);
    }
    double loss = 0;
    std::size_t seen = 0;
    while (seen < rows && result.steps < max_steps) {
      throw_if_stopped();
      const std::size_t count = std::min(batch, rows - seen);
      if (batch < rows) batches.gather(std::span(work.order).subspan(seen, count));
      loss += batches.loss(parameters);
      // ‖gradient‖² in single precision: optimisers keep squares.
      if (!std::isfinite(loss) || !std::isfinite(work.gradient.squaredNorm())) return diverge();
      seen += count;
      optimiser.step(parameters, work.gradient);
      ++result.steps;
      if (after_step) after_step(result.steps, parameters);
    }
    loss /= static_cast<double>(seen);
    result.loss = loss;
    if (loss <= options.stop_loss) break;
    if (loss < lowest) {
      lowest = loss;
      work.good.swap(work.start);
    }
  }
  return parameters.allFinite() ? result : diverge();
}

TrainingResult train(const Network& network, const TrainingSet& data,
                     const TrainingOptions& options, Optimiser& optimiser,
                     VectorRef<float> parameters, Random& random, const AfterStep& after_step) {
  TrainingScratch work;
  return train(network, data, options, optimiser, parameters, random, work, after_step);
}

}  // namespace bandolier
