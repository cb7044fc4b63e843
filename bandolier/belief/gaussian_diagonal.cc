#include "bandolier/belief/gaussian_diagonal.h"

namespace bandolier {

template <class T>
GaussianDiagonal<T>::GaussianDiagonal(const ConstVectorRef<T>& mean,
                                      const ConstVectorRef<T>& variances)
    : prior_(variances), mean_(mean), v_(variances) {
  check_size("the mean", mean.size(), variances.size());
  check_prior<T>(variances);
}

template <class T>
GaussianDiagonal<T>::GaussianDiagonal(Index dim, T variance)
    : GaussianDiagonal(Vector<T>::Zero(dim), Vector<T>::Constant(dim, variance)) {}

template <class T>
T GaussianDiagonal<T>::variance(const ConstVectorRef<T>& g, Vector<T>&) const {
  check_size("the gradient", g.size(), dim());
  return (v_.array() * g.array().square()).sum();
}

template <class T>
void GaussianDiagonal<T>::sample(Random& random, T scale, Vector<T>& noise,
                                 VectorRef<T> out) const {
  check_size("the sample", out.size(), dim());
  noise.resize(dim());
  random.fill_normal(noise);
  out = mean_.array() + scale * v_.array().sqrt() * noise.array();
}

template <class T>
T GaussianDiagonal<T>::project(const ConstVectorRef<T>& g, BeliefScratch<T>& scratch) const {
  check_size("the gradient", g.size(), dim());
  scratch.q = (v_.array() * g.array().square()).sum();
  return scratch.q;
}

template <class T>
void GaussianDiagonal<T>::correct(const ConstVectorRef<T>& g, const Observation<T>& observation,
                                  T q_others, BeliefScratch<T>& scratch) {
  const T s = 1 + observation.curvature * (scratch.q + q_others);
  // v − (V/s)(vg)² = v (s − Vvg²)/s, where s − Vvg² ≥ 1 holds but for round-off.
  mean_.array() += (observation.slope / s) * v_.array() * g.array();
  v_.array() *= (s - observation.curvature * v_.array() * g.array().square()).max(T(1)) * (1 / s);
}

template <class T>
void GaussianDiagonal<T>::add_process_noise(T q) {
  check_process_noise(q);
  v_.array() += q;
}

template <class T>
void GaussianDiagonal<T>::forget(T gamma, BeliefScratch<T>& /*scratch*/) {
  check_forgetting(gamma);
  // 1/v ← γ/v + (1 − γ)/v₀.
  if (gamma < 1) v_.array() /= gamma + (1 - gamma) * v_.array() / prior_.array();
}

template <class T>
void GaussianDiagonal<T>::reset(const ConstVectorRef<T>& mean) {
  check_size("the mean", mean.size(), dim());
  mean_ = mean;
  v_ = prior_;
}

template <class T>
std::unique_ptr<Belief<T>> GaussianDiagonal<T>::clone() const {
  return std::make_unique<GaussianDiagonal>(*this);
}

template <class T>
void GaussianDiagonal<T>::save(ArchiveWriter& out) const {
  out.write("mean", mean_);
  out.write("prior", prior_);
  out.write("variances", v_);
}

template <class T>
void GaussianDiagonal<T>::load(const ArchiveReader& in) {
  in.read_into("mean", mean_, kSavedMeans);
  in.read_into("prior", prior_, kSavedVariances);
  in.read_into("variances", v_, kSavedVariances);
  check_proportions(in, "variances", v_.array() / prior_.array());
}

template class GaussianDiagonal<float>;
template class GaussianDiagonal<double>;

}  // namespace bandolier
