// Large pages for large arrays. A matrix of tens of megabytes that every step reads takes thousands
// of small pages, whose addresses the processor must look up: with large ones it is read at up to
// twice the speed.
#pragma once

#include <cstddef>

namespace bandolier {

// Asks the system for large pages where [begin, begin + bytes) is not yet written to. Does nothing
// for small arrays and where the system has no such pages; never fails.
void prefer_huge_pages(void* begin, std::size_t bytes);

}  // namespace bandolier
