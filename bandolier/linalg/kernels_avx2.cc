// The kernels for AVX2, FMA and F16C: compiled with these, called only where they exist.
#include "bandolier/linalg/kernels_body.h"

namespace bandolier {

template <class T>
KernelsFor<T> compiled_avx2_kernels() {
  return all_kernels<T>();
}

template KernelsFor<float> compiled_avx2_kernels<float>();
template KernelsFor<double> compiled_avx2_kernels<double>();
template KernelsFor<Half> compiled_avx2_kernels<Half>();

}  // namespace bandolier
