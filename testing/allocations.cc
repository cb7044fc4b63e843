#include "testing/allocations.h"

#include <cerrno>
#include <cstddef>

// Eigen defines __has_feature for compilers that have none.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define BANDOLIER_SANITIZED
#elif defined(__clang__)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define BANDOLIER_SANITIZED
#endif
#endif

namespace {

thread_local std::int64_t count = 0;

}  // namespace

#ifdef BANDOLIER_SANITIZED

// A sanitizer's own malloc must stay in place; it calls back. (Declared in its
// sanitizer/allocator_interface.h, which g++ does not ship.)
extern "C" int __sanitizer_install_malloc_and_free_hooks(void (*malloc_hook)(const volatile void*,
                                                                             std::size_t),
                                                         void (*free_hook)(const volatile void*));

namespace {

[[maybe_unused]] const int installed = __sanitizer_install_malloc_and_free_hooks(
    [](const volatile void*, std::size_t) { ++count; }, [](const volatile void*) {});

}  // namespace

#else

// glibc's allocator under the names that it keeps for replacements; free stays its own.
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t number, std::size_t size);
void* __libc_realloc(void* pointer, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);

void* malloc(std::size_t size) noexcept {
  ++count;
  return __libc_malloc(size);
}

void* calloc(std::size_t number, std::size_t size) noexcept {
  ++count;
  return __libc_calloc(number, size);
}

void* realloc(void* pointer, std::size_t size) noexcept {
  ++count;
  return __libc_realloc(pointer, size);
}

void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
  ++count;
  return __libc_memalign(alignment, size);
}

int posix_memalign(void** pointer, std::size_t alignment, std::size_t size) noexcept {
  ++count;
  *pointer = __libc_memalign(alignment, size);
  return *pointer == nullptr ? ENOMEM : 0;
}
}

#endif

namespace bandolier::testing {

std::int64_t allocations() { return count; }

}  // namespace bandolier::testing
