#include "bandolier/filter/fixed_body.h"

#include "bandolier/nn/layers.h"
#include "bandolier/subspace/layered_model.h"

namespace bandolier {
namespace {

struct FixedScratch final : BoundScratch {
  EncodedInputs encoded;
  std::vector<Matrix<float>> activations;  // [0]: the input; [l + 1]: output of layer l. Grow only
  Vector<float> buffer;                    // of convolutions
};

}  // namespace

FixedBody::FixedBody(const Encoder& encoder, Network body, Vector<float> parameters,
                     std::size_t first_stage)
    : encoder_(encoder),
      body_(std::move(body)),
      parameters_(std::move(parameters)),
      first_stage_(first_stage) {
  if (const auto* dense = std::get_if<Dense>(&body_.layers().front().kind)) {
    by_input_ = ConstMatrixMap<float>(parameters_.data(), dense->out, dense->in).transpose();
  }
}

std::unique_ptr<BoundScratch> FixedBody::make_scratch() const {
  auto scratch = std::make_unique<FixedScratch>();
  scratch->activations.resize(body_.layers().size() + 1);
  return scratch;
}

const EncodedInputs& FixedBody::inputs(const BoundScratch& scratch) const {
  return static_cast<const FixedScratch&>(scratch).encoded;
}

void FixedBody::features(const Context& context, BoundScratch& bound, MatrixRef<float> out) const {
  auto& [encoded, activations, buffer] = static_cast<FixedScratch&>(bound);
  encoder_.encode(context, encoded);
  const Index rows = encoded.count;
  const bool own = encoder_.encoding() != Encoding::kMultiHead;
  const auto grow = [rows](Matrix<float>& matrix, Index columns) {
    if (matrix.rows() < rows) matrix.setZero(rows, columns);
  };
  const auto& layers = body_.layers();
  for (std::size_t l = 0; l < layers.size(); ++l) grow(activations[l + 1], layers[l].outputs);
  std::size_t first = 0;
  if (by_input_.size() > 0) {
    Matrix<float>& y = activations[1];
    const auto add = [this](const SparseVector& x, float* to) {
      add_rows(by_input_.data(), by_input_.cols(), x, to);
    };
    y.row(0) = parameters_.segment(by_input_.size(), by_input_.cols()).transpose();
    add(encoded.shared, y.data());
    for (Index i = rows; i-- > 0;) {
      if (i > 0) y.row(i) = y.row(0);
      if (own) add(encoded.own[static_cast<std::size_t>(i)], y.row(i).data());
    }
    first = 1;
  } else {
    grow(activations[0], body_.inputs());
    for (Index i = 0; i < rows; ++i) {
      encoder_.encode_dense(context, i,
                            VectorMap<float>(activations[0].row(i).data(), body_.inputs()));
    }
  }
  for (std::size_t l = first; l < layers.size(); ++l) {
    layer_forward<float>(layers[l], parameters_.data() + layers[l].offset,
                         activations[l].topRows(rows), buffer, activations[l + 1].topRows(rows));
  }
  Index column = 0;
  for (std::size_t s = first_stage_; s < body_.stages().size(); ++s) {
    const auto& stage = activations[static_cast<std::size_t>(body_.stages()[s])];
    out.block(0, column, rows, stage.cols()) = stage.topRows(rows);
    column += stage.cols();
  }
}

}  // namespace bandolier
