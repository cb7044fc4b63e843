// A policy that knows no context: probabilities by action and, where a log has positions, by
// position, as a CSV with a header:
//
//   item_id,position,probability
//   0,1,0.01078
//
// `position` may be left out. The column that is neither names actions as the log does.
#pragma once

#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "bandolier/lab/log/logged_event.h"

namespace bandolier {

class PolicyTable {
 public:
  // Throws Error, with file and line, on what is no such table, and where a position's
  // probabilities do not sum to 1 within 0.001.
  explicit PolicyTable(const std::filesystem::path& file);

  // Of the event's actions at its position: a view until the next call. Throws Error where the
  // table has no such position, or one of the actions is not in it.
  std::span<const double> probabilities(const LoggedEvent& event);

 private:
  void add(const std::string& action, const std::string& position, const std::string& probability);
  void check_sums() const;

  std::string file_;
  bool positions_ = false;
  std::map<Index, std::map<std::string, double, std::less<>>> table_;  // 0: every position
  std::vector<double> found_;
};

}  // namespace bandolier
