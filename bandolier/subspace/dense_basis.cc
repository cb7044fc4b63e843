#include "bandolier/subspace/dense_basis.h"

#include <utility>

#include "bandolier/linalg/huge_pages.h"

namespace bandolier {

template <class T>
DenseBasis<T>::DenseBasis(Matrix<T> columns) : columns_(std::move(columns)) {}

template <class T>
DenseBasis<T> DenseBasis<T>::gaussian(Index parameters, Index dim, const StreamKey& key) {
  const Random random(key);
  Matrix<T> columns(parameters, dim);
  prefer_huge_pages(columns.data(), sizeof(T) * static_cast<std::size_t>(columns.size()));
  for (Index i = 0; i < parameters; ++i) {
    Random row = random.fork(static_cast<std::uint32_t>(i));
    row.fill_normal(VectorMap<T>(columns.row(i).data(), dim));
  }
  normalise_columns(columns);
  DenseBasis basis(std::move(columns));
  basis.key_ = key;
  return basis;
}

template <class T>
void DenseBasis<T>::add_image(const ConstVectorRef<T>& z, Vector<T>& /*scratch*/,
                              VectorRef<T> theta) const {
  theta.noalias() += columns_ * z;
}

template <class T>
void DenseBasis<T>::project(const ConstVectorRef<T>& g, Vector<T>& /*scratch*/,
                            VectorRef<T> out) const {
  out.noalias() = columns_.transpose() * g;
}

template <class T>
void DenseBasis<T>::save(ArchiveWriter& out) const {
  if (key_) {
    save_key(*key_, out);
  } else {
    out.write("columns", ConstMatrixRef<T>(columns_));
  }
}

template <class T>
void normalise_columns(Matrix<T>& columns) {
  const Vector<T> norms = columns.colwise().norm().transpose();
  for (Index i = 0; i < columns.rows(); ++i) {
    columns.row(i).array() /= norms.transpose().array();
  }
}

template class DenseBasis<float>;
template class DenseBasis<double>;
template void normalise_columns(Matrix<float>&);
template void normalise_columns(Matrix<double>&);

}  // namespace bandolier
