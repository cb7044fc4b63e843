#include "bandolier/belief/low_rank.h"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <limits>

#include "bandolier/linalg/jacobi.h"

namespace bandolier {
namespace {

// Rows of W that are worked on at once: small enough to stay in the first-level cache.
constexpr Index kBlock = 64;

Index checked_rank(Index rank, Index dim) {
  if (rank < 1) fail("rank is {}: expected at least 1", rank);
  return std::min(rank, dim);
}

template <class Work>
void for_blocks(Index rows, Work&& work) {
  for (Index start = 0; start < rows; start += kBlock) {
    work(start, std::min(kBlock, rows - start));
  }
}

}  // namespace

template <class T>
LowRank<T>::LowRank(const ConstVectorRef<T>& mean, const ConstVectorRef<T>& variances, Index rank)
    : mean_(mean) {
  check_size("the mean", mean.size(), variances.size());
  check_prior<T>(variances);
  const Index d = dim(), l = checked_rank(rank, d);
  prior_ = variances.cwiseInverse();
  diagonal_ = prior_;
  w_.write().setZero(d, l);
  column_.resize(d);
  rows_.resize(kBlock, l + 1);
  rotated_.resize(kBlock, l + 1);
  gram_.resize(l, l);
  gram_wide_.resize(l + 1, l + 1);
  refresh();
}

template <class T>
LowRank<T>::LowRank(Index dim, T variance, Index rank)
    : LowRank(Vector<T>::Zero(dim), Vector<T>::Constant(dim, variance), rank) {}

template <class T>
void LowRank<T>::shrink(Vector<T>& scratch) const {
  const Index d = dim(), l = rank();
  auto f = scratch.head(d);
  auto inner = scratch.segment(d, l), outer = scratch.tail(l);
  Eigen::Matrix<T, Eigen::Dynamic, 1, Eigen::ColMajor, kBlock, 1> part;  // on the stack
  inner.setZero();
  for_blocks(d, [&](Index start, Index count) {
    part = scale_.segment(start, count).cwiseProduct(f.segment(start, count));
    inner.noalias() += w_->middleRows(start, count).transpose() * part;
  });
  outer.noalias() = b_ * inner;
  for_blocks(d, [&](Index start, Index count) {
    part.resize(count);
    part.noalias() = w_->middleRows(start, count) * outer;
    f.segment(start, count) -= scale_.segment(start, count).cwiseProduct(part);
  });
}

template <class T>
void LowRank<T>::apply_root(const ConstVectorRef<T>& g, Vector<T>& scratch) const {
  scratch.resize(dim() + 2 * rank());
  scratch.head(dim()) = scale_.cwiseProduct(g);
  shrink(scratch);
}

template <class T>
T LowRank<T>::variance(const ConstVectorRef<T>& g, Vector<T>& scratch) const {
  check_size("the gradient", g.size(), dim());
  apply_root(g, scratch);
  return scratch.head(dim()).squaredNorm();
}

template <class T>
void LowRank<T>::sample(Random& random, T scale, Vector<T>& noise, VectorRef<T> out) const {
  check_size("the sample", out.size(), dim());
  noise.resize(dim() + 2 * rank());
  random.fill_normal(noise.head(dim()));
  shrink(noise);
  out = mean_ + scale * scale_.cwiseProduct(noise.head(dim()));
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
  // Pg = F Fᵀg.
  shrink(scratch.projected);
  mean_ += (l / (1 + v * scratch.q)) * scale_.cwiseProduct(scratch.projected.head(dim()));
  if (v > 0) {
    column_ = std::sqrt(v) * g;
    absorb(column_);
    refresh();
  }
}

template <class T>
void LowRank<T>::absorb(const ConstVectorRef<T>& column) {
  const Index l = rank();
  const auto load = [&](Index start, Index count) {
    rows_.topRows(count).leftCols(l) = w_->middleRows(start, count);
    rows_.topRows(count).col(l) = column.segment(start, count);
  };
  gram_wide_.setZero();
  for_blocks(dim(), [&](Index start, Index count) {
    load(start, count);
    gram_wide_.noalias() += rows_.topRows(count).transpose() * rows_.topRows(count);
  });
  square_wide_ = gram_wide_.template cast<double>();
  jacobi_eigen(square_wide_, vectors_wide_);
  // The smallest to the end, where it is dropped.
  Index smallest = 0;
  square_wide_.diagonal().minCoeff(&smallest);
  vectors_wide_.col(smallest).swap(vectors_wide_.col(l));
  rotation_ = vectors_wide_.template cast<T>();
  Matrix<T>& w = w_.write();
  for_blocks(dim(), [&](Index start, Index count) {
    load(start, count);
    rotated_.topRows(count).noalias() = rows_.topRows(count) * rotation_;
    w.middleRows(start, count) = rotated_.topRows(count).leftCols(l);
    diagonal_.segment(start, count) += rotated_.topRows(count).col(l).cwiseAbs2();
  });
}

template <class T>
void LowRank<T>::weighted_gram(const ConstVectorRef<T>& weights, Small& sum) {
  const Index l = rank();
  sum.setZero();
  for_blocks(dim(), [&](Index start, Index count) {
    const auto rows = w_->middleRows(start, count);
    auto weighted = rotated_.topLeftCorner(count, l);
    weighted = weights.segment(start, count).asDiagonal() * rows;
    sum.noalias() += rows.transpose() * weighted;
  });
}

template <class T>
void LowRank<T>::refresh() {
  scale_ = diagonal_.cwiseSqrt().cwiseInverse();
  column_ = diagonal_.cwiseInverse();
  weighted_gram(column_, gram_);
  square_ = gram_.template cast<double>();
  jacobi_eigen(square_, vectors_);
  scaled_ = vectors_;
  for (Index i = 0; i < rank(); ++i) {
    const double r = std::sqrt(1 + std::max(0.0, square_(i, i)));
    scaled_.col(i) /= r * (r + 1);
  }
  square_.noalias() = scaled_ * vectors_.transpose();
  b_ = square_.template cast<T>();
}

template <class T>
void LowRank<T>::add_process_noise(T q) {
  check_process_noise(q);
  if (q == 0) return;
  column_ = (1 + q * diagonal_.array()).inverse();
  scale_ = q * column_;  // until refresh
  weighted_gram(scale_, gram_);
  gram_.diagonal().array() += 1;
  const Eigen::LLT<Small> c(gram_);
  diagonal_.array() *= column_.array();
  Matrix<T>& w = w_.write();
  w = column_.asDiagonal() * w;
  c.matrixL().transpose().template solveInPlace<Eigen::OnTheRight>(w);
  refresh();
}

template <class T>
void LowRank<T>::forget(T gamma, BeliefScratch<T>& /*scratch*/) {
  check_forgetting(gamma);
  if (gamma == 1) return;
  diagonal_ = gamma * diagonal_ + (1 - gamma) * prior_;
  w_.write() *= std::sqrt(gamma);
  refresh();
}

template <class T>
Matrix<T> LowRank<T>::covariance() const {
  Matrix<T> factor(dim(), dim());  // Fᵀ
  Vector<T> scratch(dim() + 2 * rank());
  for (Index i = 0; i < dim(); ++i) {
    apply_root(Vector<T>::Unit(dim(), i), scratch);
    factor.col(i) = scratch.head(dim());
  }
  return factor.transpose() * factor;
}

template <class T>
Matrix<T> LowRank<T>::precision() const {
  Matrix<T> dense = *w_ * w_->transpose();
  dense.diagonal() += diagonal_;
  return dense;
}

template <class T>
double LowRank<T>::bytes_needed(Index dim, Index rank) {
  const auto d = static_cast<double>(dim), l = static_cast<double>(checked_rank(rank, dim));
  return (3 * d + d * l + l * l) * sizeof(T);
}

template <class T>
std::size_t LowRank<T>::bytes() const {
  const Index values = mean_.size() + diagonal_.size() + scale_.size() + w_->size() + b_.size();
  return static_cast<std::size_t>(values) * sizeof(T);
}

template <class T>
void LowRank<T>::reset(const ConstVectorRef<T>& mean) {
  check_size("the mean", mean.size(), dim());
  mean_ = mean;
  diagonal_ = prior_;
  w_.write().setZero();
  refresh();
}

template <class T>
std::unique_ptr<Belief<T>> LowRank<T>::clone() const {
  return std::make_unique<LowRank>(*this);
}

template <class T>
void LowRank<T>::save(ArchiveWriter& out) const {
  out.write("mean", ConstVectorRef<T>(mean_));
  out.write("prior_precision", ConstVectorRef<T>(prior_));
  out.write("diagonal", ConstVectorRef<T>(diagonal_));
  out.write("low_rank", *w_);
}

template <class T>
void LowRank<T>::load(const ArchiveReader& in) {
  in.read_into("mean", mean_, kSavedMeans);
  in.read_into("prior_precision", prior_, kSavedPrecisions);
  in.read_into("diagonal", diagonal_, kSavedPrecisions);
  in.read_into("low_rank", w_.write(), kSavedRoots);
  check_proportions(in, "diagonal", prior_.array() / diagonal_.array());
  check_proportions(in, "low_rank", w_->array().square().rowwise().maxCoeff() / diagonal_.array());
  refresh();
}

template class LowRank<float>;
template class LowRank<double>;

}  // namespace bandolier
