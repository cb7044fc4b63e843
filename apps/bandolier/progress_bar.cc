#include "progress_bar.h"

#include <algorithm>
#include <cmath>

#include "bandolier/core/error.h"
#include "bandolier/lab/report/format.h"
#include "console.h"

namespace bandolier {
namespace {

using Clock = std::chrono::steady_clock;
constexpr auto kRedraw = std::chrono::milliseconds(100);
constexpr auto kSparse = std::chrono::seconds(10);

std::string words(const Progress& progress) {
  std::string text = fmt::format("{} of {} trials", progress.trials_done, progress.trials);
  if (progress.seconds_left) {
    const double left = std::ceil(*progress.seconds_left);
    text += left < 60 ? fmt::format(", {:.0f} s left", left)
                      : fmt::format(", {} left", show_seconds(left));
  }
  return text;
}

}  // namespace

ProgressBar::ProgressBar(bool quiet)
    : quiet_(quiet),
      terminal_(stderr_is_terminal()),
      colour_(colour_allowed()),
      next_(Clock::now() + (terminal_ ? Clock::duration(kRedraw) : Clock::duration(kSparse))) {}

ProgressBar::~ProgressBar() { clear(); }

void ProgressBar::clear() {
  if (drawn_) print_raw_notice("\r\033[K");
  drawn_ = false;
}

void ProgressBar::notice(std::string_view message) {
  clear();
  print_notice(message);
}

void ProgressBar::show(const Progress& progress) { show(progress.fraction, words(progress)); }

void ProgressBar::show(double fraction, const std::string& text) {
  const auto now = Clock::now();
  if (quiet_ || now < next_) return;
  if (!terminal_) {
    next_ = now + kSparse;
    print_notice(text);
    return;
  }
  next_ = now + kRedraw;
  const int cells = std::clamp(terminal_width() - static_cast<int>(text.size()) - 5, 0, 40);
  const int full = static_cast<int>(std::lround(fraction * cells));
  std::string bar;
  for (int i = 0; i < cells; ++i) bar += i < full ? "█" : "░";
  print_raw_notice(colour_ ? fmt::format("\r\033[K\033[36m{}\033[0m {}", bar, text)
                           : fmt::format("\r\033[K{} {}", bar, text));
  drawn_ = true;
}

}  // namespace bandolier
