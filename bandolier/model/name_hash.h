// A 64-bit hash of a name, the same on every machine and in every version: FNV-1a over its bytes,
// then the finaliser of MurmurHash3, since FNV alone mixes its high bits badly.
#pragma once

#include <cstdint>
#include <string_view>

namespace bandolier {

// MurmurHash3's finaliser: every bit of the result depends on every bit of h.
inline std::uint64_t mixed_bits(std::uint64_t h) {
  h = (h ^ (h >> 33)) * 0xff51afd7ed558ccdull;
  h = (h ^ (h >> 33)) * 0xc4ceb9fe1a85ec53ull;
  return h ^ (h >> 33);
}

// Takes a name in parts: the hash of "user" + "." + "age" is that of "user.age".
class NameHash {
 public:
  void add(std::string_view part) {
    for (const char c : part) {
      state_ = (state_ ^ static_cast<unsigned char>(c)) * 0x100000001b3ull;
    }
  }

  std::uint64_t value() const { return mixed_bits(state_); }

 private:
  std::uint64_t state_ = 0xcbf29ce484222325ull;
};

inline std::uint64_t hash_name(std::string_view name) {
  NameHash hash;
  hash.add(name);
  return hash.value();
}

}  // namespace bandolier
