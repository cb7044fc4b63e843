// A network behind an encoding: predicts the rewards of all actions, differentiates one.
#pragma once

#include <memory>

#include "bandolier/model/encoding.h"
#include "bandolier/nn/network.h"

namespace bandolier {

// The caller's scratch for one decision at a time.
template <class T>
struct ModelWorkspace {
  EncodedInputs encoded;
  Matrix<T> inputs;  // one row an input
  Workspace<T> network;
  Vector<T> rewards;  // one an action
};

class RewardModel {
 public:
  // Throws Error where network and encoding do not fit (lenet5 on outer inputs).
  RewardModel(std::string_view model, Encoding encoding, const ProblemShape& shape);

  const Network& network() const { return network_; }
  const Encoder& encoder() const { return encoder_; }
  Index parameters() const { return network_.parameters(); }

  // Rewards of all actions: context.actions values, in work.rewards.
  template <class T>
  const Vector<T>& predict(const ConstVectorRef<T>& parameters, const Context& context,
                           ModelWorkspace<T>& work) const;

  // The reward of one action and its gradient with respect to all parameters.
  template <class T>
  T gradient(const ConstVectorRef<T>& parameters, const Context& context, Index action,
             ModelWorkspace<T>& work, VectorRef<T> gradient) const;

 private:
  Encoder encoder_;
  Network network_;
};

}  // namespace bandolier
