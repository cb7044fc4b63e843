// How values by name become the numbers that a model sees: a sparse vector of features() places.
// Two kinds: names that are met on the way (slot_encoder.h), and names that are known
// (schema_encoder.h).
//
// A vector belongs to the moment at which it was made, since moments move as they learn. Who
// decides now and is rewarded later keeps the vector, not the values.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "bandolier/core/archive.h"
#include "bandolier/core/note.h"
#include "bandolier/model/encoding.h"
#include "bandolier/model/named_values.h"

namespace bandolier {

// A caller's memory for encoding, one per thread.
struct FeatureScratch {
  struct Placed {
    Index place;
    Index order;
    double value;
  };
  std::vector<Placed> placed;
  std::vector<float> dense;
  std::string text;
};

class FeatureEncoder {
 public:
  virtual ~FeatureEncoder() = default;

  virtual Index features() const = 0;

  // Places ascending, each once (values that meet are summed), none with 0. A name that is not
  // given has 0, which is a number's mean. Changes nothing: many threads may encode at once.
  // Allocates nothing once `scratch` and `out` are warm.
  virtual void encode(const NamedValues& values, FeatureScratch& scratch,
                      SparseVector& out) const = 0;

  // Takes values in: new names get places, moments of numbers move. One thread, while none encodes.
  virtual void learn(const NamedValues& values) = 0;

  // Names, or name=word, that encode() leaves out because nothing is known of them.
  virtual std::vector<std::string> unknown(const NamedValues& values) const = 0;

  virtual std::vector<Note> notes() const = 0;
  virtual std::size_t bytes() const = 0;
  virtual std::unique_ptr<FeatureEncoder> clone() const = 0;
  virtual void save(ArchiveWriter& out) const = 0;  // with its `kind`
};

// The encoder that was saved, of whichever kind. Throws Error where a field makes no sense.
std::unique_ptr<FeatureEncoder> load_feature_encoder(const ArchiveReader& in);

}  // namespace bandolier
