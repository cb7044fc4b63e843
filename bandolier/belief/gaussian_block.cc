#include "bandolier/belief/gaussian_block.h"

#include <numeric>

namespace bandolier {

template <class T>
GaussianBlock<T>::GaussianBlock(const ConstVectorRef<T>& mean, const ConstVectorRef<T>& variances,
                                const std::vector<Index>& sizes, const FoldOptions& options)
    : mean_(mean), all_(sizes.size()), q_(sizes.size()) {
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
  std::iota(all_.begin(), all_.end(), Index{0});
}

template <class T>
void GaussianBlock<T>::check_active(std::span<const Index> active, Index size) const {
  Index expected = 0;
  for (const Index block : active) {
    if (block < 0 || block >= blocks()) {
      fail("active block {} does not exist: this belief has {} blocks", block, blocks());
    }
    expected += this->size(block);
  }
  check_size("the gradient of the active blocks", size, expected);
}

template <class T>
T GaussianBlock<T>::variance(std::span<const Index> active, const ConstVectorRef<T>& g,
                             Vector<T>& scratch) const {
  check_active(active, g.size());
  T q = 0;
  Index start = 0;
  for (const Index block : active) {
    q += root(block).variance(g.segment(start, size(block)), scratch);
    start += size(block);
  }
  return q;
}

template <class T>
Innovation<T> GaussianBlock<T>::update(std::span<const Index> active, const ConstVectorRef<T>& g,
                                       const Observation<T>& observation) {
  check_active(active, g.size());
  if (active.size() > q_.size()) {
    fail("{} active blocks of {}: expected each named once", active.size(), q_.size());
  }
  T total = 0;
  Index start = 0;
  for (std::size_t i = 0; i < active.size(); ++i) {
    SquareRoot<T>& block = root(active[i]);
    q_[i] = block.project(g.segment(start, block.dim()));
    start += block.dim();
    total += q_[i];
  }
  if (!acceptable(observation, total)) return {total, false};
  // The others' variance as a sum, the blocks before and those after: a difference from the total
  // would lose the small ones beside a large q.
  std::span<T> q(q_.data(), active.size());
  T before = 0;
  for (std::size_t i = 0; i < active.size(); ++i) {
    const T after = std::accumulate(q.begin() + static_cast<std::ptrdiff_t>(i) + 1, q.end(), T(0));
    root(active[i]).correct(observation, before + after,
                            mean_.segment(offset(active[i]), size(active[i])));
    before += q[i];
  }
  return {total, true};
}

template <class T>
T GaussianBlock<T>::variance(const ConstVectorRef<T>& g, Vector<T>& scratch) const {
  return variance(all_, g, scratch);
}

template <class T>
Innovation<T> GaussianBlock<T>::update(const ConstVectorRef<T>& g,
                                       const Observation<T>& observation) {
  return update(all_, g, observation);
}

template <class T>
void GaussianBlock<T>::sample(Index block, Random& random, T scale, Vector<T>& noise,
                              VectorRef<T> out) const {
  check_size("the sample", out.size(), size(block));
  noise.resize(size(block));
  random.fill_normal(noise);
  root(block).deviate(scale, noise, out);
  out += mean(block);
}

template <class T>
void GaussianBlock<T>::sample(Random& random, T scale, Vector<T>& noise, VectorRef<T> out) const {
  check_size("the sample", out.size(), dim());
  noise.resize(dim());
  random.fill_normal(noise);
  for (const Index block : all_) {
    root(block).deviate(scale, noise.segment(offset(block), size(block)),
                        out.segment(offset(block), size(block)));
  }
  out += mean_;
}

template <class T>
void GaussianBlock<T>::add_process_noise(T q) {
  for (auto& block : roots_) block.add_process_noise(q);
}

template <class T>
void GaussianBlock<T>::forget(T gamma) {
  for (auto& block : roots_) block.forget(gamma);
}

template <class T>
void GaussianBlock<T>::fold() {
  for (auto& block : roots_) block.fold();
}

template <class T>
Matrix<T> GaussianBlock<T>::covariance() const {
  Matrix<T> p = Matrix<T>::Zero(dim(), dim());
  for (const Index block : all_) {
    p.block(offset(block), offset(block), size(block), size(block)) = root(block).covariance();
  }
  return p;
}

template <class T>
double GaussianBlock<T>::bytes_needed(std::span<const Index> sizes, bool forgets) {
  double total = 0;
  for (const Index size : sizes) total += GaussianFull<T>::bytes_needed(size, forgets);
  return total;
}

template <class T>
std::size_t GaussianBlock<T>::bytes() const {
  std::size_t total = static_cast<std::size_t>(dim()) * sizeof(T);
  for (const auto& block : roots_) total += block.bytes();
  return total;
}

template <class T>
std::unique_ptr<Belief<T>> GaussianBlock<T>::clone() const {
  return std::make_unique<GaussianBlock>(*this);
}

template <class T>
void GaussianBlock<T>::save(ArchiveWriter& out) const {
  out.write("mean", mean_);
  for (const auto& block : roots_) block.save(out);
}

template <class T>
void GaussianBlock<T>::load(const ArchiveReader& in) {
  in.read_into("mean", mean_);
  for (auto& block : roots_) block.load(in);
}

template class GaussianBlock<float>;
template class GaussianBlock<double>;

}  // namespace bandolier
