// A table from arrays in memory, as read_table makes one of a file: the same numbers give the same
// table.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bandolier/lab/env/table.h"

namespace bandolier {

struct ArrayColumn {
  std::string name;
  bool outcome = false;         // a reward: kept as it is
  std::vector<double> numbers;  // NaN where one is missing
  // Or, where there are words: positions in them, -1 where one is missing.
  std::vector<std::int32_t> codes = {};
  std::vector<std::string> words = {};  // ascending
};

// `name` is what errors call it. Throws Error naming row and column for a number that is not
// finite, and for columns of different lengths.
Table make_array_table(const std::string& name, const std::vector<ArrayColumn>& columns);

}  // namespace bandolier
