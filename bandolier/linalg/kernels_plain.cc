// The kernels for any processor.
#include "bandolier/linalg/kernels_body.h"

namespace bandolier {

template <class T>
const KernelsFor<T>& plain_kernels() {
  static const KernelsFor<T> table = all_kernels<T>();
  return table;
}

template const KernelsFor<float>& plain_kernels<float>();
template const KernelsFor<double>& plain_kernels<double>();
template const KernelsFor<Half>& plain_kernels<Half>();

}  // namespace bandolier
