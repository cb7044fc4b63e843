#include "bandolier/core/memory_limit.h"

#include <fstream>
#include <limits>
#include <string>

#include "bandolier/core/error.h"

namespace bandolier {

double available_memory() {
  std::ifstream file("/proc/meminfo");
  std::string word;
  while (file >> word) {
    double kilobytes = 0;
    if (word == "MemAvailable:" && file >> kilobytes) return 1024 * kilobytes;
  }
  return std::numeric_limits<double>::infinity();
}

void require_available_memory(double bytes, std::string_view what, std::string_view advice) {
  // Small requests need no system call.
  constexpr double kSmall = 64 << 20;
  if (bytes < kSmall) return;
  const double available = available_memory();
  if (bytes > available) {
    fail("{} needs {:.3g} GB, and {:.3g} GB are available: {}", what, bytes / 1e9, available / 1e9,
         advice);
  }
}

}  // namespace bandolier
