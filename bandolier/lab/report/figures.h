// The kinds of figures: bars, lines and points. Each series keeps its colour index in all of them.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bandolier/lab/report/svg.h"

namespace bandolier {

// A horizontal bar per method, with its interval; references are vertical lines across all bars.
struct Bar {
  std::string name;
  std::size_t colour = 0;
  double value = 0;
  std::optional<double> error;      // half-width
  std::string shown;                // written beside the bar
  std::optional<double> mark = {};  // somebody else's value: a tick across the bar
  bool faint = false;               // a variant of the bar above it
};
struct Reference {
  std::string name;
  double value = 0;
};
struct BarChart {
  std::string title;
  std::vector<Bar> bars;
  std::vector<Reference> references;
  // Bars begin where the axis does and values are positive; ticks are shown by `show_tick`.
  bool log = false;
  std::function<std::string(double)> show_tick = {};  // nothing: as numbers
};
Svg draw_bars(const BarChart& chart);

// Lines with bands over a linear or logarithmic x.
struct Line {
  std::string name;
  std::size_t colour = 0;
  std::vector<double> x, y;
  std::vector<double> low, high;  // the band; empty: none
};
struct LineChart {
  std::string title, x_title, y_title;
  bool log_x = false;
  std::optional<double> y_limit;  // lines leave the figure above it
  std::vector<Line> lines;
};
Svg draw_lines(const LineChart& chart);

// One named point per method: a cost (logarithmic) against what it earned.
struct Spot {
  std::string name;
  std::size_t colour = 0;
  double x = 0, y = 0;
  std::optional<double> error;  // half-width in y
};
struct SpotChart {
  std::string title, x_title, y_title;
  std::function<std::string(double)> show_x;
  std::vector<Spot> spots;
};
Svg draw_spots(const SpotChart& chart);

}  // namespace bandolier
