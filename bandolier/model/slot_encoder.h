// Names that are not known beforehand, in N slots. A number goes by its name, a word by name=word
// with value 1, elements of arrays as they are.
//
// Own slots. The first ⌊3N/4⌋ names that learn() meets get the slots 0, 1, 2, ... in that order,
// for good. Their numbers are standardised as they come, by the mean m and the population's
// variance s² (Welford, in double) of all that learn() has seen under that name:
//   f = (x − m)/s, clipped to ±10;   while s = 0: sign(x − m).
// The clip keeps an early outlier from exploding.
//
// The tail. All other names, and at encode() those never learnt, go into the last N − ⌊3N/4⌋ slots
// by h = hash_name: slot ⌊3N/4⌋ + h mod (N − ⌊3N/4⌋), times −1 where the top bit of h is set, so
// that names that meet cancel in the mean. A number there has no moments: f = x/(1 + |x|).
//
// The same names learnt in the same order have the same slots on every machine. Encoding n values
// is O(n log n) and the bytes of their names. Memory is constant: 8 bytes for each slot of the
// tail; for an own one about 100 and its name, at most 1,025 bytes.
#pragma once

#include <cstdint>

#include "bandolier/core/options.h"
#include "bandolier/core/running_moments.h"
#include "bandolier/model/feature_encoder.h"

namespace bandolier {

struct SlotEncoderOptions {
  std::int64_t slots = 1024;  // 16 to 2²⁰
};
const OptionTable<SlotEncoderOptions>& slot_encoder_options();

class SlotEncoder final : public FeatureEncoder {
 public:
  static constexpr std::string_view kKind = "slots";

  // Throws Error where the number of slots is out of range.
  explicit SlotEncoder(const SlotEncoderOptions& options = {});

  Index features() const override { return slots_; }
  void encode(const NamedValues& values, FeatureScratch& scratch, SparseVector& out) const override;
  void learn(const NamedValues& values) override;
  // None: every name has a place.
  std::vector<std::string> unknown(const NamedValues&) const override { return {}; }
  // Names in the tail, and how many of them share a slot. Of each slot 64 bits are kept, one set by
  // each name according to 6 bits of its hash: at least so many names, and few more while names are
  // not many times the slots.
  std::vector<Note> notes() const override;
  std::size_t bytes() const override;
  std::unique_ptr<FeatureEncoder> clone() const override;
  void save(ArchiveWriter& out) const override;
  static std::unique_ptr<SlotEncoder> load(const ArchiveReader& in);

  Index own_slots() const { return own_slots_; }
  // What has slots of its own, in their order: names, and name=word.
  const NameIndex& names() const { return names_; }
  Index tail_names() const;    // names learnt without a slot of their own
  Index shared_names() const;  // of those, all but one in each slot

 private:
  double standardised(Index slot, double number) const;

  Index slots_, own_slots_;
  NameIndex names_;                      // of the own slots taken; the tag is the value's kind
  std::vector<RunningMoments> moments_;  // one each; used by numbers
  std::vector<std::uint64_t> tail_;      // one per slot of the tail
};

}  // namespace bandolier
