// A drawing as SVG text. Colours are CSS classes of figure_style(), so that one drawing serves
// light and dark: inline in a page, which carries the style once, or in a file with its own.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace bandolier {

struct Point {
  double x = 0, y = 0;
};

class Svg {
 public:
  // `title` is what the figure shows, for those who cannot see it.
  Svg(double width, double height, std::string_view title);

  double width() const { return width_; }
  double height() const { return height_; }

  void line(Point from, Point to, std::string_view classes);
  void rectangle(Point corner, double width, double height, std::string_view classes,
                 std::string_view tooltip = {});
  void circle(Point centre, double radius, std::string_view classes, std::string_view tooltip = {});
  void polyline(const std::vector<Point>& points, std::string_view classes);
  void polygon(const std::vector<Point>& points, std::string_view classes);
  // anchor: start | middle | end
  void text(Point at, std::string_view content, std::string_view anchor,
            std::string_view classes = "label");
  void vertical_text(Point at, std::string_view content);  // centred, read upwards

  std::string str() const;         // for a page
  std::string standalone() const;  // for a file: with its own style

 private:
  std::string document(std::string_view style) const;

  double width_, height_;
  std::string title_, body_;
};

inline constexpr int kSeriesColours = 10;

// The classes of a `kind` of mark (line, band, fill, ...) of the i-th series: its colour, and a
// dash pattern once colours come round again.
std::string series_class(std::string_view kind, std::size_t index);

// The style sheet of every figure, light and dark.
std::string figure_style();

// Text for HTML and SVG: & < > " replaced.
std::string escape_markup(std::string_view text);

// About how wide a label of figure_style()'s size is.
double label_width(std::string_view text);

}  // namespace bandolier
