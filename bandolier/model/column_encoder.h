// The features of a schema's columns, by the places of columns and words: what an encoder by name
// does once it has found the names, and what the rows of a table do. One code for both, so that
// both give the same floats.
#pragma once

#include <algorithm>
#include <limits>
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
  void set_number(Index column, double number, std::span<float> features) const {
    const Index feature = first(column);
    features[static_cast<std::size_t>(feature)] = scaled(feature, number);
  }
  void set_word(Index column, Index word, std::span<float> features) const {
    const Column& of = at(column);
    const Index last = of.first + of.width - 1;
    if (of.missing) features[static_cast<std::size_t>(last)] = scaled(last, 0);
    features[static_cast<std::size_t>(of.first + word)] = scaled(of.first + word, 1);
  }

  std::size_t bytes() const;

 private:
  struct Column {
    Index first, width;
    bool words, missing;  // missing: the last feature
    double missing_number;
  };
  const Column& at(Index column) const { return columns_[static_cast<std::size_t>(column)]; }
  void find_absent(const Column& column, bool standardised);
  // In double until the end; adding 0 makes 0 of −0.
  float scaled(Index feature, double value) const {
    constexpr double kMost = std::numeric_limits<float>::max();
    const auto f = static_cast<std::size_t>(feature);
    const double scaled = (value - mean_[f]) * inverse_deviation_[f];
    return static_cast<float>(std::min(std::max(scaled, -kMost), kMost)) + 0.0f;
  }

  std::vector<Column> columns_;
  std::vector<double> mean_, inverse_deviation_;  // 0 and 1 where a column is not standardised
  std::vector<float> absent_;
};

}  // namespace bandolier
