#include "bandolier/model/name_index.h"

#include <algorithm>

namespace bandolier {

std::string_view NameIndex::name(Index place) const {
  return std::string_view(text_).substr(entry(place).begin, entry(place).size);
}

Index NameIndex::find(std::string_view name, std::uint64_t hash, std::uint8_t tag) const {
  if (buckets_.empty()) return kNone;
  const std::size_t mask = buckets_.size() - 1;
  for (std::size_t at = hash & mask; buckets_[at].stamp == stamp_; at = (at + 1) & mask) {
    const auto place = static_cast<Index>(buckets_[at].place);
    const Entry& found = entry(place);
    if (found.hash == hash && found.tag == tag && this->name(place) == name) return place;
  }
  return kNone;
}

Index NameIndex::add(std::string_view name, std::uint64_t hash, std::uint8_t tag) {
  const auto begin = static_cast<std::uint32_t>(text_.size());
  text_.append(name);
  entries_.push_back({hash, begin, static_cast<std::uint32_t>(name.size()), tag});
  if (2 * entries_.size() > buckets_.size()) {
    grow();
  } else {
    put(static_cast<std::uint32_t>(entries_.size() - 1));
  }
  return size() - 1;
}

void NameIndex::put(std::uint32_t place) {
  const std::size_t mask = buckets_.size() - 1;
  std::size_t at = entries_[place].hash & mask;
  while (buckets_[at].stamp == stamp_) at = (at + 1) & mask;
  buckets_[at] = {stamp_, place};
}

void NameIndex::grow() {
  buckets_.assign(std::max<std::size_t>(64, 2 * buckets_.size()), Bucket{});
  for (std::uint32_t place = 0; place < entries_.size(); ++place) put(place);
}

void NameIndex::clear() {
  text_.clear();
  entries_.clear();
  if (++stamp_ == 0) {  // every 2³² times
    std::fill(buckets_.begin(), buckets_.end(), Bucket{});
    stamp_ = 1;
  }
}

std::size_t NameIndex::bytes() const {
  return text_.capacity() + entries_.capacity() * sizeof(Entry) +
         buckets_.capacity() * sizeof(Bucket);
}

}  // namespace bandolier
