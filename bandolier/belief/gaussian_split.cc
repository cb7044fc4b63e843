#include "bandolier/belief/gaussian_split.h"

#include <algorithm>

namespace bandolier {

template <class T>
GaussianSplit<T>::GaussianSplit(const ConstVectorRef<T>& mean, const ConstVectorRef<T>& variances,
                                Index full, const FoldOptions& options)
    : mean_(mean),
      root_(variances.head(std::clamp(full, Index{0}, variances.size())), options.fold_every),
      prior_(Vector<T>(variances.tail(std::max(Index{0}, variances.size() - full)))),
      v_(prior_) {
  check_size("the mean", mean.size(), variances.size());
  check_prior<T>(variances);
  if (full < 1 || full >= variances.size()) {
    fail("{} of {} parameters in full: expected at least 1, and fewer than all", full,
         variances.size());
  }
}

template <class T>
T GaussianSplit<T>::variance(const ConstVectorRef<T>& g, Vector<T>& scratch) const {
  check_size("the gradient", g.size(), dim());
  const T q = root_.variance(g.head(full()), scratch);
  return q + (v_->array() * g.tail(rest()).array().square()).sum();
}

template <class T>
T GaussianSplit<T>::project(const ConstVectorRef<T>& g, BeliefScratch<T>& scratch) const {
  check_size("the gradient", g.size(), dim());
  scratch.projected.resize(full());
  scratch.q = root_.project(g.head(full()), scratch.projected);
  return scratch.q + (v_->array() * g.tail(rest()).array().square()).sum();
}

template <class T>
void GaussianSplit<T>::correct(const ConstVectorRef<T>& g, const Observation<T>& observation,
                               T q_others, BeliefScratch<T>& scratch) {
  const auto tail = g.tail(rest()).array();
  auto v = v_.write().array();
  const T q_rest = (v * tail.square()).sum();
  const T s = 1 + observation.curvature * (scratch.q + q_rest + q_others);
  scratch.gain.resize(full());
  root_.correct(observation, scratch.projected, scratch.q, q_rest + q_others, scratch.gain,
                mean_.head(full()));
  // As a diagonal belief (gaussian_diagonal.cc).
  mean_.tail(rest()).array() += (observation.slope / s) * v * tail;
  v *= (s - observation.curvature * v * tail.square()).max(T(1)) * (1 / s);
}

template <class T>
void GaussianSplit<T>::sample(Random& random, T scale, Vector<T>& noise, VectorRef<T> out) const {
  check_size("the sample", out.size(), dim());
  noise.resize(dim());
  random.fill_normal(noise);
  root_.deviate(scale, noise.head(full()), out.head(full()));
  out.tail(rest()).array() = scale * v_->array().sqrt() * noise.tail(rest()).array();
  out += mean_;
}

template <class T>
void GaussianSplit<T>::add_process_noise(T q) {
  root_.add_process_noise(q);
  v_.write().array() += q;
}

template <class T>
void GaussianSplit<T>::forget(T gamma, BeliefScratch<T>& scratch) {
  root_.forget(gamma, scratch);
  if (gamma == 1) return;
  auto v = v_.write().array();
  v /= gamma + (1 - gamma) * v / prior_->array();
}

template <class T>
Matrix<T> GaussianSplit<T>::covariance() const {
  Matrix<T> p = Matrix<T>::Zero(dim(), dim());
  p.topLeftCorner(full(), full()) = root_.covariance();
  p.bottomRightCorner(rest(), rest()) = v_->asDiagonal();
  return p;
}

template <class T>
std::size_t GaussianSplit<T>::bytes() const {
  return root_.bytes() + static_cast<std::size_t>(dim() + rest()) * sizeof(T);
}

template <class T>
double GaussianSplit<T>::bytes_needed(Index dim, Index full) {
  return SquareRoot<T>::bytes_needed(full) + static_cast<double>(2 * dim - full) * sizeof(T);
}

template <class T>
void GaussianSplit<T>::reset(const ConstVectorRef<T>& mean) {
  check_size("the mean", mean.size(), dim());
  mean_ = mean;
  root_.reset();
  v_.write() = *prior_;
}

template <class T>
std::unique_ptr<Belief<T>> GaussianSplit<T>::clone() const {
  return std::make_unique<GaussianSplit>(*this);
}

template <class T>
void GaussianSplit<T>::save(ArchiveWriter& out) const {
  out.write("mean", mean_);
  out.write("prior", *prior_);
  out.write("variances", *v_);
  const auto section = out.section("root");
  root_.save(out);
}

template <class T>
void GaussianSplit<T>::load(const ArchiveReader& in) {
  in.read_into("mean", mean_, kSavedMeans);
  in.read_into("prior", prior_.write(), kSavedVariances);
  in.read_into("variances", v_.write(), kSavedVariances);
  check_proportions(in, "variances", v_->array() / prior_->array());
  root_.load(in.section("root"));
}

template class GaussianSplit<float>;
template class GaussianSplit<double>;

}  // namespace bandolier
