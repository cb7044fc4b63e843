#include "bandolier/model/slot_encoder.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "bandolier/core/error.h"

namespace bandolier {
namespace {

using Kind = NamedValues::Kind;

constexpr double kClip = 10;
constexpr std::int64_t kFewestSlots = 16, kMostSlots = std::int64_t{1} << 20;
// Squares of floats, a count's number of them.
constexpr Bounds kSquares{0, 1e95};

std::uint8_t tag_of(Kind kind) { return static_cast<std::uint8_t>(kind); }

float to_float(double value) {
  constexpr double kMost = std::numeric_limits<float>::max();
  return static_cast<float>(std::clamp(value, -kMost, kMost));
}

}  // namespace

const OptionTable<SlotEncoderOptions>& slot_encoder_options() {
  static const OptionTable<SlotEncoderOptions> table = {
      {"slots", &SlotEncoderOptions::slots,
       "features in all; the first names fill three quarters, the others share the rest",
       between(static_cast<double>(kFewestSlots), static_cast<double>(kMostSlots))}};
  return table;
}

SlotEncoder::SlotEncoder(const SlotEncoderOptions& options) : slots_(options.slots), own_slots_(0) {
  if (slots_ < kFewestSlots || slots_ > kMostSlots) {
    fail("slots={}: expected {} to {}", slots_, kFewestSlots, kMostSlots);
  }
  own_slots_ = 3 * slots_ / 4;
  tail_.resize(static_cast<std::size_t>(slots_ - own_slots_));
}

double SlotEncoder::standardised(Index slot, double number) const {
  const RunningMoments& moments = moments_[static_cast<std::size_t>(slot)];
  const double away = number - moments.mean;
  const double variance = moments.variance();
  if (!(variance > 0)) return away == 0 ? 0 : std::copysign(1.0, away);
  return std::clamp(away / std::sqrt(variance), -kClip, kClip);
}

void SlotEncoder::encode(const NamedValues& values, FeatureScratch& scratch,
                         SparseVector& out) const {
  scratch.placed.clear();
  for (Index i = 0; i < values.size(); ++i) {
    const NamedValues::Value value = values[i];
    const bool number = value.kind == Kind::kNumber;
    const Index slot = names_.find(value.feature, value.hash, tag_of(value.kind));
    if (slot != NameIndex::kNone) {
      scratch.placed.push_back({slot, i, number ? standardised(slot, value.number) : value.number});
      continue;
    }
    const double x = number ? value.number / (1 + std::abs(value.number)) : value.number;
    scratch.placed.push_back({own_slots_ + static_cast<Index>(value.hash % tail_.size()), i,
                              value.hash >> 63 != 0 ? -x : x});
  }
  std::sort(scratch.placed.begin(), scratch.placed.end(), [](const auto& a, const auto& b) {
    return a.place != b.place ? a.place < b.place : a.order < b.order;
  });
  out.clear();
  for (std::size_t i = 0; i < scratch.placed.size();) {
    const Index place = scratch.placed[i].place;
    double sum = 0;
    for (; i < scratch.placed.size() && scratch.placed[i].place == place; ++i) {
      sum += scratch.placed[i].value;
    }
    const float value = to_float(sum);
    if (value != 0) out.push(place, value);
  }
}

void SlotEncoder::learn(const NamedValues& values) {
  for (Index i = 0; i < values.size(); ++i) {
    const NamedValues::Value value = values[i];
    const std::uint8_t tag = tag_of(value.kind);
    Index slot = names_.find(value.feature, value.hash, tag);
    if (slot == NameIndex::kNone && names_.size() < own_slots_) {
      slot = names_.add(value.feature, value.hash, tag);
      moments_.emplace_back();
    }
    if (slot == NameIndex::kNone) {
      tail_[value.hash % tail_.size()] |= std::uint64_t{1} << (value.hash >> 57 & 63);
    } else if (value.kind == Kind::kNumber) {
      moments_[static_cast<std::size_t>(slot)].add(value.number);
    }
  }
}

Index SlotEncoder::tail_names() const {
  Index names = 0;
  for (const std::uint64_t slot : tail_) names += std::popcount(slot);
  return names;
}

Index SlotEncoder::shared_names() const {
  Index names = 0;
  for (const std::uint64_t slot : tail_) names += std::max(std::popcount(slot) - 1, 0);
  return names;
}

std::vector<Note> SlotEncoder::notes() const {
  std::vector<Note> notes;
  const Index shared = shared_names();
  if (const Index names = tail_names(); names > 0) {
    notes.push_back({"slots-taken",
                     fmt::format("names or more have no slot of their own: {} are taken; raise "
                                 "slots={}",
                                 own_slots_, slots_),
                     names});
  }
  if (shared > 0) {
    notes.push_back({"slots-shared", "names or more share a hashed slot with another", shared});
  }
  return notes;
}

std::size_t SlotEncoder::bytes() const {
  return sizeof *this + names_.bytes() + moments_.capacity() * sizeof(RunningMoments) +
         tail_.capacity() * sizeof(std::uint64_t);
}

std::unique_ptr<FeatureEncoder> SlotEncoder::clone() const {
  return std::make_unique<SlotEncoder>(*this);
}

void SlotEncoder::save(ArchiveWriter& out) const {
  std::vector<std::string> names;
  std::vector<std::int64_t> kinds, counts, tail;
  std::vector<double> means, squares;
  for (Index slot = 0; slot < names_.size(); ++slot) {
    const RunningMoments& moments = moments_[static_cast<std::size_t>(slot)];
    names.emplace_back(names_.name(slot));
    kinds.push_back(names_.tag(slot));
    counts.push_back(moments.count);
    means.push_back(moments.mean);
    squares.push_back(moments.squares);
  }
  for (const std::uint64_t slot : tail_) tail.push_back(std::bit_cast<std::int64_t>(slot));
  out.write("kind", kKind);
  out.write("slots", slots_);
  out.write("names", names);
  out.write("kinds", kinds);
  out.write("counts", counts);
  out.write("means", means);
  out.write("squares", squares);
  out.write("tail", tail);
}

std::unique_ptr<SlotEncoder> SlotEncoder::load(const ArchiveReader& in) {
  const std::int64_t slots = in.read_integer("slots", kFewestSlots, kMostSlots);
  auto encoder = std::make_unique<SlotEncoder>(SlotEncoderOptions{slots});
  const auto names = in.read_texts("names");
  if (static_cast<Index>(names.size()) > encoder->own_slots_) {
    fail("{} has {} names: expected at most {}, three quarters of the slots", in.where("names"),
         names.size(), encoder->own_slots_);
  }
  constexpr auto kAny = std::numeric_limits<std::int64_t>{};
  constexpr double kMostMean = std::numeric_limits<float>::max();
  const auto kinds = in.read_integers("kinds", names.size(), 0, tag_of(Kind::kElement));
  const auto counts = in.read_integers("counts", names.size(), 0, kMostCount);
  const auto means = in.read_doubles("means", names.size(), {-kMostMean, kMostMean});
  const auto squares = in.read_doubles("squares", names.size(), kSquares);
  const auto tail = in.read_integers("tail", encoder->tail_.size(), kAny.min(), kAny.max());
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i].size() > 2 * kLongestName + 1) {
      fail("{} has {} bytes in name {}: expected at most {}", in.where("names"), names[i].size(), i,
           2 * kLongestName + 1);
    }
    const auto tag = static_cast<std::uint8_t>(kinds[i]);
    const bool number = tag == tag_of(Kind::kNumber);
    if (number != (counts[i] > 0)) {
      fail("{} has {} at {}: expected {}", in.where("counts"), counts[i], i,
           number ? "1 or more for a number" : "0 for what is no number");
    }
    const std::uint64_t hash = hash_name(names[i]);
    if (encoder->names_.find(names[i], hash, tag) != NameIndex::kNone) {
      fail("{} has '{}' twice: expected each name once", in.where("names"), names[i]);
    }
    encoder->names_.add(names[i], hash, tag);
    encoder->moments_.push_back({counts[i], means[i], squares[i]});
  }
  for (std::size_t i = 0; i < tail.size(); ++i) {
    encoder->tail_[i] = std::bit_cast<std::uint64_t>(tail[i]);
  }
  return encoder;
}

}  // namespace bandolier
