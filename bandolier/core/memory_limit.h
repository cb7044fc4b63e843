// Asking before a large allocation whether the machine has the memory, so that a request that
// cannot be met is refused with its size rather than ended by the system.
#pragma once

#include <cstddef>
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
// they are not but those of all copies are, how many copies fit. `saved` are the bytes that a file
// holds of it at least: while a LoadedFile lives, more than the file has are refused too.
void require_available_memory(double bytes, std::string_view what, std::string_view advice,
                              double saved = 0);

// While it lives, what this thread makes is about to be filled from a file of so many bytes. So a
// small file that asks for a large object is refused before that is allocated.
class [[nodiscard]] LoadedFile {
 public:
  explicit LoadedFile(std::size_t bytes);
  ~LoadedFile();
  LoadedFile(const LoadedFile&) = delete;
  LoadedFile& operator=(const LoadedFile&) = delete;

 private:
  double outer_;
};

}  // namespace bandolier
