// Logged decisions as dsjson, the format of Vowpal Wabbit and its relatives: one JSON object per
// line (docs/propensities.md has an example).
#pragma once

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "bandolier/lab/log/logged_decision.h"

namespace bandolier {

// The line, with its end, appended to `out`. Actions that were not available are not in it. Numbers
// are the shortest that read back as the same.
class DsjsonFormat {
 public:
  void append(const LoggedDecision& decision, std::string& out);

 private:
  std::vector<Index> allowed_, order_;
};

// A log that appears when it is finished: until then it is PATH.part, which is removed where it
// never is.
class DsjsonWriter {
 public:
  // Throws Error where the file cannot be made, and later where it cannot be written.
  explicit DsjsonWriter(std::filesystem::path path);
  ~DsjsonWriter();
  DsjsonWriter(const DsjsonWriter&) = delete;
  DsjsonWriter& operator=(const DsjsonWriter&) = delete;

  void write(const LoggedDecision& decision);
  void finish();

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  [[noreturn]] void refuse(const std::filesystem::path& path) const;
  void flush();

  std::filesystem::path path_, part_;
  std::unique_ptr<std::FILE, Close> file_;
  DsjsonFormat format_;
  std::string lines_;  // not yet written
};

}  // namespace bandolier
