// One self-contained HTML page: its style is inside, and nothing is loaded from elsewhere.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace bandolier {

// Cells are HTML; the first column is a row's heading.
struct HtmlTable {
  std::vector<std::string> titles;
  std::vector<std::vector<std::string>> rows;
  std::string str() const;  // scrolls sideways where the window is narrow
};

class HtmlPage {
 public:
  explicit HtmlPage(std::string title) : title_(std::move(title)) {}

  void add(std::string_view html) { body_ += html; }
  void heading(int level, std::string_view text);
  void paragraph(std::string_view text);
  void code(std::string_view text);                    // a command to copy
  void figures(const std::vector<std::string>& svgs);  // side by side where there is room

  std::string str() const;

 private:
  std::string title_, body_;
};

}  // namespace bandolier
