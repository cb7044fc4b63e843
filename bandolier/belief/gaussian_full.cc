#include "bandolier/belief/gaussian_full.h"

namespace bandolier {

template <class T>
GaussianFull<T>::GaussianFull(const ConstVectorRef<T>& mean, const ConstVectorRef<T>& variances,
                              const FoldOptions& options)
    : mean_(mean), root_(variances, options.fold_every) {
  check_size("the mean", mean.size(), variances.size());
}

template <class T>
GaussianFull<T>::GaussianFull(Index dim, T variance, const FoldOptions& options)
    : GaussianFull(Vector<T>::Zero(dim), Vector<T>::Constant(dim, variance), options) {}

template <class T>
T GaussianFull<T>::variance(const ConstVectorRef<T>& g, Vector<T>& scratch) const {
  check_size("the gradient", g.size(), dim());
  return root_.variance(g, scratch);
}

template <class T>
void GaussianFull<T>::sample(Random& random, T scale, Vector<T>& noise, VectorRef<T> out) const {
  check_size("the sample", out.size(), dim());
  noise.resize(dim());
  random.fill_normal(noise);
  root_.deviate(scale, noise, out);
  out += mean_;
}

template <class T>
void GaussianFull<T>::sample_batch(std::span<Random> random, std::span<const T> scale,
                                   SampleNoise<T>& memory, MatrixRef<T> out) const {
  Matrix<T>& noise = memory.rows;
  noise.resize(out.rows(), dim());
  for (std::size_t i = 0; i < random.size(); ++i) {
    random[i].fill_normal(VectorMap<T>(noise.row(static_cast<Index>(i)).data(), dim()));
  }
  root_.deviate_rows(noise, out);
  for (Index i = 0; i < out.rows(); ++i) {
    out.row(i) = mean_.transpose() + scale[static_cast<std::size_t>(i)] * out.row(i);
  }
}

template <class T>
T GaussianFull<T>::project(const ConstVectorRef<T>& g, BeliefScratch<T>& scratch) const {
  check_size("the gradient", g.size(), dim());
  scratch.projected.resize(dim());
  scratch.q = root_.project(g, scratch.projected);
  return scratch.q;
}

template <class T>
void GaussianFull<T>::correct(const ConstVectorRef<T>& /*g*/, const Observation<T>& observation,
                              T q_others, BeliefScratch<T>& scratch) {
  scratch.gain.resize(dim());
  root_.correct(observation, scratch.projected, scratch.q, q_others, scratch.gain, mean_);
}

template <class T>
void GaussianFull<T>::project(BatchUpdate<T>& batch, BatchRows rows) const {
  root_.project(batch, rows);
  batch.see(rows, mean_);
}

template <class T>
std::size_t GaussianFull<T>::bytes() const {
  return root_.bytes() + static_cast<std::size_t>(mean_.size()) * sizeof(T);
}

template <class T>
void GaussianFull<T>::reset(const ConstVectorRef<T>& mean) {
  check_size("the mean", mean.size(), dim());
  mean_ = mean;
  root_.reset();
}

template <class T>
std::unique_ptr<Belief<T>> GaussianFull<T>::clone() const {
  return std::make_unique<GaussianFull>(*this);
}

template <class T>
void GaussianFull<T>::save(ArchiveWriter& out) const {
  out.write("mean", mean_);
  root_.save(out);
}

template <class T>
void GaussianFull<T>::load(const ArchiveReader& in) {
  in.read_into("mean", mean_, kSavedMeans);
  root_.load(in);
}

template class GaussianFull<float>;
template class GaussianFull<double>;

}  // namespace bandolier
