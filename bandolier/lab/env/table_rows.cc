#include "bandolier/lab/env/table_rows.h"

#include <algorithm>
#include <cmath>

#include "bandolier/core/error.h"

namespace bandolier {
namespace {

std::vector<Index> all_columns_but(const Table& table, const std::vector<Index>& others) {
  std::vector<Index> columns;
  for (Index i = 0; i < static_cast<Index>(table.columns.size()); ++i) {
    if (std::find(others.begin(), others.end(), i) == others.end()) columns.push_back(i);
  }
  return columns;
}

class TableRows : public Rows {
 public:
  TableRows(Table table, const std::vector<Index>& outcome, Index actions,
            ActionFeatures action_features)
      : table_(std::move(table)),
        columns_(all_columns_but(table_, outcome)),
        encoder_(table_, columns_),
        actions_(actions),
        action_features_(std::move(action_features)) {
    if (encoder_.features() == 0) fail("{} has no feature columns: expected some", table_.file);
    if (action_features_.size() > 0 && action_features_.rows() != actions_) {
      fail("{} has {} actions and {} rows of action features: expected one row per action",
           table_.file, actions_, action_features_.rows());
    }
  }

  Index count() const override { return table_.rows; }

  ProblemShape shape() const override {
    return {.features = encoder_.features(),
            .actions = actions_,
            .action_features = action_features_.cols()};
  }

  Context context(Index row, ContextBuffer& buffer) const override {
    buffer.values.resize(static_cast<std::size_t>(encoder_.features()));
    encoder_.encode(table_, row, buffer.values);
    return {Features::dense(buffer.values),
            actions_,
            {action_features_.data(), static_cast<std::size_t>(action_features_.size())},
            {}};
  }

  void mark_missing(Index row, std::span<float> features) const override {
    encoder_.mark_missing(table_, row, features);
  }

  std::vector<Note> notes() const override {
    std::vector<Note> notes;
    if (table_.left_out > 0) {
      notes.push_back(
          {"rows-left-out",
           fmt::format("of {} rows left out: no label or reward", table_.left_out + table_.rows),
           table_.left_out});
    }
    Index numbers = 0, words = 0;
    for (const Index i : columns_) {
      const TableColumn& column = table_.columns[static_cast<std::size_t>(i)];
      (column.categorical ? words : numbers) += column.missing;
    }
    if (numbers > 0) {
      notes.push_back(
          {"numbers-missing", "missing numbers replaced by their column's mean", numbers});
    }
    if (words > 0) notes.push_back({"words-missing", "missing words kept as a category", words});
    return notes;
  }

 protected:
  const Table& table() const { return table_; }
  Index actions() const { return actions_; }

 private:
  Table table_;
  std::vector<Index> columns_;
  ColumnEncoder encoder_;
  Index actions_;
  ActionFeatures action_features_;
};

class LabelRows final : public TableRows {
 public:
  LabelRows(Table table, Index label, Index classes, ActionFeatures action_features)
      : TableRows(std::move(table), {label}, classes, std::move(action_features)),
        store_(this->table().columns[static_cast<std::size_t>(label)].store) {}

  float reward(Index row, Index action, Random&) const override {
    return label_reward(label(row), action);
  }

  void expected_rewards(Index row, std::span<float> out) const override {
    label_rewards(label(row), out);
  }

 private:
  Index label(Index row) const { return table().codes(row, store_); }

  Index store_;
};

class RewardRows final : public TableRows {
 public:
  RewardRows(Table table, const std::vector<Index>& rewards, ActionFeatures action_features)
      : TableRows(std::move(table), rewards, static_cast<Index>(rewards.size()),
                  std::move(action_features)) {
    for (const Index i : rewards) {
      const TableColumn& column = this->table().columns[static_cast<std::size_t>(i)];
      stores_.push_back(column.store);
      missing_ += column.missing;
    }
  }

  float reward(Index row, Index action, Random&) const override {
    return table().numbers(row, stores_[static_cast<std::size_t>(action)]);
  }

  void expected_rewards(Index row, std::span<float> out) const override {
    for (std::size_t a = 0; a < stores_.size(); ++a) out[a] = table().numbers(row, stores_[a]);
  }

  // An action without a reward is not available.
  Context context(Index row, ContextBuffer& buffer) const override {
    Context context = TableRows::context(row, buffer);
    if (missing_ == 0) return context;
    buffer.available.resize(stores_.size());
    for (std::size_t a = 0; a < stores_.size(); ++a) {
      buffer.available[a] = std::isnan(table().numbers(row, stores_[a])) ? 0 : 1;
    }
    context.available = buffer.available;
    return context;
  }

  std::vector<Note> notes() const override {
    auto notes = TableRows::notes();
    if (missing_ > 0) {
      notes.push_back({"rewards-missing",
                       "rewards are missing: their actions are not available there", missing_});
    }
    return notes;
  }

 private:
  std::vector<Index> stores_;
  Index missing_ = 0;  // rewards
};

}  // namespace

ColumnEncoder::ColumnEncoder(const Table& table, std::vector<Index> columns) {
  for (const Index i : columns) {
    const TableColumn& column = table.columns[static_cast<std::size_t>(i)];
    const Index width = static_cast<Index>(column.words.size()) + (column.missing > 0 ? 1 : 0);
    parts_.push_back({features_, column.store, column.categorical ? width : 0, column.mean});
    features_ += column.categorical ? width : 1;
  }
}

void ColumnEncoder::encode(const Table& table, Index row, std::span<float> out) const {
  for (const Part& part : parts_) {
    const auto at = out.subspan(static_cast<std::size_t>(part.offset));
    if (part.width == 0) {
      const float number = table.numbers(row, part.store);
      at[0] = std::isnan(number) ? part.mean : number;
    } else {
      std::fill_n(at.begin(), part.width, 0.0f);
      at[table.codes(row, part.store)] = 1;
    }
  }
}

void ColumnEncoder::mark_missing(const Table& table, Index row, std::span<float> out) const {
  for (const Part& part : parts_) {
    if (part.width == 0)
      out[static_cast<std::size_t>(part.offset)] = table.numbers(row, part.store);
  }
}

std::shared_ptr<const Rows> make_label_rows(Table table, const std::string& label,
                                            ActionFeatures action_features) {
  const Index index = table.find(label);
  const TableColumn& column = table.columns[static_cast<std::size_t>(index)];
  const auto classes = static_cast<Index>(column.words.size());
  if (classes < 2) {
    fail("{}: the label '{}' has one class only, '{}': expected at least two", table.file,
         column.name, column.words.empty() ? "" : column.words.front());
  }
  return std::make_shared<LabelRows>(std::move(table), index, classes, std::move(action_features));
}

std::shared_ptr<const Rows> make_reward_rows(Table table, const std::string& prefix,
                                             ActionFeatures action_features) {
  std::vector<Index> rewards;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const TableColumn& column = table.columns[i];
    if (!column.name.starts_with(prefix)) continue;
    if (column.categorical) {
      fail("{}: the reward column '{}' holds words such as '{}': expected numbers", table.file,
           column.name, column.words.front());
    }
    rewards.push_back(static_cast<Index>(i));
  }
  if (rewards.size() < 2) {
    fail("{} has {} columns whose name starts with '{}': expected at least two, one per action",
         table.file, rewards.size(), prefix);
  }
  return std::make_shared<RewardRows>(std::move(table), rewards, std::move(action_features));
}

}  // namespace bandolier
