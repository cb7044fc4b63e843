// A low-dimensional affine subspace of a network's parameters: θ(z) = θ* + A z, A: D × d with
// columns of norm 1. Immutable once made.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "bandolier/core/archive.h"
#include "bandolier/core/types.h"
#include "bandolier/model/reward_model.h"

namespace bandolier {

// Memory and partial results for one model bound to one context; owned by the caller.
class BoundWorkspace {
 public:
  virtual ~BoundWorkspace() = default;
};

// A reward model seen through a subspace: rewards as functions of z. This is all that a filter
// needs to know about networks. Implementations differ in how they exploit the basis (dense with
// the context contracted, rank-one, structured, identity), not in what they compute.
template <class T>
class SubspaceModel {
 public:
  virtual ~SubspaceModel() = default;

  virtual Index dim() const = 0;         // d
  virtual Index parameters() const = 0;  // D
  virtual std::unique_ptr<BoundWorkspace> make_workspace() const = 0;

  // Everything about a context that does not depend on z, once per decision.
  virtual void bind(const Context& context, BoundWorkspace& work) const = 0;

  // After bind: rewards of all actions at θ(z) into `rewards` (context.actions values).
  virtual void predict(const ConstVectorRef<T>& z, BoundWorkspace& work,
                       VectorRef<T> rewards) const = 0;

  // After bind: the reward of one action at θ(z), and its gradient with respect to z.
  virtual T linearise(const ConstVectorRef<T>& z, Index action, BoundWorkspace& work,
                      VectorRef<T> gradient) const = 0;

  virtual std::size_t bytes() const = 0;  // of offset and basis (never written by learning)
  virtual void save(ArchiveWriter& out) const = 0;
};

}  // namespace bandolier
