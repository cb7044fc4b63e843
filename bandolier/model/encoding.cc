#include "bandolier/model/encoding.h"

#include <algorithm>

#include "bandolier/core/error.h"
#include "bandolier/model/name_hash.h"

namespace bandolier {
namespace {

constexpr Index kMostProducts = 4096;

// Calls visit(index, value) for every non-zero, indices ascending.
template <class Visit>
void for_nonzeros(const Features& features, Visit&& visit) {
  const bool sparse = features.sparse();
  for (std::size_t i = 0; i < features.values.size(); ++i) {
    const float value = features.values[i];
    if (value != 0) visit(sparse ? Index{features.indices[i]} : static_cast<Index>(i), value);
  }
}

Index one_hot(const ProblemShape& shape, const Context& context, Index action) {
  const std::int64_t id = context.action_id(action);
  if (id < 0 || id >= shape.actions) {
    fail(
        "action id {} has no features: expected 0 to {} (one input per action), or action features",
        id, shape.actions - 1);
  }
  return static_cast<Index>(id);
}

// The same for an action: its features, or one-hot of its identity.
template <class Visit>
void for_action_nonzeros(const ProblemShape& shape, const Context& context, Index action,
                         Visit&& visit) {
  if (shape.action_features > 0) {
    const auto width = static_cast<std::size_t>(shape.action_features);
    for_nonzeros(Features::dense(context.action_features.subspan(
                     static_cast<std::size_t>(action) * width, width)),
                 visit);
    return;
  }
  visit(one_hot(shape, context, action), 1.0f);
}

}  // namespace

Encoder::Encoder(Encoding encoding, const ProblemShape& shape)
    : encoding_(encoding), shape_(shape) {
  check(shape);
  if (encoding == Encoding::kMultiHead && !shape.fixed_actions) {
    fail(
        "encoding=multi-head has one output per action and cannot serve actions that change from "
        "step to step: use auto or linear, or encoding=interact, concat or outer where there is "
        "that "
        "option");
  }
}

Index Encoder::width() const {
  return shape_.action_features > 0 ? shape_.action_features : shape_.actions;
}

Index Encoder::products() const { return std::min(shape_.features * width(), kMostProducts); }

Index Encoder::first_shared() const { return encoding_ == Encoding::kInteract ? width() : 0; }

Index Encoder::inputs() const {
  switch (encoding_) {
    case Encoding::kMultiHead:
      return shape_.features;
    case Encoding::kConcat:
      return shape_.features + width();
    case Encoding::kOuter:
      return shape_.features * width();
    case Encoding::kInteract:
      return width() + shape_.features + products();
  }
  return 0;
}

Index Encoder::outputs() const { return encoding_ == Encoding::kMultiHead ? shape_.actions : 1; }

void Encoder::encode(const Context& context, EncodedInputs& out) const {
  out.shared.clear();
  if (encoding_ != Encoding::kOuter) {
    const Index first = first_shared();
    for_nonzeros(context.features,
                 [&](Index i, float value) { out.shared.push(first + i, value); });
  }
  if (encoding_ == Encoding::kMultiHead) {
    out.count = 1;
    return;
  }
  out.count = context.actions;
  if (out.own.size() < static_cast<std::size_t>(out.count)) {
    out.own.resize(static_cast<std::size_t>(out.count));
  }
  for (Index action = 0; action < out.count; ++action) {
    SparseVector& own = out.own[static_cast<std::size_t>(action)];
    own.clear();
    encode_own(context, action, [&](Index i, float value) { own.push(i, value); });
  }
}

void Encoder::encode_dense(const Context& context, Index action, VectorRef<float> out) const {
  out.setZero();
  if (encoding_ != Encoding::kOuter) {
    const Index first = first_shared();
    for_nonzeros(context.features, [&](Index i, float value) { out[first + i] = value; });
  }
  encode_own(context, action, [&](Index i, float value) { out[i] += value; });
}

Index Encoder::block_size() const {
  return encoding_ == Encoding::kOuter && shape_.action_features == 0 ? shape_.features : inputs();
}

Index Encoder::block_of(const Context& context, Index action) const {
  return block_size() == inputs() ? 0 : one_hot(shape_, context, action);
}

void Encoder::encode_block(const Context& context, Index action, VectorRef<float> out) const {
  if (block_size() == inputs()) {
    encode_dense(context, action, out);
    return;
  }
  out.setZero();
  for_nonzeros(context.features, [&](Index i, float value) { out[i] = value; });
}

template <class Visit>
void Encoder::encode_products(const Context& context, Index action, Index first,
                              Visit&& visit) const {
  const bool hashed = encoding_ == Encoding::kInteract && shape_.features * width() > kMostProducts;
  for_action_nonzeros(shape_, context, action, [&](Index j, float weight) {
    for_nonzeros(context.features, [&](Index i, float value) {
      const Index product = j * shape_.features + i;
      if (!hashed) {
        visit(first + product, weight * value);
        return;
      }
      const std::uint64_t hash = mixed_bits(static_cast<std::uint64_t>(product));
      const auto slot = static_cast<Index>(hash % static_cast<std::uint64_t>(kMostProducts));
      visit(first + slot, hash >> 63 != 0 ? -weight * value : weight * value);
    });
  });
}

// What input `action` does not share with the others.
template <class Visit>
void Encoder::encode_own(const Context& context, Index action, Visit&& visit) const {
  switch (encoding_) {
    case Encoding::kMultiHead:
      return;
    case Encoding::kOuter:
      encode_products(context, action, 0, visit);
      return;
    case Encoding::kConcat:
    case Encoding::kInteract:
      break;
  }
  const bool concat = encoding_ == Encoding::kConcat;
  for_action_nonzeros(shape_, context, action, [&](Index j, float weight) {
    visit(concat ? shape_.features + j : j, weight);
  });
  if (!concat) encode_products(context, action, width() + shape_.features, visit);
}

}  // namespace bandolier
