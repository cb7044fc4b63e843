#include "bandolier/lab/report/short_names.h"

#include <fmt/format.h>

#include "bandolier/core/text.h"
#include "bandolier/lab/report/text_table.h"

namespace bandolier {

ShortNames::ShortNames(const std::vector<LabelledSpec>& list, std::size_t width, std::string letter)
    : list_(list), width_(width), letter_(std::move(letter)) {}

bool ShortNames::cut(Index i) const {
  return display_width(list_[static_cast<std::size_t>(i)].shown()) > width_;
}

std::string ShortNames::number(Index i) const { return fmt::format("[{}{}]", letter_, i + 1); }

std::string ShortNames::name(Index i) const {
  const std::string& shown = list_[static_cast<std::size_t>(i)].shown();
  return cut(i) ? shortened(fmt::format("{} {}", number(i), shown), width_) : shown;
}

std::string ShortNames::brief(Index i) const {
  return cut(i) ? number(i) : list_[static_cast<std::size_t>(i)].shown();
}

std::string ShortNames::brief(std::span<const Index> indices) const {
  std::vector<std::string> names;
  for (const Index i : indices) names.push_back(brief(i));
  return join(names, ", ");
}

std::string ShortNames::legend() const {
  std::string out;
  for (Index i = 0; i < static_cast<Index>(list_.size()); ++i) {
    const auto& [spec, label] = list_[static_cast<std::size_t>(i)];
    if (!cut(i)) continue;
    out += fmt::format("  {} {}\n", number(i), label.empty() ? spec : label + ": " + spec);
  }
  return out;
}

}  // namespace bandolier
