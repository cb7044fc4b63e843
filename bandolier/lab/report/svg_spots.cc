// Named points: cost (logarithmic) against reward.
#include <algorithm>
#include <limits>

#include "bandolier/lab/report/axis.h"
#include "bandolier/lab/report/figures.h"

namespace bandolier {
namespace {

struct Box {
  double left, top, right, bottom;
  bool meets(const Box& o) const {
    return left < o.right && o.left < right && top < o.bottom && o.top < bottom;
  }
};

// A place for the name of the point at `p`, clear of what is `taken`: right, left, above, below.
std::optional<Box> free_place(Point p, double width, const std::vector<Box>& taken) {
  constexpr double kGap = 8, kHalf = 7;
  const std::vector<Box> candidates = {
      {p.x + kGap, p.y - kHalf, p.x + kGap + width, p.y + kHalf},
      {p.x - kGap - width, p.y - kHalf, p.x - kGap, p.y + kHalf},
      {p.x - width / 2, p.y - 2 * kHalf - 6, p.x + width / 2, p.y - 6},
      {p.x - width / 2, p.y + 6, p.x + width / 2, p.y + 2 * kHalf + 6},
      {p.x + kGap, p.y - 3 * kHalf, p.x + kGap + width, p.y - kHalf},
      {p.x + kGap, p.y + kHalf, p.x + kGap + width, p.y + 3 * kHalf},
      {p.x - kGap - width, p.y - 3 * kHalf, p.x - kGap, p.y - kHalf},
      {p.x - kGap - width, p.y + kHalf, p.x - kGap, p.y + 3 * kHalf}};
  for (const Box& box : candidates) {
    const bool inside = box.left >= 2 && box.right <= kFigureWidth - 2 && box.top >= kPlotTop - 8;
    if (inside && std::none_of(taken.begin(), taken.end(),
                               [&box](const Box& other) { return box.meets(other); })) {
      return box;
    }
  }
  return std::nullopt;
}

// "10.0 ms" as "10 ms": a tick is a round number.
std::string without_trailing_zeros(std::string text) {
  const auto point = text.find('.');
  if (point == std::string::npos) return text;
  const auto end = std::min(text.find(' ', point), text.size());
  const auto last = text.find_last_not_of('0', end - 1);
  const auto keep = last == point ? point : last + 1;
  return text.erase(keep, end - keep);
}

}  // namespace

Svg draw_spots(const SpotChart& chart) {
  double low_x = std::numeric_limits<double>::infinity(), high_x = 0;
  double low_y = low_x, high_y = -low_x;
  for (const auto& spot : chart.spots) {
    low_x = std::min(low_x, spot.x);
    high_x = std::max(high_x, spot.x);
    low_y = std::min(low_y, spot.y);
    high_y = std::max(high_y, spot.y);
  }
  Svg svg(kFigureWidth, kPlotBottom + 44, chart.title);
  Axis x_axis = Axis::logarithmic(low_x, high_x, kPlotLeft, kPlotRight);
  x_axis.label_with([&chart](double x) { return without_trailing_zeros(chart.show_x(x)); });
  const Axis y_axis = Axis::linear(low_y, high_y, kPlotBottom, kPlotTop);
  svg.text({4, 14}, chart.title, "start");
  draw_grid(svg, y_axis, kPlotLeft, kPlotRight);
  for (const auto& tick : x_axis.ticks()) {
    const double x = x_axis.place(tick.value);
    svg.line({x, kPlotTop}, {x, kPlotBottom}, "grid");
    svg.text({x, kPlotBottom + 16}, tick.label, "middle", "soft small");
  }
  svg.line({kPlotLeft, kPlotBottom}, {kPlotRight, kPlotBottom}, "axis");
  svg.text({(kPlotLeft + kPlotRight) / 2, kPlotBottom + 34}, chart.x_title, "middle", "soft");
  svg.vertical_text({12, (kPlotTop + kPlotBottom) / 2}, chart.y_title);

  std::vector<Box> taken;
  const auto place = [&](const Spot& spot) {
    return Point{x_axis.place(spot.x), y_axis.place(spot.y)};
  };
  for (const auto& spot : chart.spots) {
    const Point p = place(spot);
    taken.push_back({p.x - 5, p.y - 5, p.x + 5, p.y + 5});
    if (spot.error) {
      svg.line({p.x, std::min(kPlotBottom, y_axis.place(spot.y - *spot.error))},
               {p.x, std::max(kPlotTop, y_axis.place(spot.y + *spot.error))},
               series_class("spread", spot.colour));
    }
    svg.circle(p, 5, series_class("fill", spot.colour), spot.name);
  }
  for (const auto& spot : chart.spots) {
    const auto box = free_place(place(spot), label_width(spot.name), taken);
    if (!box) continue;
    svg.text({box->left, box->bottom - 3}, spot.name, "start", series_class("named", spot.colour));
    taken.push_back(*box);
  }
  return svg;
}

}  // namespace bandolier
