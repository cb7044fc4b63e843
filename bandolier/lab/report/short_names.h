// Specs of any length as tables name them: "[1] auto:prior_predic…", with a legend of the whole.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "bandolier/lab/experiment/settings.h"

namespace bandolier {

class ShortNames {
 public:
  // Names wider than `width` are cut. `letter` goes before their numbers.
  ShortNames(const std::vector<LabelledSpec>& list, std::size_t width, std::string letter = "");

  std::string name(Index i) const;                    // "linear", "[2] auto:prior…"
  std::string brief(Index i) const;                   // "linear", "[2]"
  std::string brief(std::span<const Index> i) const;  // "linear, [2]"
  // "  [2] the whole" for each that was cut, a line each; with its spec where it has a label.
  std::string legend() const;

 private:
  bool cut(Index i) const;
  std::string number(Index i) const;

  const std::vector<LabelledSpec>& list_;
  std::size_t width_;
  std::string letter_;
};

}  // namespace bandolier
