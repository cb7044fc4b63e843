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

// Names that JSON can hold, each once: invalid UTF-8 is replaced, and equal ones get their number.
std::vector<std::string> shown_names(const std::vector<std::string>& names) {
  std::vector<std::string> shown;
  for (const std::string& name : names) {
    shown.push_back(valid_utf8(name));
    if (std::count(shown.begin(), shown.end(), shown.back()) > 1) {
      shown.back() += fmt::format(" ({})", shown.size());
    }
  }
  return shown;
}

class TableRows : public ColumnRows {
 public:
  TableRows(Table table, const std::vector<Index>& outcome, std::vector<std::string> names,
            ActionFeatures action_features)
      : table_(std::move(table)),
        columns_(all_columns_but(table_, outcome)),
        schema_(schema_of(table_, columns_)),
        unscaled_(schema_),
        encoder_(table_, columns_),
        names_(std::move(names)),
        action_features_(std::move(action_features)) {
    if (columns_.empty()) {
      fail("{} has no feature columns: expected some{}", table_.file,
           table_.notes.empty() ? "" : fmt::format(" ({})", join(to_texts(table_.notes), "; ")));
    }
    if (action_features_.size() > 0 && action_features_.rows() != actions()) {
      fail("{} has {} actions and {} rows of action features: expected one row per action",
           table_.file, actions(), action_features_.rows());
    }
  }

  Index count() const override { return table_.rows; }

  ProblemShape shape() const override {
    return {.features = unscaled_.features(),
            .actions = actions(),
            .action_features = action_features_.cols()};
  }

  const FeatureSchema& schema() const override { return schema_; }
  std::vector<std::string> action_names() const override { return shown_names(names_); }

  Context context(Index row, ContextBuffer& buffer) const override {
    return context(row, unscaled_, buffer);
  }

  Context context(Index row, const ColumnEncoder& encoder, ContextBuffer& buffer) const override {
    buffer.values.resize(static_cast<std::size_t>(encoder.features()));
    encoder_.encode(table_, row, encoder, buffer.values);
    return {Features::dense(buffer.values),
            actions(),
            {action_features_.data(), static_cast<std::size_t>(action_features_.size())},
            {}};
  }

  void raw_features(Index row, std::span<double> out) const override {
    encoder_.raw(table_, row, out);
  }

  std::vector<Note> notes() const override {
    std::vector<Note> notes = table_.notes;
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
    try {
      check(schema_);
    } catch (const Error& error) {
      notes.push_back({"features-nameless",
                       valid_utf8(fmt::format(
                           "a saved agent will not know its features by name: {}", error.what()))});
    }
    return notes;
  }

 protected:
  const Table& table() const { return table_; }
  Index actions() const { return static_cast<Index>(names_.size()); }

 private:
  Table table_;
  std::vector<Index> columns_;
  FeatureSchema schema_;
  ColumnEncoder unscaled_;
  RowEncoder encoder_;
  std::vector<std::string> names_;  // of the actions
  ActionFeatures action_features_;
};

class LabelRows final : public TableRows {
 public:
  LabelRows(Table table, Index label, const std::vector<std::string>& classes,
            ActionFeatures action_features)
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
  RewardRows(Table table, const std::vector<Index>& rewards, std::vector<std::string> names,
             ActionFeatures action_features)
      : TableRows(std::move(table), rewards, std::move(names), std::move(action_features)) {
    for (const Index i : rewards) {
      const TableColumn& column = this->table().columns[static_cast<std::size_t>(i)];
      stores_.push_back(column.store);
      missing_ += column.missing;
    }
  }

  using TableRows::context;

  float reward(Index row, Index action, Random&) const override {
    return table().numbers(row, stores_[static_cast<std::size_t>(action)]);
  }

  void expected_rewards(Index row, std::span<float> out) const override {
    for (std::size_t a = 0; a < stores_.size(); ++a) out[a] = table().numbers(row, stores_[a]);
  }

  // An action without a reward is not available.
  Context context(Index row, const ColumnEncoder& encoder, ContextBuffer& buffer) const override {
    Context context = TableRows::context(row, encoder, buffer);
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

// The columns' names without the prefix; with it where it leaves one of them without a name.
std::vector<std::string> reward_names(const Table& table, const std::vector<Index>& rewards,
                                      const std::string& prefix) {
  std::vector<std::string> whole, names;
  for (const Index i : rewards) {
    whole.push_back(table.columns[static_cast<std::size_t>(i)].name);
    names.push_back(whole.back().substr(prefix.size()));
  }
  return std::find(names.begin(), names.end(), "") == names.end() ? names : whole;
}

}  // namespace

FeatureSchema schema_of(const Table& table, const std::vector<Index>& columns) {
  FeatureSchema schema;
  schema.missing_words = table.missing_words;
  for (const Index i : columns) {
    const TableColumn& column = table.columns[static_cast<std::size_t>(i)];
    if (column.categorical) {
      schema.columns.push_back(
          {.name = column.name, .words = column.words, .missing = column.missing > 0});
    } else {
      schema.columns.push_back({.name = column.name,
                                .words = {},
                                .date = column.date,
                                .missing_number = column.mean,
                                .origin = column.origin});
    }
  }
  return schema;
}

RowEncoder::RowEncoder(const Table& table, const std::vector<Index>& columns) {
  for (const Index i : columns) {
    const TableColumn& column = table.columns[static_cast<std::size_t>(i)];
    const auto words = static_cast<Index>(column.words.size());
    const Index features = column.categorical ? words + (column.missing > 0 ? 1 : 0) : 1;
    parts_.push_back({column.store, words, features, column.origin});
  }
}

void RowEncoder::encode(const Table& table, Index row, const ColumnEncoder& encoder,
                        std::span<float> out) const {
  std::copy(encoder.absent().begin(), encoder.absent().end(), out.begin());
  for (std::size_t c = 0; c < parts_.size(); ++c) {
    const Part& part = parts_[c];
    const auto column = static_cast<Index>(c);
    if (part.words > 0) {
      const Index code = table.codes(row, part.store);
      if (code < part.words) encoder.set_word(column, code, out);
    } else {
      const float number = table.numbers(row, part.store);
      if (!std::isnan(number)) {
        encoder.set_number(column, part.origin + static_cast<double>(number), out);
      }
    }
  }
}

void RowEncoder::raw(const Table& table, Index row, std::span<double> out) const {
  auto at = out.begin();
  for (const Part& part : parts_) {
    if (part.words > 0) {
      std::fill_n(at, part.features, 0.0);
      at[table.codes(row, part.store)] = 1;
    } else {
      *at = part.origin + static_cast<double>(table.numbers(row, part.store));
    }
    at += part.features;
  }
}

std::shared_ptr<const ColumnRows> make_label_rows(Table table, const std::string& label,
                                                  ActionFeatures action_features) {
  const Index index = table.find(label);
  const TableColumn& column = table.columns[static_cast<std::size_t>(index)];
  const std::vector<std::string> classes = column.words;
  if (classes.size() < 2) {
    fail("{}: the label '{}' has one class only, '{}': expected at least two", table.file,
         column.name, classes.empty() ? "" : classes.front());
  }
  return std::make_shared<LabelRows>(std::move(table), index, classes, std::move(action_features));
}

std::shared_ptr<const ColumnRows> make_reward_rows(Table table, const std::string& prefix,
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
  auto names = reward_names(table, rewards, prefix);
  return std::make_shared<RewardRows>(std::move(table), rewards, std::move(names),
                                      std::move(action_features));
}

}  // namespace bandolier
