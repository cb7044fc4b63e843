#include "bandolier/model/feature_encoder.h"

#include "bandolier/core/error.h"
#include "bandolier/model/schema_encoder.h"
#include "bandolier/model/slot_encoder.h"

namespace bandolier {

std::unique_ptr<FeatureEncoder> load_feature_encoder(const ArchiveReader& in) {
  const std::string kind = in.read_text("kind");
  if (kind == SlotEncoder::kKind) return SlotEncoder::load(in);
  if (kind == SchemaEncoder::kKind) return SchemaEncoder::load(in);
  fail("{} is '{}': expected {} or {}", in.where("kind"), kind, SlotEncoder::kKind,
       SchemaEncoder::kKind);
}

}  // namespace bandolier
