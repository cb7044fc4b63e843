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
  std::size_t width() const;  // of the widest line

 private:
  std::vector<std::size_t> widths() const;  // of the columns

  std::vector<Column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

// Code points of a UTF-8 text.
std::size_t display_width(std::string_view text);

// The text, or its beginning and "…" where it is wider.
std::string shortened(std::string_view text, std::size_t width);

}  // namespace bandolier
