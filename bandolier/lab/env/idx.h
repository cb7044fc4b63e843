// IDX, the format of MNIST: two zero bytes, a type, a number of dimensions, their sizes as 32-bit
// big-endian numbers, then the values; here unsigned bytes alone.
#pragma once

#include <cstdint>
#include <vector>

#include "bandolier/core/types.h"
#include "bandolier/lab/env/input.h"

namespace bandolier {

struct IdxArray {
  std::vector<Index> sizes;
  std::vector<std::uint8_t> values;  // row by row
};

// Throws Error unless the input is one whole IDX array of bytes with `dimensions` dimensions.
IdxArray read_idx(Input& input, int dimensions);

}  // namespace bandolier
