#include "bandolier/lab/log/feature_kinds.h"

#include "bandolier/lab/env/fields.h"
#include "bandolier/lab/log/row_reader.h"

namespace bandolier {
namespace {

std::string_view shown(NamedValues::Kind kind) {
  switch (kind) {
    case NamedValues::Kind::kNumber:
      return "a number";
    case NamedValues::Kind::kWord:
      return "a word";
    default:
      return "of a list of numbers";
  }
}

}  // namespace

void FeatureKinds::check(const NamedValues& values, Index line) {
  for (Index i = 0; i < values.size(); ++i) {
    const NamedValues::Value value = values[i];
    const auto found = first_.find(value.name_hash);
    if (found == first_.end()) {
      if (first_.size() < kMostKinds) first_.emplace(value.name_hash, First{value.kind, line});
    } else if (found->second.kind != value.kind) {
      refuse_field(shorten(value.name), "is {}, '{}': expected {}, as in line {}",
                   shown(value.kind),
                   value.kind == NamedValues::Kind::kWord ? shorten(value.word)
                                                          : fmt::format("{}", value.number),
                   shown(found->second.kind), found->second.line);
    }
  }
}

}  // namespace bandolier
