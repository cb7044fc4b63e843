#include "bandolier/lab/report/text_table.h"

#include <algorithm>

namespace bandolier {

std::size_t display_width(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) >> 6) != 2; }));
}

std::string TextTable::str() const {
  std::vector<std::size_t> widths;
  for (const auto& column : columns_) widths.push_back(display_width(column.title));
  for (const auto& row : rows_) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      widths[i] = std::max(widths[i], display_width(row[i]));
    }
  }
  std::string out;
  const auto add_line = [&](const auto& cell_of) {
    std::string line;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      const std::string& cell = cell_of(i);
      const std::string space(widths[i] - display_width(cell), ' ');
      if (i > 0) line += "  ";
      line += columns_[i].align == Align::kLeft ? cell + space : space + cell;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + '\n';
  };
  add_line([this](std::size_t i) -> const std::string& { return columns_[i].title; });
  for (const auto& row : rows_) {
    add_line([&row](std::size_t i) -> const std::string& { return row[i]; });
  }
  return out;
}

}  // namespace bandolier
