#include "bandolier/lab/report/axis.h"

#include <algorithm>
#include <cmath>

#include "bandolier/core/text.h"
#include "bandolier/lab/report/format.h"

namespace bandolier {
namespace {

// The smallest of 1, 2, 5 × 10^k that is at least `raw`.
double round_step(double raw) {
  const double power = std::pow(10.0, std::floor(std::log10(raw)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    if (factor * power >= raw * 0.999) return factor * power;
  }
  return 10 * power;
}

}  // namespace

Axis Axis::linear(double low, double high, double from, double to) {
  if (!(high > low)) {
    const double margin = std::max(std::abs(low) * 0.1, 1e-9);
    low -= margin;
    high += margin;
  }
  constexpr double kTicks = 5;
  const double step = round_step((high - low) / kTicks);
  Axis axis;
  axis.from_ = from;
  axis.to_ = to;
  const auto first = static_cast<long>(std::floor(low / step + 1e-9));
  const auto last = static_cast<long>(std::ceil(high / step - 1e-9));
  axis.low_ = static_cast<double>(first) * step;
  axis.high_ = static_cast<double>(last) * step;
  const int decimals = std::max(0, static_cast<int>(-std::floor(std::log10(step) + 1e-9)));
  for (long i = first; i <= last; ++i) {
    const double value = static_cast<double>(i) * step;
    axis.ticks_.push_back({value, with_commas(value, decimals)});
  }
  return axis;
}

Axis Axis::logarithmic(double low, double high, double from, double to) {
  Axis axis;
  axis.log_ = true;
  axis.from_ = from;
  axis.to_ = to;
  axis.low_ = low / 1.3;
  axis.high_ = high * 1.3;
  const auto first = static_cast<int>(std::floor(std::log10(axis.low_)));
  const auto last = static_cast<int>(std::ceil(std::log10(axis.high_)));
  const bool few = axis.high_ / axis.low_ < 1000;
  for (int k = first; k <= last; ++k) {
    for (const double factor : {1.0, 2.0, 5.0}) {
      const double value = factor * std::pow(10.0, k);
      if (value < axis.low_ || value > axis.high_ || (!few && factor > 1)) continue;
      axis.ticks_.push_back({value, to_text(value)});
    }
  }
  return axis;
}

double Axis::place(double value) const {
  const double share =
      log_ ? std::log(value / low_) / std::log(high_ / low_) : (value - low_) / (high_ - low_);
  return from_ + share * (to_ - from_);
}

void draw_grid(Svg& svg, const Axis& y_axis, double left, double right) {
  for (const auto& tick : y_axis.ticks()) {
    const double y = y_axis.place(tick.value);
    svg.line({left, y}, {right, y}, "grid");
    svg.text({left - 6, y + 4}, tick.label, "end", "soft small");
  }
}

}  // namespace bandolier
