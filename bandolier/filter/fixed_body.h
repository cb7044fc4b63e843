// The layers before the last at weights that nobody learns: features of a context that are found
// once per decision, whichever filters ask for them.
#pragma once

#include <memory>

#include "bandolier/model/encoding.h"
#include "bandolier/nn/network.h"
#include "bandolier/subspace/subspace.h"

namespace bandolier {

class FixedBody {
 public:
  // `body` is a network without its last layer. Features: its stages from `first_stage` on.
  FixedBody(const Encoder& encoder, Network body, Vector<float> parameters,
            std::size_t first_stage);

  std::unique_ptr<BoundScratch> make_scratch() const;

  // Features of all inputs of a context: one row per input of `out`, in its first columns. Of
  // sparse inputs to a dense first layer the non-zeros alone are read.
  void features(const Context& context, BoundScratch& scratch, MatrixRef<float> out) const;
  const EncodedInputs& inputs(const BoundScratch& scratch) const;

 private:
  Encoder encoder_;
  Network body_;
  Vector<float> parameters_;
  std::size_t first_stage_;
  Matrix<float> by_input_;  // inputs × units of a dense first layer: column by column of W
};

}  // namespace bandolier
