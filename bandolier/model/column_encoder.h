// The features of a schema's columns, by the places of columns and words: what an encoder by name
// does once it has found the names, and what the rows of a table do. One code for both, so that
// both give the same floats.
#pragma once

#include <span>
#include <vector>

#include "bandolier/model/feature_schema.h"

namespace bandolier {

class ColumnEncoder {
 public:
  // Of a schema that check() lets pass.
  explicit ColumnEncoder(const FeatureSchema& schema);

  // The same columns with other moments, one of each per feature. O(features).
  void standardise(std::span<const double> mean, std::span<const double> inverse_deviation);

  Index features() const { return static_cast<Index>(absent_.size()); }
  Index first(Index column) const { return at(column).first; }  // its first feature
  Index width(Index column) const { return at(column).width; }  // how many it has

  // A row's features are those of no values at all, absent(), then what is there set one by one.
  std::span<const float> absent() const { return absent_; }
  void set_number(Index column, double number, std::span<float> features) const;
  void set_word(Index column, Index word, std::span<float> features) const;

  std::size_t bytes() const;

 private:
  struct Column {
    Index first, width;
    bool words, missing;  // missing: the last feature
    double missing_number;
  };
  const Column& at(Index column) const { return columns_[static_cast<std::size_t>(column)]; }
  void find_absent(const Column& column, bool standardised);
  float scaled(Index feature, double value) const;

  std::vector<Column> columns_;
  std::vector<double> mean_, inverse_deviation_;  // 0 and 1 where a column is not standardised
  std::vector<float> absent_;
};

}  // namespace bandolier
