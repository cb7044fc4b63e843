#include "bandolier/belief/square_root.h"

#include <Eigen/QR>

#include "bandolier/linalg/cholesky.h"
#include "bandolier/linalg/huge_pages.h"
#include "bandolier/linalg/kernels.h"
#include "bandolier/linalg/row_products.h"

namespace bandolier {

namespace {

// Rows of a batch from which on products of matrices are quicker than a pass over S for each.
constexpr Index kManyRows = 4;

}  // namespace

template <class T>
SquareRoot<T>::SquareRoot(const ConstVectorRef<T>& prior, Index fold_every)
    : prior_(Vector<T>(prior)), fold_every_(fold_every) {
  check_prior<T>(prior);
  largest_ = prior.maxCoeff();
  Matrix<T>& root = s_.write();
  root.resize(prior.size(), prior.size());
  prefer_huge_pages(root.data(), bytes());
  root = prior.cwiseSqrt().asDiagonal();
}

template <class T>
T SquareRoot<T>::variance(const ConstVectorRef<T>& g, Vector<T>& scratch) const {
  scratch.resize(dim());
  kernels<T>().combine(s_->data(), dim(), dim(), g.data(), scratch.data());
  return scale_ * scale_ * scratch.squaredNorm();
}

template <class T>
void SquareRoot<T>::deviate(T scale, const ConstVectorRef<T>& epsilon, VectorRef<T> out) const {
  kernels<T>().dots(s_->data(), dim(), dim(), epsilon.data(), out.data());
  out *= scale * scale_;
}

template <class T>
void SquareRoot<T>::variances(const ConstMatrixRef<T>& g, Matrix<T>& scratch,
                              VectorRef<T> out) const {
  scratch.noalias() = g * *s_;
  out = (scale_ * scale_) * scratch.rowwise().squaredNorm();
}

template <class T>
void SquareRoot<T>::deviate_rows(const ConstMatrixRef<T>& epsilon, MatrixRef<T> out) const {
  row_products<T>(epsilon, *s_, out);
  if (scale_ != 1) out *= scale_;
}

template <class T>
T SquareRoot<T>::project(const ConstVectorRef<T>& g, VectorRef<T> f) const {
  kernels<T>().combine(s_->data(), dim(), dim(), g.data(), f.data());
  if (scale_ != 1) f *= scale_;
  return f.squaredNorm();
}

template <class T>
void SquareRoot<T>::correct(const Observation<T>& observation, const ConstVectorRef<T>& f, T q,
                            T q_others, VectorRef<T> gain, VectorRef<T> mean) {
  const T v = observation.curvature;
  const T s = 1 + v * (q + q_others);
  const T c = potter_step(v, s, q_others);
  kernels<T>().downdate(s_.write().data(), dim(), dim(), f.data(), c, gain.data());
  mean += (scale_ * observation.slope / s) * gain;
}

template <class T>
void SquareRoot<T>::project(BatchUpdate<T>& batch, BatchRows rows) const {
  const T* x[kMostVectors];
  T* f[kMostVectors];
  Index count = 0;
  for (Index row = rows.begin; row < rows.end; ++row) {
    if (!batch.wanted(row)) continue;
    x[count] = batch.gradient(row);
    f[count++] = batch.projection(row);
  }
  if (count == 0) return;
  kernels<T>().combine_many(s_->data(), dim(), dim(), x, f, count);
  if (scale_ == 1) return;
  for (Index i = 0; i < count; ++i) VectorMap<T>(f[i], dim()) *= scale_;
}

template <class T>
void SquareRoot<T>::correct(BatchUpdate<T>& batch, BatchRows rows, BatchScratch<T>& scratch,
                            VectorRef<T> mean) {
  const BatchRows learnt = batch.gather_learnt(rows);
  const Index count = learnt.end - learnt.begin;
  if (count == 0) return;
  T* const s = s_.write().data();
  scratch.reserve(dim());
  const ConstVectorMap<T> gain(scratch.gain.data(), dim());
  if (count >= kManyRows) {
    batch.prepare(learnt, scratch);
    kernels<T>().downdate_many(s, dim(), dim(), scratch.ft.data(), scratch.w.data(),
                               scratch.b.data(), count, scratch.gain.data());
    mean += scale_ * gain;
    return;
  }
  for (Index row = learnt.begin; row < learnt.end; ++row) {
    kernels<T>().downdate(s, dim(), dim(), batch.projection(row), batch.c(row),
                          scratch.gain.data());
    mean += (scale_ * batch.a(row)) * gain;
  }
}

template <class T>
void SquareRoot<T>::add_process_noise(T q) {
  check_process_noise(q);
  if (q == 0) return;
  only_rewards_ = false;
  noise_ += static_cast<double>(q);
  if (++noise_steps_ >= (fold_every_ > 0 ? fold_every_ : dim())) fold_noise();
}

template <class T>
void SquareRoot<T>::forget(T gamma, BeliefScratch<T>& scratch) {
  check_forgetting(gamma);
  if (gamma == 1) return;
  only_rewards_ = false;
  scale_ /= std::sqrt(gamma);
  kept_ *= static_cast<double>(gamma);
  faded_ += 1 - static_cast<double>(gamma);
  ++forget_steps_;
  if (faded_ >= 1 || forget_steps_ == fold_every_) fold_prior(scratch);
}

template <class T>
void SquareRoot<T>::fold(BeliefScratch<T>& scratch) {
  if (forget_steps_ > 0) fold_prior(scratch);
  if (noise_steps_ > 0) fold_noise();
}

template <class T>
void SquareRoot<T>::fold_noise() {
  // [σS √q I]ᵀ = QR, so L = Rᵀ.
  const Index d = dim();
  Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic> stacked(2 * d, d);
  stacked.topRows(d) = scale_ * s_->transpose();
  stacked.bottomRows(d).setZero();
  stacked.bottomRows(d).diagonal().setConstant(static_cast<T>(std::sqrt(noise_)));
  Eigen::HouseholderQR<Eigen::Ref<decltype(stacked)>> qr(stacked);
  s_.write() = qr.matrixQR().topRows(d).template triangularView<Eigen::Upper>().transpose();
  scale_ = 1;
  noise_ = 0;
  noise_steps_ = 0;
}

template <class T>
void SquareRoot<T>::fold_prior(BeliefScratch<T>& scratch) {
  const Index d = dim();
  Matrix<T>& root = s_.write();
  root *= scale_;
  scale_ = 1;
  scratch.wide =
      (static_cast<T>(1 - kept_) * prior_->cwiseInverse()).cwiseSqrt().asDiagonal() * root;
  scratch.gram.setIdentity(d, d);
  scratch.gram.template selfadjointView<Eigen::Lower>().rankUpdate(scratch.wide.transpose());
  factor_cholesky(scratch.gram);
  scratch.gram.transpose()
      .template triangularView<Eigen::Upper>()
      .template solveInPlace<Eigen::OnTheRight>(root);
  kept_ = 1;
  faded_ = 0;
  forget_steps_ = 0;
}

template <class T>
void SquareRoot<T>::drop_pending() {
  scale_ = 1;
  noise_ = faded_ = 0;
  kept_ = 1;
  noise_steps_ = forget_steps_ = 0;
}

template <class T>
void SquareRoot<T>::assign(const ConstMatrixRef<T>& root) {
  s_.write() = root;
  only_rewards_ = false;
  drop_pending();
}

template <class T>
void SquareRoot<T>::reset() {
  s_.write() = prior_->cwiseSqrt().asDiagonal();
  only_rewards_ = true;
  drop_pending();
}

template <class T>
Matrix<T> SquareRoot<T>::covariance() const {
  Matrix<T> p(dim(), dim());
  p.noalias() = (scale_ * scale_) * *s_ * s_->transpose();
  return p;
}

template <class T>
void SquareRoot<T>::save(ArchiveWriter& out) const {
  out.write("prior", *prior_);
  out.write("square_root", *s_);
  out.write("scale", static_cast<double>(scale_));
  out.write("noise", noise_);
  out.write("noise_steps", noise_steps_);
  out.write("kept", kept_);
  out.write("faded", faded_);
  out.write("forget_steps", forget_steps_);
  out.write("only_rewards", only_rewards_);
}

template <class T>
void SquareRoot<T>::load(const ArchiveReader& in) {
  in.read_into("prior", prior_.write(), kSavedVariances);
  in.read_into("square_root", s_.write(), kSavedRoots);
  // Forgetting divides S by the prior's deviations, and squares it.
  check_proportions(in, "square_root", s_->array().square().rowwise().maxCoeff() / prior_->array());
  scale_ = static_cast<T>(in.read_double("scale", {1e-3, 1e9}));
  noise_ = in.read_double("noise", {0, 1e18 * static_cast<double>(prior_->minCoeff())});
  noise_steps_ = in.read_count("noise_steps");
  kept_ = in.read_double("kept", {0, 1});
  faded_ = in.read_double("faded", {0, 1});
  forget_steps_ = in.read_count("forget_steps");
  only_rewards_ = in.has("only_rewards") && in.read_bool("only_rewards");
  largest_ = prior_->maxCoeff();
}

template class SquareRoot<float>;
template class SquareRoot<double>;

}  // namespace bandolier
