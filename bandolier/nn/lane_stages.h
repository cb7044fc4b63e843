// The convolutions that a network begins with, on batches. Images go through all of them in groups,
// one image per lane of a vector register (lane_convolution.h), while their values are in the
// second cache. A stage is a convolution and, where they follow it, a nonlinearity and a pooling.
#pragma once

#include <vector>

#include "bandolier/core/types.h"
#include "bandolier/nn/layer.h"

namespace bandolier {

// What forward leaves for backward, and memory of both. Grows only.
template <class T>
struct LaneScratch {
  Vector<T> kept;             // inputs and outputs of every stage, group by group of images
  Vector<T> weights;          // all kernels, as lane_convolve reads them
  Vector<T> delta, delta_in;  // ∂L/∂ output and input of a stage; going forward, outputs not kept
  Vector<T> sums;             // ∂L/∂parameters, each lane apart
  Index rows = 0;             // of the last forward; 0: it did not come here
};

struct LaneStage {
  enum class Nonlinearity { kNone, kRelu, kTanh };
  Convolution convolution;
  Index offset = 0;  // of its parameters
  Nonlinearity nonlinearity = Nonlinearity::kNone;
  bool pool = false;
  bool first = false;
  Index next_padding = 0;  // of the next stage's convolution
};

class LaneStages {
 public:
  LaneStages() = default;
  // Of the first layers, as many as are whole stages; none where a network begins otherwise.
  explicit LaneStages(const std::vector<Layer>& layers);

  std::size_t layers() const { return layers_; }

  // Whether so many images are better here than one by one: a group costs the same however few of
  // its lanes are in use.
  template <class T>
  bool serve(Index rows) const;

  // y = the last stage's output (rows × outputs) from x (rows × inputs). `parameters`: of the
  // network.
  template <class T>
  void forward(const T* parameters, const ConstMatrixRef<T>& x, LaneScratch<T>& work,
               MatrixRef<T> y) const;

  // After forward: ∂L/∂parameters of the stages, summed over the rows, into `gradient` (of the
  // network), from delta = ∂L/∂y.
  template <class T>
  void backward(const T* parameters, const ConstMatrixRef<T>& delta, LaneScratch<T>& work,
                T* gradient) const;

 private:
  std::vector<LaneStage> stages_;
  std::size_t layers_ = 0;
  Index parameters_ = 0;
};

}  // namespace bandolier
