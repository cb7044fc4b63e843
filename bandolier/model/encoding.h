// How a context and an action become a network's input (section 3.2 of the paper):
//   multi-head  x = s               one output per action
//   concat      x = (s, a)          one output, one input per action
//   outer       x = vec(a sᵀ)       the same; for one-hot a, s in the action's block
//   interact    x = (a, s, vec(a sᵀ))   one output: both, and how they act together
// where a is the action's features, or one-hot of its id where it has none. Products beyond 4,096
// share as many inputs: which one, and its sign, is a hash of the product (Weinberger et al. 2009).
#pragma once

#include <vector>

#include "bandolier/core/random.h"
#include "bandolier/core/words.h"
#include "bandolier/model/context.h"

namespace bandolier {

enum class Encoding { kMultiHead, kConcat, kOuter, kInteract };
inline Words words_of(Encoding) {
  static constexpr std::string_view kWords[] = {"multi-head", "concat", "outer", "interact"};
  return kWords;
}

// A sparse vector that owns its memory and is reused: value non-zero; index ascending but for
// hashed products, of which two may also meet (their values add up).
struct SparseVector {
  std::vector<std::int32_t> indices;
  std::vector<float> values;
  void clear() {
    indices.clear();
    values.clear();
  }
  void push(Index index, float value) {
    indices.push_back(static_cast<std::int32_t>(index));
    values.push_back(value);
  }
  Index nonzeros() const { return static_cast<Index>(indices.size()); }
};

// The inputs of one decision: input i is shared + own[i]. multi-head: one input, own empty.
// concat: shared = s, own = a. outer: shared empty. interact: shared = s, own = the rest.
struct EncodedInputs {
  Index count = 0;
  SparseVector shared;
  std::vector<SparseVector> own;  // `count` of them are in use (none for multi-head)
};

class Encoder {
 public:
  // Throws Error where the encoding cannot serve the shape (multi-head on a changing action set).
  Encoder(Encoding encoding, const ProblemShape& shape);

  Encoding encoding() const { return encoding_; }
  const ProblemShape& shape() const { return shape_; }
  Index inputs() const;   // size of a network's input
  Index outputs() const;  // actions (multi-head) or 1

  // Which of the inputs and which output predicts `action`.
  Index input_of(Index action) const { return encoding_ == Encoding::kMultiHead ? 0 : action; }
  Index output_of(Index action) const { return encoding_ == Encoding::kMultiHead ? action : 0; }

  // All inputs of a decision; zeros are skipped. O(features + non-zeros).
  void encode(const Context& context, EncodedInputs& out) const;
  // The input that predicts one action, dense (size inputs()).
  void encode_dense(const Context& context, Index action, VectorRef<float> out) const;

  // The part of an input that can be non-zero: an action's block of s for outer inputs of actions
  // without features, the whole input otherwise (block 0). Input = block_of() blocks of zeros, the
  // block, zeros.
  Index block_size() const;
  Index blocks() const { return inputs() / block_size(); }
  Index block_of(const Context& context, Index action) const;
  void encode_block(const Context& context, Index action, VectorRef<float> out) const;

 private:
  template <class Visit>
  void encode_own(const Context& context, Index action, Visit&& visit) const;
  // Calls visit(index, value) for the products of a and s, counted from `first` on.
  template <class Visit>
  void encode_products(const Context& context, Index action, Index first, Visit&& visit) const;
  Index width() const;         // of a
  Index first_shared() const;  // the input of s's first feature
  Index products() const;      // inputs of the products of interact

  Encoding encoding_;
  ProblemShape shape_;
};

}  // namespace bandolier
