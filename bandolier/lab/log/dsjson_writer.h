// Logged decisions as dsjson, the format of Vowpal Wabbit and its relatives: one JSON object per
// line (docs/propensities.md has an example).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "bandolier/lab/log/log_file.h"
#include "bandolier/lab/log/logged_decision.h"
#include "bandolier/lab/log/logged_event.h"

namespace bandolier {

// The line, with its end, appended to `out`. Actions that were not available are not in it. Numbers
// are the shortest that read back as the same.
class DsjsonFormat {
 public:
  void append(const LoggedDecision& decision, std::string& out);
  // Throws Error where values by name are such that JSON cannot hold them.
  void append(const LoggedEvent& event, std::string& out);

 private:
  std::vector<Index> allowed_, order_;
  LoggedEvent event_;
};

// A log of a run, in a LogFile.
class DsjsonWriter {
 public:
  explicit DsjsonWriter(std::filesystem::path path) : file_(std::move(path)) {}

  void write(const LoggedDecision& decision) {
    format_.append(decision, file_.text());
    file_.written();
  }
  void finish() { file_.finish(); }

 private:
  LogFile file_;
  DsjsonFormat format_;
};

}  // namespace bandolier
