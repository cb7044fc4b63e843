#include "bandolier/replay/minibatch.h"

#include <algorithm>

namespace bandolier {

void Minibatch::draw(const TrainingSet& stored, std::size_t count, Random& random) {
  order_.resize(count);
  for (Index& row : order_) {
    row = static_cast<Index>(random.below(static_cast<std::uint64_t>(stored.size())));
  }
  const auto output = [&](Index row) { return stored.outputs[static_cast<std::size_t>(row)]; };
  std::sort(order_.begin(), order_.end(), [&](Index one, Index other) {
    return std::pair(output(one), one) < std::pair(output(other), other);
  });
  inputs_.resize(static_cast<Index>(count), stored.inputs.cols());
  outputs_.resize(count);
  targets_.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    inputs_.row(static_cast<Index>(i)) = stored.inputs.row(order_[i]);
    outputs_[i] = output(order_[i]);
    targets_[i] = stored.targets[static_cast<std::size_t>(order_[i])];
  }
}

std::size_t Minibatch::end_of(std::size_t begin) const {
  std::size_t end = begin;
  while (end < outputs_.size() && outputs_[end] == outputs_[begin]) ++end;
  return end;
}

}  // namespace bandolier
