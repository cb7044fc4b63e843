#include "bandolier/subspace/rank_one_basis.h"

namespace bandolier {

template <class T>
RankOneBasis<T>::RankOneBasis(const Network& network, Index dim, const StreamKey& key)
    : key_(key), parameters_(network.parameters()), dim_(dim) {
  const Random random(key);
  Vector<T> squared_norm = Vector<T>::Zero(dim);
  for (const AffineLayer& shape : affine_layers(network)) {
    const auto place = static_cast<std::uint32_t>(shape.layer);
    Factors factors{shape, Matrix<T>(shape.out, dim), Matrix<T>(shape.in + 1, dim)};
    random.fork(2 * place).fill_normal(VectorMap<T>(factors.u.data(), factors.u.size()));
    random.fork(2 * place + 1).fill_normal(VectorMap<T>(factors.v.data(), factors.v.size()));
    squared_norm +=
        (factors.u.colwise().squaredNorm().array() * factors.v.colwise().squaredNorm().array())
            .matrix()
            .transpose();
    layers_.push_back(std::move(factors));
  }
  const Vector<T> scale = squared_norm.cwiseSqrt().cwiseInverse();
  for (Factors& factors : layers_) factors.u.array().rowwise() *= scale.transpose().array();
}

template <class T>
void RankOneBasis<T>::add_image(const ConstVectorRef<T>& z, Vector<T>& scratch,
                                VectorRef<T> theta) const {
  scratch.resize(dim_);
  for (const Factors& f : layers_) {
    MatrixMap<T> weights(theta.data() + f.shape.offset, f.shape.out, f.shape.in);
    VectorMap<T> biases(theta.data() + f.shape.offset + f.shape.in * f.shape.out, f.shape.out);
    for (Index o = 0; o < f.shape.out; ++o) {
      scratch = z.cwiseProduct(f.u.row(o).transpose());
      weights.row(o).transpose().noalias() += f.v.topRows(f.shape.in) * scratch;
      biases[o] += f.v.row(f.shape.in).dot(scratch);
    }
  }
}

template <class T>
void RankOneBasis<T>::project(const ConstVectorRef<T>& g, Vector<T>& scratch,
                              VectorRef<T> out) const {
  scratch.resize(dim_);
  out.setZero();
  for (const Factors& f : layers_) {
    const ConstMatrixMap<T> weights(g.data() + f.shape.offset, f.shape.out, f.shape.in);
    const ConstVectorMap<T> biases(g.data() + f.shape.offset + f.shape.in * f.shape.out,
                                   f.shape.out);
    for (Index o = 0; o < f.shape.out; ++o) {
      scratch.noalias() = f.v.topRows(f.shape.in).transpose() * weights.row(o).transpose();
      scratch += biases[o] * f.v.row(f.shape.in).transpose();
      out += scratch.cwiseProduct(f.u.row(o).transpose());
    }
  }
}

template <class T>
std::size_t RankOneBasis<T>::bytes() const {
  std::size_t values = 0;
  for (const Factors& f : layers_) values += static_cast<std::size_t>(f.u.size() + f.v.size());
  return sizeof(T) * values;
}

template class RankOneBasis<float>;
template class RankOneBasis<double>;

}  // namespace bandolier
