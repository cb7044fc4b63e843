#include "bandolier/subspace/svd_basis.h"

#include <algorithm>

#include "bandolier/core/error.h"
#include "bandolier/linalg/huge_pages.h"
#include "bandolier/linalg/svd.h"

namespace bandolier {
namespace {

// Singular values below this share of the largest are round-off of float iterates.
constexpr float kRoundOff = 1e-5f;

// The randomised way, with its two power iterations, passes over the iterates six times for dim +
// 10 columns; the Gram matrix takes one pass for n.
bool randomised_is_cheaper(Index n, Index dim) { return 6 * (dim + 10) < n; }

}  // namespace

SvdBasis svd_basis(Matrix<float>& iterates, const SvdSize& size, const StreamKey& key) {
  const Index n = iterates.rows(), parameters = iterates.cols();
  if (n < 2) {
    fail(
        "basis=svd has {} iterates of warm-up training: expected at least 2; train for more epochs "
        "or keep more iterates",
        n);
  }
  if (size.dim > 0) check_dim(size.dim, parameters);
  const Eigen::RowVectorXf mean = iterates.colwise().mean();
  iterates.rowwise() -= mean;

  const Random random(key);
  Svd<float> svd;
  if (size.dim > 0 && randomised_is_cheaper(n, size.dim)) {
    Random sketch = random.fork(0);
    svd = randomised_svd<float>(iterates, size.dim, sketch);
  } else {
    svd = gram_svd<float>(iterates, std::min(n, parameters));
  }
  const Vector<double> variances = svd.values.cast<double>().array().square();
  Index rank = 0;
  while (rank < variances.size() && svd.values[rank] > kRoundOff * svd.values[0]) ++rank;
  const double total = iterates.cast<double>().squaredNorm();
  Index dim = size.dim;
  if (dim == 0) {
    double explained = 0;
    while (dim < rank && explained < size.share * total) explained += variances[dim++];
    dim = std::max<Index>(dim, 1);
  }

  SvdBasis made;
  made.found = std::min(dim, rank);
  made.variance_share = total > 0 ? variances.head(made.found).sum() / total : 0;
  Matrix<float> columns(parameters, dim);
  prefer_huge_pages(columns.data(), sizeof(float) * static_cast<std::size_t>(columns.size()));
  columns.leftCols(made.found) = svd.right.leftCols(made.found);
  if (made.found < dim) {
    columns.rightCols(dim - made.found) =
        DenseBasis<float>::gaussian(parameters, dim - made.found, random.fork(1).key()).columns();
  }
  made.basis = std::make_shared<DenseBasis<float>>(std::move(columns));
  return made;
}

}  // namespace bandolier
