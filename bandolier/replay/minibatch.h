// A minibatch of stored rows, drawn with replacement and put in order of their outputs.
#pragma once

#include <vector>

#include "bandolier/core/random.h"
#include "bandolier/nn/training.h"

namespace bandolier {

class Minibatch {
 public:
  // `count` rows of whole inputs (TrainingSet::blocks empty); there must be one to draw. Allocates
  // only where `count` grows.
  void draw(const TrainingSet& stored, std::size_t count, Random& random);

  TrainingSet rows() const { return {inputs_, outputs_, targets_}; }
  // Where the rows of the same output as row `begin` end.
  std::size_t end_of(std::size_t begin) const;

 private:
  std::vector<Index> order_;
  Matrix<float> inputs_;
  std::vector<Index> outputs_;
  std::vector<float> targets_;
};

}  // namespace bandolier
