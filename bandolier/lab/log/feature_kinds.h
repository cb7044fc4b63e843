// Features that change type: a number in one event and a word in another.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "bandolier/core/types.h"
#include "bandolier/model/named_values.h"

namespace bandolier {

class FeatureKinds {
 public:
  // Throws LogFieldError where a value is of another kind than when its name was first met. Keeps
  // up to kMostKinds names.
  void check(const NamedValues& values, Index line);

 private:
  static constexpr std::size_t kMostKinds = std::size_t{1} << 16;
  struct First {
    NamedValues::Kind kind;
    Index line;
  };
  std::unordered_map<std::uint64_t, First> first_;  // by the name's hash
};

}  // namespace bandolier
