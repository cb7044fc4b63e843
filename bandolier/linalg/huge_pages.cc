#include "bandolier/linalg/huge_pages.h"

#include <cstdint>

#ifdef __linux__
#include <sys/mman.h>
#endif

namespace bandolier {

void prefer_huge_pages([[maybe_unused]] void* begin, [[maybe_unused]] std::size_t bytes) {
#if defined(__linux__) && defined(MADV_HUGEPAGE)
  // Advice is for whole pages; the ends, shared with neighbours, are left as they are.
  constexpr std::uintptr_t kPage = 4096, kLarge = std::uintptr_t{1} << 22;
  const auto from = reinterpret_cast<std::uintptr_t>(begin);
  const std::uintptr_t first = (from + kPage - 1) / kPage * kPage;
  const std::uintptr_t last = (from + bytes) / kPage * kPage;
  if (last < first + kLarge) return;
  ::madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);
#endif
}

}  // namespace bandolier
