#include "bandolier/belief/low_rank.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "bandolier/linalg/cholesky.h"
#include "bandolier/linalg/jacobi.h"
#include "bandolier/linalg/kernels.h"

namespace bandolier {
namespace {

// Entries of each column of W that are worked on at once: small enough to stay near.
constexpr Index kBlock = 512;

Index checked_rank(Index rank, Index dim) {
  if (rank < 1) fail("rank is {}: expected at least 1", rank);
  return std::min(rank, dim);
}

// Columns that W has memory for.
Index room(Index rank) { return 2 * rank; }

template <class Work>
void for_blocks(Index size, Work&& work) {
  for (Index start = 0; start < size; start += kBlock) {
    work(start, std::min(kBlock, size - start));
  }
}

}  // namespace

template <class T>
LowRank<T>::LowRank(const ConstVectorRef<T>& mean, const ConstVectorRef<T>& variances, Index rank)
    : rank_(checked_rank(rank, mean.size())), mean_(mean) {
  check_size("the mean", mean.size(), variances.size());
  check_prior<T>(variances);
  const Index columns = room(rank_);
  prior_ = variances.cwiseInverse();
  diagonal_ = prior_;
  w_.write().setZero(columns, dim());
  root_.setZero(columns, columns);
  weights_.resize(dim());
  rotated_.resize(columns, kBlock);
  rotation_.resize(columns, columns);
  inner_.resize(columns, columns);
  gram_.resize(columns, columns);
  vectors_.resize(columns, columns);
  refresh();
}

template <class T>
LowRank<T>::LowRank(Index dim, T variance, Index rank)
    : LowRank(Vector<T>::Zero(dim), Vector<T>::Constant(dim, variance), rank) {}

template <class T>
void LowRank<T>::solve(VectorRef<T> k, double add) const {
  for (Index i = 0; i < used_; ++i) {
    auto rest = static_cast<double>(k[i]);
    for (Index j = 0; j < i; ++j)
      rest -= static_cast<double>(root_(i, j)) * static_cast<double>(k[j]);
    k[i] = static_cast<T>(rest / (static_cast<double>(root_(i, i)) + add));
  }
}

template <class T>
void LowRank<T>::solve_transposed(VectorRef<T> k) const {
  for (Index i = used_; i-- > 0;) {
    auto rest = static_cast<double>(k[i]);
    for (Index j = i + 1; j < used_; ++j)
      rest -= static_cast<double>(root_(j, i)) * static_cast<double>(k[j]);
    k[i] = static_cast<T>(rest / static_cast<double>(root_(i, i)));
  }
}

template <class T>
T LowRank<T>::variance(const ConstVectorRef<T>& g, Vector<T>& scratch) const {
  check_size("the gradient", g.size(), dim());
  const Index d = dim(), columns = room(rank_);
  scratch.resize(d + 2 * columns);
  auto pg = scratch.head(d);
  auto k = scratch.segment(d, columns), m = scratch.tail(columns);
  pg = scale_.cwiseAbs2().cwiseProduct(g);
  kernels<T>().dots(w_->data(), used_, d, pg.data(), k.data());
  solve(k);
  m = k;
  solve_transposed(m);
  kernels<T>().combine(w_->data(), used_, d, m.data(), pg.data());
  // The sums block by block: the error of a plain one grows with d.
  T q = m.head(used_).squaredNorm();
  for_blocks(d, [&](Index start, Index count) {
    const auto scale = scale_.segment(start, count).array();
    auto r = pg.segment(start, count).array();
    r = scale * (g.segment(start, count).array() - r);
    q += r.square().sum();
    r *= scale;
  });
  return q;
}

template <class T>
void LowRank<T>::apply_root(Vector<T>& f, VectorRef<T> out) const {
  const Index d = dim();
  auto k = f.tail(room(rank_));
  f.head(d).array() *= scale_.array();
  kernels<T>().dots(w_->data(), used_, d, f.data(), k.data());
  solve(k, 1);
  solve_transposed(k);
  kernels<T>().combine(w_->data(), used_, d, k.data(), out.data());
  out = f.head(d) - scale_.cwiseAbs2().cwiseProduct(out);
}

template <class T>
void LowRank<T>::sample(Random& random, T scale, Vector<T>& noise, VectorRef<T> out) const {
  check_size("the sample", out.size(), dim());
  noise.resize(dim() + room(rank_));
  random.fill_normal(noise.head(dim()));
  apply_root(noise, out);
  out = mean_ + scale * out;
}

template <class T>
T LowRank<T>::project(const ConstVectorRef<T>& g, BeliefScratch<T>& scratch) const {
  // A gradient whose square is not finite would make the precision infinite, whatever q is.
  scratch.q = std::isfinite(g.squaredNorm()) ? variance(g, scratch.projected)
                                             : std::numeric_limits<T>::infinity();
  return scratch.q;
}

template <class T>
void LowRank<T>::correct(const ConstVectorRef<T>& g, const Observation<T>& observation, T q_others,
                         BeliefScratch<T>& scratch) {
  const T alone = 1 + observation.curvature * q_others;
  const T v = observation.curvature / alone, l = observation.slope / alone;
  const T s = 1 + v * scratch.q;
  mean_ += (l / s) * scratch.projected.head(dim());
  if (v == 0) return;
  const T root = std::sqrt(v);
  w_.write().row(used_) = root * g.transpose();
  root_.row(used_).head(used_) = root * scratch.projected.segment(dim(), used_).transpose();
  root_(used_, used_) = std::sqrt(s);
  ++used_;
  if (used_ == w_->rows()) compress();
}

template <class T>
void LowRank<T>::compress() {
  Matrix<T>& w = w_.write();
  const Index columns = w.rows();
  gram_.setZero();
  for_blocks(dim(), [&](Index start, Index count) {
    const auto block = w.middleCols(start, count);
    rotation_.noalias() = block * block.transpose();
    gram_ += rotation_.template cast<double>();
  });
  jacobi_eigen(gram_, vectors_);
  // The largest first.
  for (Index i = 0; i < rank_; ++i) {
    Index largest = 0;
    gram_.diagonal().tail(columns - i).maxCoeff(&largest);
    std::swap(gram_(i, i), gram_(i + largest, i + largest));
    vectors_.col(i).swap(vectors_.col(i + largest));
  }
  rotation_ = vectors_.transpose().template cast<T>();
  for_blocks(dim(), [&](Index start, Index count) {
    auto rotated = rotated_.leftCols(count);
    rotated.noalias() = rotation_ * w.middleCols(start, count);
    w.block(0, start, rank_, count) = rotated.topRows(rank_);
    diagonal_.segment(start, count) +=
        rotated.bottomRows(columns - rank_).colwise().squaredNorm().transpose();
  });
  used_ = rank_;
  refresh();
}

template <class T>
void LowRank<T>::factorise(const ConstVectorRef<T>& weights) {
  auto product = rotation_.topLeftCorner(used_, used_);
  auto sum = inner_.topLeftCorner(used_, used_);
  sum.setIdentity();
  for_blocks(dim(), [&](Index start, Index count) {
    const auto rows = w_->block(0, start, used_, count);
    auto weighted = rotated_.topLeftCorner(used_, count);
    weighted = rows * weights.segment(start, count).asDiagonal();
    product.noalias() = rows * weighted.transpose();
    sum += product.template cast<double>();
  });
  factor_above_identity(inner_, used_);
  root_.topLeftCorner(used_, used_) = sum.template cast<T>();
}

template <class T>
void LowRank<T>::refresh() {
  scale_ = diagonal_.cwiseSqrt().cwiseInverse();
  weights_ = scale_.cwiseAbs2();
  factorise(weights_);
}

template <class T>
void LowRank<T>::add_process_noise(T q) {
  check_process_noise(q);
  if (q == 0) return;
  scale_ = (1 + q * diagonal_.array()).inverse();  // until refresh
  weights_ = q * scale_;
  factorise(weights_);
  diagonal_.array() *= scale_.array();
  Matrix<T>& w = w_.write();
  for_blocks(dim(), [&](Index start, Index count) {
    auto part = w.block(0, start, used_, count);
    part *= scale_.segment(start, count).asDiagonal();
    root_.topLeftCorner(used_, used_).template triangularView<Eigen::Lower>().solveInPlace(part);
  });
  refresh();
}

template <class T>
void LowRank<T>::forget(T gamma, BeliefScratch<T>& /*scratch*/) {
  check_forgetting(gamma);
  if (gamma == 1) return;
  diagonal_ = gamma * diagonal_ + (1 - gamma) * prior_;
  w_.write().topRows(used_) *= std::sqrt(gamma);
  refresh();
}

template <class T>
Matrix<T> LowRank<T>::covariance() const {
  Matrix<T> factor(dim(), dim());  // Fᵀ
  Vector<T> unit(dim() + room(rank_));
  for (Index i = 0; i < dim(); ++i) {
    unit.head(dim()) = Vector<T>::Unit(dim(), i);
    apply_root(unit, factor.row(i).transpose());
  }
  return factor.transpose() * factor;
}

template <class T>
Matrix<T> LowRank<T>::precision() const {
  Matrix<T> dense = used().transpose() * used();
  dense.diagonal() += diagonal_;
  return dense;
}

template <class T>
double LowRank<T>::bytes_needed(Index dim, Index rank) {
  const Index columns = room(checked_rank(rank, dim));
  const auto d = static_cast<double>(dim), l = static_cast<double>(columns);
  return (3 * d + d * l + l * l) * sizeof(T);
}

template <class T>
std::size_t LowRank<T>::bytes() const {
  const Index values = mean_.size() + diagonal_.size() + scale_.size() + w_->size() + root_.size();
  return static_cast<std::size_t>(values) * sizeof(T);
}

template <class T>
void LowRank<T>::reset(const ConstVectorRef<T>& mean) {
  check_size("the mean", mean.size(), dim());
  mean_ = mean;
  diagonal_ = prior_;
  used_ = 0;
  refresh();
}

template <class T>
std::unique_ptr<Belief<T>> LowRank<T>::clone() const {
  return std::make_unique<LowRank>(*this);
}

template class LowRank<float>;
template class LowRank<double>;

}  // namespace bandolier
