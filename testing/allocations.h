// Counts heap allocations (malloc and all that ends in it: new, Eigen), for tests of code that must
// not allocate. Linked into a test binary, testing/allocations.cc replaces its malloc.
#pragma once

#include <cstdint>

namespace bandolier::testing {

// Allocations made by this thread so far.
std::int64_t allocations();

}  // namespace bandolier::testing
