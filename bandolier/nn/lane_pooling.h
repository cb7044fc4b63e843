// 2 × 2 average pooling of many images at once, in the layout of lane_convolution.h. Instantiated
// for float and double.
#pragma once

#include <cstdint>

#include "bandolier/nn/lane_convolution.h"

namespace bandolier {

// y(i, j) = ¼ Σ x(2i + a, 2j + b), a and b in {0, 1}.
template <class T>
void lane_pool(const LaneShape& in, const T* x, const LaneShape& out, T* y);

// The same; signs(i, j) (no padding) has bit 2a + b where x(2i + a, 2j + b) > 0.
template <class T>
void lane_pool_signs(const LaneShape& in, const T* x, const LaneShape& out, T* y,
                     std::uint8_t* signs);

// delta(i, j) = up(i / scale, j / scale) / scale², 0 where `up` has no such pixel.
template <class T>
void lane_unpool(const LaneShape& up_shape, const T* up, Index scale, const LaneShape& shape,
                 T* delta);

// The same for scale 2, and 0 where the bit in signs is 0: back through pooling and ReLU.
template <class T>
void lane_unpool_signs(const LaneShape& up_shape, const T* up, const std::uint8_t* signs,
                       const LaneShape& shape, T* delta);

}  // namespace bandolier
