#include "bandolier/core/stream_key.h"

#include <limits>

namespace bandolier {

void save_key(const StreamKey& key, ArchiveWriter& out) {
  out.write("key",
            std::vector<std::int64_t>{static_cast<std::int64_t>(key.seed),
                                      static_cast<std::int64_t>(key.purpose), key.trial, key.step});
}

StreamKey load_key(const ArchiveReader& in) {
  constexpr auto kAny = std::numeric_limits<std::int64_t>{};
  const auto words = in.read_integers("key", 4, kAny.min(), kAny.max());
  return {static_cast<std::uint64_t>(words[0]), static_cast<Purpose>(words[1]),
          static_cast<std::uint32_t>(words[2]), static_cast<std::uint32_t>(words[3])};
}

}  // namespace bandolier
