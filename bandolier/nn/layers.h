// What each kind of layer computes, on rows of values and a pointer to its own parameters. Shapes:
// x is rows × inputs, y and delta = ∂L/∂y are rows × outputs. Instantiated for float and double.
#pragma once

#include "bandolier/core/growing_buffer.h"
#include "bandolier/nn/network.h"

namespace bandolier {

// y = layer(x). `y` has its size already; `patches` is scratch for convolutions (grows only).
// One row of a dense layer is a matrix-vector product, more are one matrix product.
template <class T>
void layer_forward(const Layer& layer, const T* parameters, const ConstMatrixRef<T>& x,
                   Vector<T>& patches, MatrixRef<T> y);

// ∂L/∂parameters summed over the rows, into `gradient` (layer.parameters values, overwritten).
// x and delta have the same number of rows. Nothing to do for layers without parameters.
template <class T>
void layer_gradient(const Layer& layer, const ConstMatrixRef<T>& x, const ConstMatrixRef<T>& delta,
                    Vector<T>& patches, T* gradient);

// delta_in = ∂L/∂x (delta.rows() × inputs). y has as many rows as delta, or one row that serves all
// rows of delta (the Jacobian of one input).
template <class T>
void layer_backward(const Layer& layer, const T* parameters, const ConstMatrixRef<T>& y,
                    const ConstMatrixRef<T>& delta, Vector<T>& patches, MatrixRef<T> delta_in);

}  // namespace bandolier
