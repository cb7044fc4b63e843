#include "bandolier/core/memory_limit.h"

#include <cmath>
#include <fstream>
#include <limits>
#include <string>
#include <utility>

#include "bandolier/core/error.h"

namespace bandolier {
namespace {

thread_local int copies = 1;
thread_local const char* copies_flag = "";
// Of the file that this thread loads.
thread_local double file_bytes = std::numeric_limits<double>::infinity();

}  // namespace

MemoryShare::MemoryShare(int wanted, const char* flag)
    : outer_copies_(std::exchange(copies, wanted)), outer_flag_(std::exchange(copies_flag, flag)) {}

MemoryShare::~MemoryShare() {
  copies = outer_copies_;
  copies_flag = outer_flag_;
}

LoadedFile::LoadedFile(std::size_t bytes)
    : outer_(std::exchange(file_bytes, static_cast<double>(bytes))) {}

LoadedFile::~LoadedFile() { file_bytes = outer_; }

double available_memory() {
  std::ifstream file("/proc/meminfo");
  std::string word;
  while (file >> word) {
    double kilobytes = 0;
    if (word == "MemAvailable:" && file >> kilobytes) return 1024 * kilobytes;
  }
  return std::numeric_limits<double>::infinity();
}

void require_available_memory(double bytes, std::string_view what, std::string_view advice,
                              double saved) {
  if (saved > file_bytes) {
    fail("{} is {:.0f} bytes of a file or more, and the file has {:.0f}: no agent saved it so",
         what, saved, file_bytes);
  }
  // Small requests need no system call.
  constexpr double kSmall = 64 << 20;
  if (copies * bytes < kSmall) return;
  const double available = available_memory();
  if (bytes > available) {
    fail("{} needs {:.3g} GB, and {:.3g} GB are available: {}", what, bytes / 1e9, available / 1e9,
         advice);
  }
  if (copies * bytes > available) {
    fail(
        "{} needs {:.3g} GB for each of {} trials side by side, and {:.3g} GB are available: use "
        "{} {}",
        what, bytes / 1e9, copies, available / 1e9, copies_flag, std::floor(available / bytes));
  }
}

}  // namespace bandolier
