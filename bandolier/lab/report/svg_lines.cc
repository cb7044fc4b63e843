// Lines with bands, and a legend below.
#include <algorithm>
#include <limits>

#include "bandolier/lab/report/axis.h"
#include "bandolier/lab/report/figures.h"

namespace bandolier {
namespace {

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  void add(double v) {
    low = std::min(low, v);
    high = std::max(high, v);
  }
};

// A legend in rows that fit the width, drawn unless `svg` is null. Returns the number of rows.
int legend_rows(const std::vector<Line>& lines, Svg* svg, double top) {
  double x = 10;
  int row = 0;
  for (const auto& line : lines) {
    const double width = 26 + label_width(line.name) + 12;
    if (x > 10 && x + width > kFigureWidth) {
      x = 10;
      ++row;
    }
    if (svg != nullptr) {
      const double y = top + 18 * row;
      svg->line({x, y - 4}, {x + 20, y - 4}, series_class("line", line.colour));
      svg->text({x + 26, y}, line.name, "start");
    }
    x += width;
  }
  return row + 1;
}

}  // namespace

Svg draw_lines(const LineChart& chart) {
  Range xs, ys;
  if (!chart.log_x) xs.add(0);
  for (const auto& line : chart.lines) {
    for (const double x : line.x) xs.add(x);
    for (const double y : line.y) ys.add(y);
  }
  // Bands may widen the range of the lines, but not so far that the lines are lost in it.
  const double margin = 0.3 * (ys.high - ys.low);
  Range bands = ys;
  for (const auto& line : chart.lines) {
    for (const double y : line.low) bands.add(std::max(y, ys.low - margin));
    for (const double y : line.high) bands.add(std::min(y, ys.high + margin));
  }
  ys = bands;
  if (chart.lines.empty() || xs.low > xs.high) {
    xs = {1, 10};
    ys = {0, 1};
  }
  if (chart.y_limit) ys.high = std::min(ys.high, *chart.y_limit);
  const int rows = legend_rows(chart.lines, nullptr, 0);
  Svg svg(kFigureWidth, kPlotBottom + 44 + 18 * rows, chart.title);
  const Axis x_axis = chart.log_x ? Axis::logarithmic(xs.low, xs.high, kPlotLeft, kPlotRight)
                                  : Axis::linear(xs.low, xs.high, kPlotLeft, kPlotRight);
  const Axis y_axis = Axis::linear(ys.low, ys.high, kPlotBottom, kPlotTop);

  svg.text({4, 14}, chart.title, "start");
  draw_grid(svg, y_axis, kPlotLeft, kPlotRight);
  for (const auto& tick : x_axis.ticks()) {
    const double x = x_axis.place(tick.value);
    svg.line({x, kPlotBottom}, {x, kPlotBottom + 4}, "axis");
    svg.text({x, kPlotBottom + 16}, tick.label, "middle", "soft small");
  }
  svg.line({kPlotLeft, kPlotBottom}, {kPlotRight, kPlotBottom}, "axis");
  svg.text({(kPlotLeft + kPlotRight) / 2, kPlotBottom + 32}, chart.x_title, "middle", "soft");
  svg.vertical_text({12, (kPlotTop + kPlotBottom) / 2}, chart.y_title);

  const auto place = [&](double x, double y) {
    return Point{x_axis.place(x), std::clamp(y_axis.place(y), kPlotTop, kPlotBottom)};
  };
  for (const auto& line : chart.lines) {
    if (line.low.empty()) continue;
    std::vector<Point> band;
    for (std::size_t i = 0; i < line.x.size(); ++i) band.push_back(place(line.x[i], line.high[i]));
    for (std::size_t i = line.x.size(); i-- > 0;) band.push_back(place(line.x[i], line.low[i]));
    svg.polygon(band, series_class("band", line.colour));
  }
  for (const auto& line : chart.lines) {
    std::vector<Point> points;
    for (std::size_t i = 0; i < line.x.size(); ++i) {
      points.push_back(place(line.x[i], line.y[i]));
      if (y_axis.place(line.y[i]) < kPlotTop) break;
    }
    svg.polyline(points, series_class("line", line.colour));
    if (chart.log_x) {
      for (const auto& p : points) svg.circle(p, 3, series_class("fill", line.colour));
    }
  }
  legend_rows(chart.lines, &svg, kPlotBottom + 52);
  return svg;
}

}  // namespace bandolier
