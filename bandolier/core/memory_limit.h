// Asking before a large allocation whether the machine has the memory, so that a request that
// cannot be met is refused with its size rather than ended by the system.
#pragma once

#include <string_view>

namespace bandolier {

// Bytes that can be allocated without swapping (MemAvailable of /proc/meminfo); infinity where that
// is unknown.
double available_memory();

// While it lives, what this thread asks for is going to be needed `copies` times at once. `flag` is
// what a user would set to have fewer: "--jobs".
class MemoryShare {
 public:
  MemoryShare(int copies, const char* flag);
  ~MemoryShare();
  MemoryShare(const MemoryShare&) = delete;
  MemoryShare& operator=(const MemoryShare&) = delete;

 private:
  int outer_copies_;
  const char* outer_flag_;
};

// Throws Error, naming `what`, its size and `advice`, if `bytes` are more than available; or, where
// they are not but those of all copies are, how many copies fit.
void require_available_memory(double bytes, std::string_view what, std::string_view advice);

}  // namespace bandolier
