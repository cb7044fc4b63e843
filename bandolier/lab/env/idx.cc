#include "bandolier/lab/env/idx.h"

#include <algorithm>

#include "bandolier/core/error.h"

namespace bandolier {

IdxArray read_idx(Input& input, int dimensions) {
  std::vector<char> header(static_cast<std::size_t>(4 + 4 * dimensions));
  const std::size_t found = input.read(header);
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(header[i]); };
  if (found < 4 || byte(0) != 0 || byte(1) != 0 || byte(2) != 8 || byte(3) != dimensions) {
    fail(
        "{}: found a file that does not begin as IDX does: expected the bytes 0 0 8 {}, unsigned "
        "bytes in {} dimension{}",
        input.name(), dimensions, dimensions, dimensions == 1 ? "" : "s");
  }
  if (found < header.size()) {
    fail("{} is cut within its header: expected {} bytes, found {}", input.name(), header.size(),
         found);
  }
  IdxArray array;
  std::uint64_t expected = 1;
  constexpr std::uint64_t kMost = std::uint64_t{1} << 36;
  for (std::size_t d = 4; d < header.size(); d += 4) {
    const std::uint64_t size = std::uint64_t{byte(d)} << 24 | std::uint64_t{byte(d + 1)} << 16 |
                               std::uint64_t{byte(d + 2)} << 8 | std::uint64_t{byte(d + 3)};
    array.sizes.push_back(static_cast<Index>(size));
    if (size == 0 || size > kMost / expected) {
      fail(
          "{}: found {} as the size of dimension {}: expected at least 1, and at most 64 GiB in "
          "all",
          input.name(), size, d / 4);
    }
    expected *= size;
  }
  // Grown as bytes arrive: a header that lies costs no memory.
  constexpr std::uint64_t kChunk = std::uint64_t{1} << 24;
  std::uint64_t have = 0;
  while (have < expected) {
    const std::uint64_t want = std::min(expected - have, std::max(kChunk, have));
    array.values.resize(have + want);
    const std::size_t count =
        input.read({reinterpret_cast<char*>(array.values.data()) + have, want});
    have += count;
    if (count < want) {
      fail("{} is cut: expected {} values, found {}", input.name(), expected, have);
    }
  }
  char more = 0;
  if (input.read({&more, 1}) != 0) {
    fail("{}: found bytes after the last of {} values: expected its end", input.name(), expected);
  }
  return array;
}

}  // namespace bandolier
