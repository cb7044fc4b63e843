// Names and categories that are known beforehand: columns in order, as a table has them. A numeric
// column is one feature, (x − mean)·inverse_deviation. A categorical one is a 0/1 feature for each
// of its words and, where `missing` is set, a last one for none of them; each may be standardised
// in the same way, as this project's tables do. A number that is missing is the mean, and so 0.
//
//   given                        in a column of numbers     in a column of words
//   number, element of an array  itself                     the word of its shortest text: 2, 0.5
//   word, true, false            parsed, where a number     itself
//
// A word that is none of the column's, or no number where one is due, counts as missing; unknown()
// names it, and names without a column. Encoding is O(features) and the bytes of the names given.
#pragma once

#include <string>
#include <vector>

#include "bandolier/model/feature_encoder.h"

namespace bandolier {

struct FeatureColumn {
  std::string name;                // in full: "user.age"
  std::vector<std::string> words;  // none: numeric
  bool missing = false;            // a category of its own; of words alone
  // One per feature of the column; both empty: 0 and 1. Inverse 0: a constant, left out.
  std::vector<double> mean = {}, inverse_deviation = {};

  bool categorical() const { return !words.empty(); }
  Index features() const {
    return categorical() ? static_cast<Index>(words.size()) + (missing ? 1 : 0) : 1;
  }
};

struct FeatureSchema {
  std::vector<FeatureColumn> columns;

  Index features() const;
};

inline constexpr Index kMostSchemaColumns = 10'000;
inline constexpr Index kMostSchemaFeatures = Index{1} << 20;

// Throws Error, with the column, unless the schema makes sense: columns and words within the limits
// and each once, moments of the right size and finite.
void check(const FeatureSchema& schema);

class SchemaEncoder final : public FeatureEncoder {
 public:
  static constexpr std::string_view kKind = "schema";

  // Throws Error where check() does.
  explicit SchemaEncoder(FeatureSchema schema);

  const FeatureSchema& schema() const { return schema_; }

  Index features() const override { return static_cast<Index>(absent_.size()); }
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
  float scaled(Index column, Index feature, double value) const;

  FeatureSchema schema_;
  NameIndex columns_;                // in their order
  NameIndex words_;                  // name=word of every categorical column, in order
  std::vector<Index> word_feature_;  // where each holds
  std::vector<Index> first_;         // feature of each column
  std::vector<float> absent_;        // the features of no values at all
};

}  // namespace bandolier
