// An archive that holds one field of every type inside nested sections, for tests.
// testing/data/archive-v2.bndl holds the same, written when version 2 was new.
#pragma once

#include <string>
#include <vector>

#include "bandolier/core/archive.h"
#include "bandolier/core/archive_format.h"

namespace bandolier::testing {

inline std::string example_archive() {
  ArchiveWriter out;
  out.write("kind", "example");
  {
    const auto outer = out.section("outer");
    out.write("integer", -7);
    out.write("bool", true);
    out.write("double", 0.1);
    for (const std::size_t i : {0u, 1u}) {
      const auto member = out.section("members", i);
      out.write("text", i == 0 ? "λ = ¼" : "");
      out.write("integers", std::vector<std::int64_t>{1, -2, 1LL << 40});
      out.write("doubles", std::vector<double>{2.5, -0.0});
      out.write("texts", std::vector<std::string>{"", "two", "µ"});
    }
    out.write("float vector", Vector<float>{{0.5f, -1.25f, 3e38f}});
    out.write("double vector", Vector<double>{{1.0 / 3, -1e-300}});
  }
  out.write("float matrix", Matrix<float>{{1, 2, 3}, {4, 5, 6}});
  out.write("double matrix", Matrix<double>{{1}, {2}});
  return out.finish();
}

// `bytes` with the header's length and the checksum made to fit: damage that a checksum cannot see.
inline std::string reseal(std::string bytes) {
  bytes.resize(bytes.size() - kArchiveTrailer);
  const std::uint64_t length = bytes.size() - kArchiveHeader;
  std::memcpy(bytes.data() + 12, &length, 8);
  const std::uint32_t checksum = archive_checksum(bytes);
  bytes.append(reinterpret_cast<const char*>(&checksum), 4);
  return bytes;
}

}  // namespace bandolier::testing
