// A vector register of values, one per lane.
#pragma once

#include <cstring>

#include "bandolier/core/types.h"

namespace bandolier {

// Bytes of the widest vector register that this build may use.
#if defined(__AVX512F__)
inline constexpr Index kLaneBytes = 64;
#elif defined(__AVX2__)
inline constexpr Index kLaneBytes = 32;
#else
inline constexpr Index kLaneBytes = 16;
#endif
template <class T>
inline constexpr Index kLanes = kLaneBytes / static_cast<Index>(sizeof(T));

template <class T>
struct LanesOf;
template <>
struct LanesOf<float> {
  typedef float Type __attribute__((vector_size(kLaneBytes)));
};
template <>
struct LanesOf<double> {
  typedef double Type __attribute__((vector_size(kLaneBytes)));
};
template <class T>
using Lanes = typename LanesOf<T>::Type;

template <class T>
inline Lanes<T> load(const T* p) {
  Lanes<T> v;
  std::memcpy(&v, p, sizeof v);
  return v;
}
template <class T>
inline void store(T* p, const Lanes<T>& v) {
  std::memcpy(p, &v, sizeof v);
}

}  // namespace bandolier
