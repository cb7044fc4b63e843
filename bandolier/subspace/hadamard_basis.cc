#include "bandolier/subspace/hadamard_basis.h"

#include <cmath>
#include <numeric>

namespace bandolier {
namespace {

// The first `count` of a random permutation of 0 .. order-1.
std::vector<std::int32_t> random_subset(Index order, Index count, Random random) {
  std::vector<std::int32_t> all(static_cast<std::size_t>(order));
  std::iota(all.begin(), all.end(), 0);
  shuffle_first(all, static_cast<std::size_t>(count), random);
  all.resize(static_cast<std::size_t>(count));
  all.shrink_to_fit();
  return all;
}

}  // namespace

template <class T>
HadamardBasis<T>::HadamardBasis(Index parameters, Index dim, const StreamKey& key) : key_(key) {
  while (order_ < parameters) order_ *= 2;
  const Random random(key);
  rows_ = random_subset(order_, parameters, random.fork(0));
  columns_ = random_subset(order_, dim, random.fork(1));
  signs_.resize(parameters);
  Random coins = random.fork(2);
  const T magnitude = 1 / std::sqrt(static_cast<T>(parameters));
  for (T& sign : signs_) sign = (coins() & 1u) != 0 ? magnitude : -magnitude;
}

template <class T>
void HadamardBasis<T>::add_image(const ConstVectorRef<T>& z, Vector<T>& scratch,
                                 VectorRef<T> theta) const {
  scratch.setZero(order_);
  for (Index k = 0; k < dim(); ++k) scratch[columns_[static_cast<std::size_t>(k)]] = z[k];
  walsh_hadamard<T>(scratch);
  for (Index i = 0; i < parameters(); ++i) {
    theta[i] += signs_[i] * scratch[rows_[static_cast<std::size_t>(i)]];
  }
}

template <class T>
void HadamardBasis<T>::project(const ConstVectorRef<T>& g, Vector<T>& scratch,
                               VectorRef<T> out) const {
  scratch.setZero(order_);
  for (Index i = 0; i < parameters(); ++i) {
    scratch[rows_[static_cast<std::size_t>(i)]] = signs_[i] * g[i];
  }
  walsh_hadamard<T>(scratch);
  for (Index k = 0; k < dim(); ++k) out[k] = scratch[columns_[static_cast<std::size_t>(k)]];
}

template <class T>
std::size_t HadamardBasis<T>::bytes() const {
  return sizeof(std::int32_t) * (rows_.size() + columns_.size()) +
         sizeof(T) * static_cast<std::size_t>(signs_.size());
}

template <class T>
void walsh_hadamard(VectorRef<T> x) {
  T* values = x.data();
  for (Index half = 1; half < x.size(); half *= 2) {
    for (Index start = 0; start < x.size(); start += 2 * half) {
      T* low = values + start;
      T* high = low + half;
      for (Index i = 0; i < half; ++i) {
        const T a = low[i], b = high[i];
        low[i] = a + b;
        high[i] = a - b;
      }
    }
  }
}

template class HadamardBasis<float>;
template class HadamardBasis<double>;
template void walsh_hadamard(VectorRef<float>);
template void walsh_hadamard(VectorRef<double>);

}  // namespace bandolier
