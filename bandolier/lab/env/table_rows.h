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

// How values of some of a table's columns become features, in the table's order: a number as it is,
// its column's mean where it is missing; a word as one 0/1 feature per word, words ascending, then
// one for "missing" if any is.
FeatureSchema schema_of(const Table& table, const std::vector<Index>& columns);

// Rows of a table's columns as features.
class RowEncoder {
 public:
  // `columns`: positions in table.columns.
  RowEncoder(const Table& table, const std::vector<Index>& columns);

  // By an encoder of these columns' schema, with any moments. `out` has its size.
  void encode(const Table& table, Index row, const ColumnEncoder& encoder,
              std::span<float> out) const;

  // Before they are scaled, NaN where a number is missing.
  void raw(const Table& table, Index row, std::span<double> out) const;

 private:
  struct Part {
    Index store, words, features;  // words 0: numeric
    double origin;
  };
  std::vector<Part> parts_;
};

// Each action's features, one row per action.
using ActionFeatures = Matrix<float>;

// `label` is the name of a categorical column; its words are the actions and their names, in order.
std::shared_ptr<const ColumnRows> make_label_rows(Table table, const std::string& label,
                                                  ActionFeatures action_features = {});

// Columns whose name starts with `prefix` are the actions' rewards, in the file's order. An action
// is called as its column without the prefix, where that leaves every action a name.
std::shared_ptr<const ColumnRows> make_reward_rows(Table table, const std::string& prefix,
                                                   ActionFeatures action_features = {});

}  // namespace bandolier
