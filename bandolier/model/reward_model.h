// A network behind an encoding: predicts the rewards of all actions, differentiates one.
#pragma once

#include <string_view>

#include "bandolier/core/archive.h"
#include "bandolier/model/encoding.h"
#include "bandolier/nn/network.h"

namespace bandolier {

// The caller's scratch for one decision at a time.
template <class T>
struct ModelScratch {
  EncodedInputs encoded;
  NetworkScratch<T> network;  // of all inputs of the decision, one per row
  NetworkScratch<T> single;   // of one input, for its gradient
  Vector<float> input;        // one input, dense
  Vector<T> values;           // of a sparse vector, in T
  Vector<T> rewards;          // one per action
  Vector<T> gradient;         // of one reward, for block_gradient
};

class RewardModel {
 public:
  // Throws Error where network and encoding do not fit (lenet5 on outer inputs).
  RewardModel(std::string_view model, Encoding encoding, const ProblemShape& shape);

  const Network& network() const { return network_; }
  const Encoder& encoder() const { return encoder_; }
  Index parameters() const { return network_.parameters(); }

  // Rewards of all actions: context.actions values, in work.rewards. What the inputs share enters a
  // dense first layer once, and of sparse inputs the non-zeros alone:
  // O(hidden·(non-zeros of s + Σ non-zeros of a)) for concat, O(hidden·Σ non-zeros) for outer.
  template <class T>
  const Vector<T>& predict(const ConstVectorRef<T>& parameters, const Context& context,
                           ModelScratch<T>& work) const;

  // The reward of one action and its gradient with respect to all parameters.
  template <class T>
  T gradient(const ConstVectorRef<T>& parameters, const Context& context, Index action,
             ModelScratch<T>& work, VectorRef<T> gradient) const;

  // The same without the zeros that an input of blocks (Encoder::blocks() > 1) leaves in the first
  // layer's gradient: `head` is ∂/∂ the columns of W that see the action's block
  // (hidden × block_size, block_head() values), `tail` ∂/∂ all parameters after W (block_tail()
  // values). With one block `head` is empty and `tail` the whole gradient.
  // O(block_head() + block_tail()).
  Index block_head() const;
  Index block_tail() const;
  template <class T>
  T block_gradient(const ConstVectorRef<T>& parameters, const Context& context, Index action,
                   ModelScratch<T>& work, VectorRef<T> head, VectorRef<T> tail) const;

 private:
  // W x + b of a dense first layer for all inputs, into work.network.activations[1].
  template <class T>
  void first_layer(const Dense& dense, const T* parameters, ModelScratch<T>& work) const;

  Encoder encoder_;
  Network network_;
};

// The network's number of parameters, saved beside a belief in a subspace, whose own size is the
// same for every network. check_size throws Error where the saved network had another number.
void save_size(const RewardModel& model, ArchiveWriter& out);
void check_size(const RewardModel& model, const ArchiveReader& in);

}  // namespace bandolier
