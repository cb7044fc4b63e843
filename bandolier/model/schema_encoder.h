// Values by name as the columns of a schema, which are known beforehand.
//
//   given                        in a column of numbers     of dates      of words
//   number, element of an array  itself                     days          its shortest text: 2, 0.5
//   word, true, false            parsed, where a number     parsed        itself
//
// A word that is none of the column's, or no number where one is due, counts as missing; unknown()
// names it, and names without a column. Encoding is O(features) and the bytes of the names given.
#pragma once

#include <string>
#include <vector>

#include "bandolier/model/column_encoder.h"
#include "bandolier/model/feature_encoder.h"
#include "bandolier/model/feature_schema.h"

namespace bandolier {

class SchemaEncoder final : public FeatureEncoder {
 public:
  static constexpr std::string_view kKind = "schema";

  // Throws Error where check() does.
  explicit SchemaEncoder(FeatureSchema schema);

  const FeatureSchema& schema() const { return schema_; }

  Index features() const override { return encoder_.features(); }
  void encode(const NamedValues& values, FeatureScratch& scratch, SparseVector& out) const override;
  void learn(const NamedValues&) override {}
  std::vector<std::string> unknown(const NamedValues& values) const override;
  std::vector<Note> notes() const override { return {}; }
  std::size_t bytes() const override;
  std::unique_ptr<FeatureEncoder> clone() const override;
  void save(ArchiveWriter& out) const override;
  static std::unique_ptr<SchemaEncoder> load(const ArchiveReader& in);

 private:
  // What a value says: `column` is kNone where none has its name, `feature` where it says nothing.
  struct Found {
    Index column = NameIndex::kNone;
    Index feature = NameIndex::kNone;
    double number = 1;
  };
  Found find(const NamedValues::Value& value, std::string& text) const;
  bool says_missing(const NamedValues::Value& value) const;

  FeatureSchema schema_;
  ColumnEncoder encoder_;
  NameIndex columns_;                // in their order
  NameIndex words_;                  // name=word of every categorical column, in order
  std::vector<Index> word_feature_;  // where each holds
};

}  // namespace bandolier
