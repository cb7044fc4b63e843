#include "bandolier/linalg/kernels.h"

namespace bandolier {

#ifdef BANDOLIER_HAVE_AVX2
template <class T>
KernelsFor<T> compiled_avx2_kernels();  // kernels_avx2.cc

template <class T>
const KernelsFor<T>* avx2_kernels() {
  // Every processor with AVX2 has F16C too; clang 14 cannot ask for it.
  static const bool available = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  if (!available) return nullptr;
  static const KernelsFor<T> table = compiled_avx2_kernels<T>();
  return &table;
}

template <class T>
void take_avx512(KernelsFor<T>& kernels);  // kernels_avx512.cc

template <class T>
const KernelsFor<T>* avx512_kernels() {
  static const bool available = avx2_kernels<T>() != nullptr && __builtin_cpu_supports("avx512f");
  if (!available) return nullptr;
  static const KernelsFor<T> table = [] {
    KernelsFor<T> kernels = *avx2_kernels<T>();
    take_avx512<T>(kernels);
    return kernels;
  }();
  return &table;
}
#else
template <class T>
const KernelsFor<T>* avx2_kernels() {
  return nullptr;
}
template <class T>
const KernelsFor<T>* avx512_kernels() {
  return nullptr;
}
#endif

template <class T>
const KernelsFor<T>& kernels() {
  static const KernelsFor<T>& best = avx512_kernels<T>() ? *avx512_kernels<T>()
                                     : avx2_kernels<T>() ? *avx2_kernels<T>()
                                                         : plain_kernels<T>();
  return best;
}

template const KernelsFor<float>* avx2_kernels<float>();
template const KernelsFor<double>* avx2_kernels<double>();
template const KernelsFor<Half>* avx2_kernels<Half>();
template const KernelsFor<float>* avx512_kernels<float>();
template const KernelsFor<double>* avx512_kernels<double>();
template const KernelsFor<Half>* avx512_kernels<Half>();
template const KernelsFor<float>& kernels<float>();
template const KernelsFor<double>& kernels<double>();
template const KernelsFor<Half>& kernels<Half>();

}  // namespace bandolier
