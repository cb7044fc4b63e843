// A table as a bandit problem: classification (reward 1 for the right class) or one reward column
// per action.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bandolier/lab/env/rows.h"
#include "bandolier/lab/env/table.h"

namespace bandolier {

// How a table's columns become numbers: in the table's order, a numeric column as it is, its mean
// where a number is missing; a categorical one as one 0/1 feature per word, words ascending, then
// one for "missing" if any is.
class ColumnEncoder {
 public:
  // `columns`: positions in table.columns.
  ColumnEncoder(const Table& table, std::vector<Index> columns);

  Index features() const { return features_; }
  void encode(const Table& table, Index row, std::span<float> out) const;

  // NaN in place of every mean that encode() put for a missing number.
  void mark_missing(const Table& table, Index row, std::span<float> out) const;

 private:
  struct Part {
    Index offset, store, width;  // width 0: numeric
    float mean;
  };
  std::vector<Part> parts_;
  Index features_ = 0;
};

// Each action's features, one row per action.
using ActionFeatures = Matrix<float>;

// `label` is the name of a categorical column; its words are the actions, in order.
std::shared_ptr<const Rows> make_label_rows(Table table, const std::string& label,
                                            ActionFeatures action_features = {});

// Columns whose name starts with `prefix` are the actions' rewards, in the file's order.
std::shared_ptr<const Rows> make_reward_rows(Table table, const std::string& prefix,
                                             ActionFeatures action_features = {});

}  // namespace bandolier
