#include "bandolier/belief/gaussian_block.h"

#include <numeric>

namespace bandolier {

template <class T>
GaussianBlock<T>::GaussianBlock(const ConstVectorRef<T>& mean, const ConstVectorRef<T>& variances,
                                const std::vector<Index>& sizes, const FoldOptions& options)
    : mean_(mean) {
  check_size("the mean", mean.size(), variances.size());
  check_size("the list of blocks in sum", std::accumulate(sizes.begin(), sizes.end(), Index{0}),
             mean.size());
  roots_.reserve(sizes.size());
  Index offset = 0;
  for (const Index size : sizes) {
    if (size <= 0) fail("block {} has {} dimensions: expected at least 1", roots_.size(), size);
    roots_.emplace_back(variances.segment(offset, size), options.fold_every);
    offsets_.push_back(offset);
    offset += size;
  }
}

template <class T>
T GaussianBlock<T>::variance(const ConstVectorRef<T>& g, Vector<T>& scratch) const {
  check_size("the gradient", g.size(), dim());
  scratch.resize(dim());
  T q = 0;
  for (Index b = 0; b < blocks(); ++b) {
    q += root(b).project(g.segment(offset(b), size(b)), scratch.segment(offset(b), size(b)));
  }
  return q;
}

template <class T>
T GaussianBlock<T>::project(const ConstVectorRef<T>& g, BeliefScratch<T>& scratch) const {
  scratch.q = variance(g, scratch.projected);
  return scratch.q;
}

template <class T>
void GaussianBlock<T>::correct(const ConstVectorRef<T>& /*g*/, const Observation<T>& observation,
                               T q_others, BeliefScratch<T>& scratch) {
  scratch.gain.resize(dim());
  const auto part = [&](Vector<T>& values, Index b) { return values.segment(offset(b), size(b)); };
  // The other blocks' variance as a sum, those before and those after: a difference from the total
  // would lose the small ones beside a large q.
  T before = q_others;
  for (Index b = 0; b < blocks(); ++b) {
    const T own = part(scratch.projected, b).squaredNorm();
    const T after = scratch.projected.tail(dim() - offset(b) - size(b)).squaredNorm();
    roots_[static_cast<std::size_t>(b)].correct(observation, part(scratch.projected, b), own,
                                                before + after, part(scratch.gain, b),
                                                part(mean_, b));
    before += own;
  }
}

template <class T>
void GaussianBlock<T>::sample(Random& random, T scale, Vector<T>& noise, VectorRef<T> out) const {
  check_size("the sample", out.size(), dim());
  noise.resize(dim());
  random.fill_normal(noise);
  for (Index b = 0; b < blocks(); ++b) {
    root(b).deviate(scale, noise.segment(offset(b), size(b)), out.segment(offset(b), size(b)));
  }
  out += mean_;
}

template <class T>
void GaussianBlock<T>::add_process_noise(T q) {
  for (auto& block : roots_) block.add_process_noise(q);
}

template <class T>
void GaussianBlock<T>::forget(T gamma, BeliefScratch<T>& scratch) {
  for (auto& block : roots_) block.forget(gamma, scratch);
}

template <class T>
void GaussianBlock<T>::fold(BeliefScratch<T>& scratch) {
  for (auto& block : roots_) block.fold(scratch);
}

template <class T>
Matrix<T> GaussianBlock<T>::covariance() const {
  Matrix<T> p = Matrix<T>::Zero(dim(), dim());
  for (Index b = 0; b < blocks(); ++b) {
    p.block(offset(b), offset(b), size(b), size(b)) = root(b).covariance();
  }
  return p;
}

template <class T>
double GaussianBlock<T>::bytes_needed(std::span<const Index> sizes) {
  double total = 0;
  for (const Index size : sizes) total += GaussianFull<T>::bytes_needed(size);
  return total;
}

template <class T>
std::size_t GaussianBlock<T>::bytes() const {
  std::size_t total = static_cast<std::size_t>(dim()) * sizeof(T);
  for (const auto& block : roots_) total += block.bytes();
  return total;
}

template <class T>
void GaussianBlock<T>::reset(const ConstVectorRef<T>& mean) {
  check_size("the mean", mean.size(), dim());
  mean_ = mean;
  for (auto& root : roots_) root.reset();
}

template <class T>
std::unique_ptr<Belief<T>> GaussianBlock<T>::clone() const {
  return std::make_unique<GaussianBlock>(*this);
}

template <class T>
void GaussianBlock<T>::save(ArchiveWriter& out) const {
  out.write("mean", mean_);
  for (std::size_t b = 0; b < roots_.size(); ++b) {
    const auto section = out.section("block", b);
    roots_[b].save(out);
  }
}

template <class T>
void GaussianBlock<T>::load(const ArchiveReader& in) {
  in.read_into("mean", mean_, kSavedMeans);
  for (std::size_t b = 0; b < roots_.size(); ++b) roots_[b].load(in.section("block", b));
}

template class GaussianBlock<float>;
template class GaussianBlock<double>;

}  // namespace bandolier
