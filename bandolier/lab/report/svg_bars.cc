// Bars with error bars and reference lines.
#include <algorithm>

#include "bandolier/lab/report/axis.h"
#include "bandolier/lab/report/figures.h"

namespace bandolier {

Svg draw_bars(const BarChart& chart) {
  constexpr double kRow = 24, kTop = 44, kBottom = 24, kBar = 15;
  double names = 40, values = 40;
  double highest = chart.log ? chart.bars.front().value : 0, lowest = highest;
  for (const auto& bar : chart.bars) {
    names = std::max(names, std::min(label_width(bar.name), 190.0));
    values = std::max(values, label_width(bar.shown));
    highest = std::max({highest, bar.value, bar.mark.value_or(bar.value)});
    lowest = std::min(lowest, bar.value);
  }
  for (const auto& reference : chart.references) highest = std::max(highest, reference.value);
  const double left = names + 12, right = kFigureWidth - values - 10;
  const double height = kTop + kRow * static_cast<double>(chart.bars.size()) + kBottom;
  Svg svg(kFigureWidth, height, chart.title);
  Axis axis = chart.log ? Axis::logarithmic(lowest, highest, left, right)
                        : Axis::linear(lowest, highest, left, right);
  if (chart.show_tick) axis.label_with(chart.show_tick);
  const double bottom = height - kBottom;

  svg.text({4, 14}, chart.title, "start");
  for (const auto& tick : axis.ticks()) {
    const double x = axis.place(tick.value);
    svg.line({x, kTop - 4}, {x, bottom}, "grid");
    svg.text({x, bottom + 15}, tick.label, "middle", "soft small");
  }
  double y = kTop;
  for (const auto& bar : chart.bars) {
    const double zero =
        axis.place(chart.log ? axis.low() : std::max(axis.low(), std::min(0.0, axis.high())));
    const double end = axis.place(bar.value);
    const double middle = y + kBar / 2;
    svg.text({left - 8, middle + 4}, bar.name, "end");
    svg.rectangle({std::min(zero, end), y}, std::abs(end - zero), kBar,
                  series_class(bar.faint ? "band" : "fill", bar.colour),
                  bar.name + ": " + bar.shown);
    if (bar.error) {
      // An interval beyond the axis is cut there and has no end mark.
      const double low = bar.value - *bar.error, high = bar.value + *bar.error;
      const double from = axis.place(std::max(low, axis.low()));
      const double to = axis.place(std::min(high, axis.high()));
      svg.line({from, middle}, {to, middle}, "error");
      if (low >= axis.low()) svg.line({from, middle - 4}, {from, middle + 4}, "error");
      if (high <= axis.high()) svg.line({to, middle - 4}, {to, middle + 4}, "error");
    }
    if (bar.mark) {
      const double x = axis.place(*bar.mark);
      svg.line({x, y - 3}, {x, y + kBar + 3}, "reference");
    }
    svg.text({right + 8, middle + 4}, bar.shown, "start");
    y += kRow;
  }
  // Names of the references alternate between two rows, so that neighbours do not overlap.
  double last_end = -1e9;
  for (const auto& reference : chart.references) {
    const double x = axis.place(reference.value);
    const double half = label_width(reference.name) / 2;
    const double at = std::clamp(x, half + 2, kFigureWidth - half - 2);
    const double row = at - half < last_end ? kTop - 20 : kTop - 8;
    svg.line({x, kTop - 5}, {x, bottom}, "reference");
    svg.text({at, row}, reference.name, "middle", "soft small");
    last_end = at + half + 4;
  }
  return svg;
}

}  // namespace bandolier
