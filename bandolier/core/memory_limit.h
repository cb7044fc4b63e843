// Asking before a large allocation whether the machine has the memory, so that a request that
// cannot be met is refused with its size rather than ended by the system.
#pragma once

#include <string_view>

namespace bandolier {

// Bytes that can be allocated without swapping (MemAvailable of /proc/meminfo); infinity where that
// is unknown.
double available_memory();

// Throws Error, naming `what`, its size and `advice`, if `bytes` are more than available.
void require_available_memory(double bytes, std::string_view what, std::string_view advice);

}  // namespace bandolier
