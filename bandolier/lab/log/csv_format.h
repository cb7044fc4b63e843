// Events as rows of a CSV that csv_log.h reads: a column for every feature of any event, then
// action (its place where the actions have no names but 0, 1, ...), reward, propensity and, where
// the log has them, position and the columns of LogOptions::columns.
#pragma once

#include <map>
#include <set>

#include "bandolier/lab/log/log_writer.h"

namespace bandolier {

class CsvFormat final : public EventFormat {
 public:
  explicit CsvFormat(const LogOptions& options);

  void look_at(const LoggedEvent& event) override;
  void begin(std::string& out) override;
  void append(const LoggedEvent& event, std::string& out) override;
  std::vector<Note> notes() const override;

 private:
  std::size_t column_of(std::string_view name);
  // Into the row's fields.
  void put(std::string_view name, std::string value);

  std::vector<std::string> prefixes_;
  std::vector<std::string> columns_;  // features, in the order in which they were met
  std::map<std::string, std::size_t, std::less<>> places_;
  std::vector<std::string> actions_;
  bool numbered_ = true, positions_ = false;
  std::set<std::string> odd_;  // columns with a word that reads as a number, or as missing
  std::vector<std::string> row_;
  std::int64_t skipped_ = 0, dropped_ = 0, own_ = 0, told_ = 0;
};

}  // namespace bandolier
