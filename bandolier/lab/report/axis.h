// A linear or logarithmic scale from values to places in a drawing, with round ticks.
#pragma once

#include <string>
#include <vector>

#include "bandolier/lab/report/svg.h"

namespace bandolier {

// The width of every figure, and where lines and spots are plotted within it.
inline constexpr double kFigureWidth = 520;
inline constexpr double kPlotLeft = 64, kPlotRight = kFigureWidth - 26, kPlotTop = 28,
                        kPlotBottom = 278;

struct Tick {
  double value = 0;
  std::string label;
};

class Axis {
 public:
  // From low to high, widened to round values; drawn from `from` to `to`.
  static Axis linear(double low, double high, double from, double to);
  // low > 0; widened by 1.3 at both ends. Ticks at powers of ten, and at 2 and 5 times them where
  // it spans fewer than three.
  static Axis logarithmic(double low, double high, double from, double to);

  double place(double value) const;
  double low() const { return low_; }
  double high() const { return high_; }
  const std::vector<Tick>& ticks() const { return ticks_; }

  // Replaces the ticks' labels by what `show` makes of their values.
  template <class Show>
  void label_with(Show show) {
    for (auto& tick : ticks_) tick.label = show(tick.value);
  }

 private:
  bool log_ = false;
  double low_ = 0, high_ = 1, from_ = 0, to_ = 1;
  std::vector<Tick> ticks_;
};

// A grid line from `left` to `right` and a label for every tick of a vertical axis.
void draw_grid(Svg& svg, const Axis& y_axis, double left, double right);

}  // namespace bandolier
