// Names and their places, in the order in which they came: 0, 1, 2, ... Open addressing over the
// stable hash, verified by comparing names. Finding allocates nothing; adding does only where a
// longer list than ever before needs room.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "bandolier/core/types.h"

namespace bandolier {

class NameIndex {
 public:
  static constexpr Index kNone = -1;

  Index size() const { return static_cast<Index>(entries_.size()); }
  std::string_view name(Index place) const;
  std::uint64_t hash(Index place) const { return entry(place).hash; }
  std::uint8_t tag(Index place) const { return entry(place).tag; }

  // `hash` is hash_name(name). Equal names of different tags are different names.
  Index find(std::string_view name, std::uint64_t hash, std::uint8_t tag = 0) const;
  // Its place. It must not be there yet.
  Index add(std::string_view name, std::uint64_t hash, std::uint8_t tag = 0);

  void clear();  // O(1); keeps its memory
  std::size_t bytes() const;

 private:
  struct Entry {
    std::uint64_t hash;
    std::uint32_t begin, size;  // in text_
    std::uint8_t tag;
  };
  // Empty unless its stamp is the index's own.
  struct Bucket {
    std::uint32_t stamp = 0, place = 0;
  };
  const Entry& entry(Index place) const { return entries_[static_cast<std::size_t>(place)]; }
  void put(std::uint32_t place);
  void grow();

  std::string text_;
  std::vector<Entry> entries_;
  std::vector<Bucket> buckets_;  // a power of two, at least twice the entries
  std::uint32_t stamp_ = 1;
};

}  // namespace bandolier
