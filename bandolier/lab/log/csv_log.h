// Logged decisions as rows of a CSV with a header. One column is the action taken, by its place
// from 0 or by its name; one the reward; one the propensity. Every other column is a feature of the
// context, but those that LogOptions names: a number, or a word; nothing where it is missing. A
// column is what its first value is.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "bandolier/lab/log/csv_header.h"

namespace bandolier {

// The actions of a CSV log: in all its files the same.
struct CsvActions {
  bool numbered = true;  // the column holds their places; else their names
  std::vector<std::string> names;
  std::unordered_map<std::string, Index> places = {};  // by name, where not numbered
};

// From LogOptions::actions, else from the header (LogOptions::columns), else from a pass over the
// column of actions of all files: places up to the highest, or names in ascending order.
CsvActions find_csv_actions(std::span<const std::filesystem::path> files,
                            const LogOptions& options);

class CsvLogReader final : public RowReader {
 public:
  // Throws Error where a column that LogOptions names is not there.
  CsvLogReader(std::unique_ptr<Input> input, const LogOptions& options,
               std::shared_ptr<const CsvActions> actions);

  Index line() const override { return rows_.line(); }

 private:
  enum class Kind { kUnknown, kNumber, kWord };
  struct Feature {
    std::size_t column;
    Kind kind = Kind::kUnknown;
    Index line = 0;  // of its first value
  };

  bool advance() override { return rows_.next(); }
  std::string_view read(LoggedEvent& event) override;
  Index read_action() const;
  void read_feature(Feature& feature, NamedValues& out) const;

  CsvRows rows_;
  bool uniform_;
  std::shared_ptr<const CsvActions> actions_;
  std::size_t action_, reward_;
  std::optional<std::size_t> propensity_, position_;
  std::vector<Feature> features_;
  std::vector<std::vector<std::size_t>> columns_;  // of each prefix, one per action
};

}  // namespace bandolier
