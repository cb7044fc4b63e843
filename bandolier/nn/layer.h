// The kinds of layers that a network is made of, and their sizes. Images lie as height × width ×
// channels.
#pragma once

#include <variant>

#include "bandolier/core/types.h"

namespace bandolier {

struct ImageShape {
  Index height = 0, width = 0, channels = 0;
  Index size() const { return height * width * channels; }
  bool operator==(const ImageShape&) const = default;
};

// y = W x + b.  W: out × in.
struct Dense {
  Index in = 0, out = 0;
  Index parameters() const { return out * (in + 1); }
};

// A k × k convolution with stride 1 and `padding` zeros on every side.
// Kernel: filters × (k·k·channels), a row in the order (dy, dx, channel); then one bias per filter.
struct Convolution {
  ImageShape in;
  Index kernel = 0, padding = 0, filters = 0;
  ImageShape out() const {
    return {in.height + 2 * padding - kernel + 1, in.width + 2 * padding - kernel + 1, filters};
  }
  Index patch() const { return kernel * kernel * in.channels; }
  Index parameters() const { return filters * (patch() + 1); }
};

// 2 × 2 mean, stride 2; odd last rows and columns are dropped.
struct AveragePool {
  ImageShape in;
  ImageShape out() const { return {in.height / 2, in.width / 2, in.channels}; }
};

struct Relu {};
struct Tanh {};

using LayerKind = std::variant<Dense, Convolution, AveragePool, Relu, Tanh>;

struct Layer {
  LayerKind kind;
  Index inputs = 0, outputs = 0;  // numbers of values
  Index offset = 0;               // of its parameters in the flat vector
  Index parameters = 0;
};

}  // namespace bandolier
