// A network: an architecture over one flat parameter vector, without state. Forward and backward
// are functions of (parameters, input); what they remember in between lives in a NetworkScratch
// that the caller owns, so that one network serves any number of threads and parameter vectors.
//
// Parameters lie layer by layer: weights (out × in, row by row; a convolution's kernel as
// out × (height·width·in)), then biases. Images lie as height × width × channels.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "bandolier/core/archive.h"
#include "bandolier/core/random.h"
#include "bandolier/core/types.h"
#include "bandolier/nn/lane_stages.h"
#include "bandolier/nn/layer.h"

namespace bandolier {

// Everything that forward leaves for backward. Grows on first use; then nothing allocates while the
// number of rows stays. activations[0] is the input (rows × inputs), activations[l + 1] the output
// of layer l; but of a batch that goes through lanes (lane_stages.h) those between the input and
// the last of the convolutions' stages are not written.
template <class T>
struct NetworkScratch {
  std::vector<Matrix<T>> activations;
  Vector<T> delta, delta_next;  // ∂L/∂activation row by row, while going back; grow only
  Vector<T> patches;            // a convolution's input, unrolled (im2col); grows only
  LaneScratch<T> lanes;         // of a batch's convolutions
  Matrix<T> unit;               // 1 × outputs: which output to differentiate
  Index rows = 0;               // of the last forward
};

class Network {
 public:
  // `text` is "linear", "mlp:50", "mlp:200x200" (ReLU between layers; "mlp:50:tanh" for tanh) or
  // "lenet5". `image` is needed by lenet5 only and must then hold `inputs` values. Throws Error.
  static Network parse(std::string_view text, Index inputs, Index outputs, ImageShape image = {});

  // Throws Error where `text` names no network, whatever its inputs and outputs.
  static void check(const std::string& text);

  Network(std::vector<LayerKind> layers, Index inputs);

  Index inputs() const { return inputs_; }
  Index outputs() const { return layers_.empty() ? inputs_ : layers_.back().outputs; }
  Index parameters() const { return parameters_; }
  const std::vector<Layer>& layers() const { return layers_; }
  bool has_convolution() const;

  // Indices into NetworkScratch::activations of what a linear last layer could be fed with: every
  // hidden stage (after its nonlinearity or pooling), the last one last. The input (0) is not among
  // them.
  // A network that ends in a nonlinearity or pooling is a body: its output is its last stage.
  const std::vector<Index>& stages() const { return stages_; }
  // How many values the stages from the `first`-th on have together.
  Index stage_values(std::size_t first) const;

  // LeCun-normal weights (variance 1 / fan-in), zero biases. LeCun et al. 1998.
  template <class T>
  Vector<T> initial_parameters(Random& random) const;

  // What inputs of at most 1 can become: the product, over layers, of the largest Σ|w| of a row and
  // its bias (1 at least). O(parameters).
  double amplification(const ConstVectorRef<float>& parameters) const;
  // Into `parameters`, as many as this network's. Throws Error, naming the field, where inputs of 1
  // could become more than 10¹⁵, or 10³ for each of many layers.
  void read_weights(const ArchiveReader& in, std::string_view tag,
                    VectorRef<float> parameters) const;

  // Outputs of all rows of X (rows × inputs): the last of the scratch's activations. X is copied
  // to work.activations[0], unless it is that already. Cost: 2·rows·Σ in·out flops.
  template <class T>
  const Matrix<T>& forward(const ConstVectorRef<T>& parameters, const ConstMatrixRef<T>& X,
                           NetworkScratch<T>& work) const;

  // The same from layer `first` on, whose input work.activations[first] the caller has filled (its
  // rows count): for first layers that are cheaper to compute elsewhere (sparse inputs).
  template <class T>
  const Matrix<T>& forward_from(std::size_t first, const ConstVectorRef<T>& parameters,
                                NetworkScratch<T>& work) const;

  // After forward: given dL/dY (rows × outputs), writes dL/dparameters, summed over the rows.
  template <class T>
  void backward(const ConstVectorRef<T>& parameters, const ConstMatrixRef<T>& dY,
                NetworkScratch<T>& work, VectorRef<T> gradient) const;

  // The same down to layer `first` only: writes the gradient of the layers from there on and
  // returns ∂L/∂activations[first] (a view of the scratch). After a forward of many images `first`
  // is no layer amid the leading convolutions.
  template <class T>
  MatrixMap<T> backward_to(std::size_t first, const ConstVectorRef<T>& parameters,
                           const ConstMatrixRef<T>& dY, NetworkScratch<T>& work,
                           VectorRef<T> gradient) const;

  // After forward of one row: the gradient of one output with respect to all parameters.
  template <class T>
  void gradient(const ConstVectorRef<T>& parameters, Index output, NetworkScratch<T>& work,
                VectorRef<T> gradient) const;

  // After forward of one row: the gradients of all outputs, outputs × parameters.
  template <class T>
  void jacobian(const ConstVectorRef<T>& parameters, NetworkScratch<T>& work,
                MatrixRef<T> jacobian) const;

 private:
  // From ∂L/∂Y (rows × outputs) in work.delta down to the input of layer `first`, left in
  // work.delta; `at_layer` is given each layer with parameters and ∂L/∂output on the way.
  template <class T, class AtLayer>
  void go_back(std::size_t first, const ConstVectorRef<T>& parameters, Index rows,
               NetworkScratch<T>& work, const AtLayer& at_layer) const;

  Index inputs_ = 0;
  Index parameters_ = 0;
  std::vector<Layer> layers_;
  std::vector<Index> stages_;
  LaneStages lanes_;
};

}  // namespace bandolier
