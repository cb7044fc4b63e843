#include "bandolier/lab/report/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace bandolier {
namespace {

// How many decimals show three digits of a number, two at least where it is 0.1 to 10; nothing for
// one so large or small that it is shown by a power of ten.
std::optional<int> decimals_for(double value) {
  const double size = std::abs(value);
  if (size >= 1e9 || (size > 0 && size < 1e-4)) return std::nullopt;
  if (size > 0 && size < 0.1) return 2 - static_cast<int>(std::floor(std::log10(size)));
  return size >= 100 ? 0 : size >= 10 ? 1 : 2;
}

std::string show(double value, const std::optional<int>& decimals) {
  if (decimals || !std::isfinite(value)) return with_commas(value, decimals.value_or(0));
  if (value == 0) return "0";
  return fmt::format("{}{:.2e}", value < 0 ? "−" : "", std::abs(value));
}

}  // namespace

std::string with_commas(double value, int decimals) {
  if (!std::isfinite(value)) return "–";
  std::string text = fmt::format("{:.{}f}", std::abs(value), decimals);
  const auto point = std::min(text.find('.'), text.size());
  for (auto i = static_cast<std::ptrdiff_t>(point) - 3; i > 0; i -= 3) {
    text.insert(static_cast<std::size_t>(i), 1, ',');
  }
  const bool zero = text.find_first_not_of("0.,") == std::string::npos;
  return value < 0 && !zero ? fmt::format("−{}", text) : text;
}

std::string show_reward(double value) { return show(value, decimals_for(value)); }

std::string show_estimate(const Estimate& estimate) {
  if (estimate.count == 0) return "–";
  const auto decimals = decimals_for(std::max(std::abs(estimate.mean), estimate.ci95.value_or(0)));
  const std::string mean = show(estimate.mean, decimals);
  return estimate.ci95 ? fmt::format("{} ± {}", mean, show(*estimate.ci95, decimals)) : mean;
}

std::string show_difference(const Estimate& estimate) {
  const std::string text = show_estimate(estimate);
  return estimate.count > 0 && estimate.mean > 0 ? fmt::format("+{}", text) : text;
}

std::string show_share(const std::optional<double>& share) {
  if (!share) return "–";
  const double percent = 100 * *share;
  return std::abs(percent) < 1e5 ? with_commas(percent, 1) : show(percent, std::nullopt);
}

std::string show_bytes(double bytes) {
  constexpr std::array kUnits = {"B", "kB", "MB", "GB", "TB"};
  std::size_t unit = 0;
  while (bytes >= 1000 && unit + 1 < kUnits.size()) {
    bytes /= 1000;
    ++unit;
  }
  return fmt::format("{:.{}f} {}", bytes, unit == 0 || bytes >= 100 ? 0 : 1, kUnits[unit]);
}

std::string show_seconds(double seconds) {
  if (!std::isfinite(seconds)) return "–";
  if (seconds < 0.001) return fmt::format("{:.0f} µs", seconds * 1e6);
  if (seconds < 0.1) return fmt::format("{:.1f} ms", seconds * 1e3);
  if (seconds < 10) return fmt::format("{:.2f} s", seconds);
  if (seconds < 60) return fmt::format("{:.0f} s", seconds);
  const auto whole = static_cast<long>(std::lround(seconds));
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
}

std::string show_microseconds(const std::optional<double>& us) {
  if (!us) return "–";
  return *us < 100 ? fmt::format("{:.1f}", *us) : with_commas(*us);
}

}  // namespace bandolier
