// Convolutions of many images at once: value v of image n lies at v·kLanes + n, so that one vector
// register holds the same value of kLanes images. Nothing is unrolled, and a kernel of any size and
// number of filters fills the registers.
//
// Rows of pixels are padded with zeros on the left and right; above and below there is nothing,
// since rows outside the image are skipped. Instantiated for float and double.
#pragma once

#include "bandolier/core/types.h"
#include "bandolier/nn/lanes.h"
#include "bandolier/nn/layer.h"

namespace bandolier {

// Where the values of kLanes images lie: height × (padding + width + padding) × channels × kLanes.
struct LaneShape {
  ImageShape image;
  Index padding = 0;
  template <class T>
  Index pixel() const {  // values from one pixel to the next
    return image.channels * kLanes<T>;
  }
  template <class T>
  Index row() const {
    return (image.width + 2 * padding) * pixel<T>();
  }
  template <class T>
  Index size() const {
    return image.height * row<T>();
  }
};

// out(i, j, f) = b_f + Σ_{dy, dx, c} w(dy, dx, c, f) in(i + dy − padding, j + dx − padding, c),
// with max(0, ·) around it for `relu`. `weights` has a row per (dy, dx, c) and a column per filter;
// `bias` may be null. 2·patch·filters flops per pixel and image; rows and columns of the kernel
// that lie outside the image cost nothing. in.padding ≥ c.padding.
template <class T>
void lane_convolve(const Convolution& c, const LaneShape& in_shape, const T* in, const T* weights,
                   const T* bias, bool relu, const LaneShape& out_shape, T* out);

// kernel(f, (dy, dx, c)) += Σ_{i, j} delta(i, j, f) in(i + dy − padding, j + dx − padding, c) and
// bias(f) += Σ delta(i, j, f), each for all lanes apart: (filters × patch + filters) × kLanes sums.
template <class T>
void lane_gradient(const Convolution& c, const LaneShape& in_shape, const T* in,
                   const LaneShape& delta_shape, const T* delta, T* sums);

}  // namespace bandolier
