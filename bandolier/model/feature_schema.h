// Names and categories that are known beforehand: columns in order, as a table has them. A column
// of numbers or of dates (days since 1970, as parse_date gives them) is one feature,
// (x − mean)·inverse_deviation. A categorical one is a 0/1 feature for each of its words and, where
// `missing` is set, a last one for none of them; each may be standardised in the same way, as this
// project's tables do. A number that is missing is 0 where the column is standardised, which is its
// mean, and else `missing_number`.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bandolier/core/archive.h"
#include "bandolier/core/types.h"

namespace bandolier {

struct FeatureColumn {
  std::string name;                // in full: "user.age"
  std::vector<std::string> words;  // none: numeric
  bool missing = false;            // a category of its own; of words alone
  // One per feature of the column; both empty: 0 and 1. Inverse 0: a constant, left out.
  std::vector<double> mean = {}, inverse_deviation = {};
  bool date = false;          // its words are dates; of numbers alone
  double missing_number = 0;  // what a missing number is, where it is not standardised
  // Where it is set, x counts as origin + float(x − origin): as a table keeps it in four bytes, so
  // that a new row has the features that the table would have given it. Not set: x in double.
  std::optional<double> origin = std::nullopt;
  double kept(double x) const;

  bool categorical() const { return !words.empty(); }
  Index features() const {
    return categorical() ? static_cast<Index>(words.size()) + (missing ? 1 : 0) : 1;
  }
};

struct FeatureSchema {
  std::vector<FeatureColumn> columns;
  std::vector<std::string> missing_words = {};  // what else says that a value is missing: "-999"

  Index features() const;
};

inline constexpr Index kMostSchemaColumns = 10'000;
inline constexpr std::size_t kMostMissingWords = 1000;
inline constexpr Index kMostSchemaFeatures = Index{1} << 20;

// Throws Error, with the column, unless the schema makes sense: columns and words within the limits
// and each once, moments of the right size, numbers finite.
void check(const FeatureSchema& schema);

// Numbers x[0], x[1], ... as they are.
FeatureSchema numbered_schema(Index count);

void save(ArchiveWriter& out, const FeatureSchema& schema);
FeatureSchema load_schema(const ArchiveReader& in);  // checked

}  // namespace bandolier
