#include "bandolier/subspace/rank_one_batch.h"

#include "bandolier/subspace/layered_model.h"

namespace bandolier {
namespace {

// out = H V + v_b.
template <class T>
void load(const typename RankOneBasis<T>::Factors& f, const ConstMatrixRef<T>& h, Matrix<T>& out) {
  out.resize(h.rows(), f.v.cols());
  out.rowwise() = f.v.row(f.shape.in);
  out.noalias() += h * f.v.topRows(f.shape.in);
}

// out = H W*ᵀ + b*.
template <class T>
void apply_offset(const AffineLayer& shape, const Vector<T>& offset, const ConstMatrixRef<T>& h,
                  Matrix<T>& out) {
  const ConstMatrixMap<T> weights(offset.data() + shape.offset, shape.out, shape.in);
  out.resize(h.rows(), shape.out);
  out.rowwise() = offset.segment(shape.offset + weights.size(), shape.out).transpose();
  out.noalias() += h * weights.transpose();
}

}  // namespace

template <class T>
void bind_rank_one_batch(const Encoder& encoder, const Matrix<T>& first_weights,
                         const Vector<T>& offset, const RankOneBasis<T>& basis,
                         std::span<const Context> contexts, RankOneBatch<T>& work) {
  const auto rows = static_cast<Index>(contexts.size());
  const auto& [shape, u, v] = basis.layers().front();
  work.first_loading = v.row(shape.in).replicate(rows, 1);
  work.first_base = offset.segment(shape.in * shape.out, shape.out).transpose().replicate(rows, 1);
  for (Index i = 0; i < rows; ++i) {
    encoder.encode(contexts[static_cast<std::size_t>(i)], work.encoded);
    const SparseVector& x = work.encoded.shared;
    add_rows(v.data(), v.cols(), x, work.first_loading.row(i).data());
    add_rows(first_weights.data(), shape.out, x, work.first_base.row(i).data());
  }
}

template <class T>
void predict_rank_one_batch(const Network& network, const Vector<T>& offset,
                            const RankOneBasis<T>& basis, const ConstMatrixRef<T>& z,
                            RankOneBatch<T>& work, MatrixRef<T> outputs) {
  const Index rows = work.first_base.rows();
  work.activations.resize(network.layers().size());
  auto factors = basis.layers().begin();
  Vector<T> none;
  for (std::size_t l = 0; l < network.layers().size(); ++l) {
    const Layer& layer = network.layers()[l];
    Matrix<T>& y = work.activations[l];
    if (layer.parameters == 0) {
      y.resize(rows, layer.outputs);
      layer_forward<T>(layer, nullptr, work.activations[l - 1], none, y);
      continue;
    }
    if (l == 0) {
      work.loading = work.first_loading;
      y = work.first_base;
    } else {
      load<T>(*factors, work.activations[l - 1], work.loading);
      apply_offset<T>(factors->shape, offset, work.activations[l - 1], y);
    }
    if (z.rows() == 1) {
      work.loading.array().rowwise() *= z.row(0).array();
    } else {
      work.loading.array() *= z.array();
    }
    y.noalias() += work.loading * factors->u.transpose();
    ++factors;
  }
  outputs = work.activations.back();
}

#define BANDOLIER_INSTANTIATE(T)                                                                 \
  template void bind_rank_one_batch(const Encoder&, const Matrix<T>&, const Vector<T>&,          \
                                    const RankOneBasis<T>&, std::span<const Context>,            \
                                    RankOneBatch<T>&);                                           \
  template void predict_rank_one_batch(const Network&, const Vector<T>&, const RankOneBasis<T>&, \
                                       const ConstMatrixRef<T>&, RankOneBatch<T>&, MatrixRef<T>);
BANDOLIER_INSTANTIATE(float)
BANDOLIER_INSTANTIATE(double)
#undef BANDOLIER_INSTANTIATE

}  // namespace bandolier
