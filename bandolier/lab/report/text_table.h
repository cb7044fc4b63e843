// A table for terminals: columns as wide as their widest cell, numbers to the right.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bandolier {

class TextTable {
 public:
  enum class Align { kLeft, kRight };
  struct Column {
    std::string title;
    Align align = Align::kRight;
  };

  explicit TextTable(std::vector<Column> columns) : columns_(std::move(columns)) {}

  void add_row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }

  // Lines of the table, the titles first. Widths count characters, not bytes.
  std::string str() const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

// Code points of a UTF-8 text.
std::size_t display_width(std::string_view text);

}  // namespace bandolier
