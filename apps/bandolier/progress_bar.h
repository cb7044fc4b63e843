// Progress on stderr: a bar with the time left on a terminal, a line now and then elsewhere.
#pragma once

#include <chrono>
#include <string>

#include "bandolier/lab/experiment/experiment.h"

namespace bandolier {

class ProgressBar {
 public:
  explicit ProgressBar(bool quiet);
  ~ProgressBar();
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void show(const Progress& progress);
  // The same with words of the caller's own.
  void show(double fraction, const std::string& text);
  // A line of its own, above the bar; also where `quiet`.
  void notice(std::string_view message);

 private:
  void clear();

  bool quiet_, terminal_, colour_;
  bool drawn_ = false;
  std::chrono::steady_clock::time_point next_;
};

}  // namespace bandolier
