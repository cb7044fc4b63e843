// The kernels for AVX-512: compiled with it, called only where it exists. Those for many vectors at
// once, which wait for arithmetic; the others wait for memory.
#include "bandolier/linalg/kernels_body.h"

namespace bandolier {

template <class T>
void take_avx512(KernelsFor<T>& kernels) {
  kernels.combine_many = combine_many<T>;
  kernels.downdate_many = downdate_many<T>;
}

// None for many vectors in half precision.
template <>
void take_avx512<Half>(KernelsFor<Half>&) {}

template void take_avx512<float>(KernelsFor<float>&);
template void take_avx512<double>(KernelsFor<double>&);

}  // namespace bandolier
