// The Open Bandit Dataset: rows of a CSV, and its item_context.csv in the same folder. An action is
// an item, in its position. The context: the user's features and the position, as words; of each
// item: its features, and the user's affinity to it.
#pragma once

#include <vector>

#include "bandolier/lab/log/csv_header.h"

namespace bandolier {

struct ObdItems {
  std::vector<std::string> names;   // 0, 1, ...
  std::vector<NamedValues> values;  // of each
};

// Of the log at `path`. Throws Error where there is no item_context.csv beside it.
ObdItems read_obd_items(const std::filesystem::path& path);

class ObdReader final : public RowReader {
 public:
  ObdReader(std::unique_ptr<Input> input, const LogOptions& options, ObdItems items);

  Index line() const override { return rows_.line(); }

 private:
  bool advance() override { return rows_.next(); }
  std::string_view read(LoggedEvent& event) override;

  CsvRows rows_;
  bool uniform_;
  ObdItems items_;
  std::size_t time_, item_, position_, click_, propensity_;
  std::vector<std::size_t> user_;
  std::vector<std::size_t> affinity_;  // one per item; empty: the log has none
};

}  // namespace bandolier
