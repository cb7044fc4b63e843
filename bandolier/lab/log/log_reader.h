// Logged decisions, one at a time, from files of any format that this project reads: dsjson, text
// of Vowpal Wabbit, CSV, Open Bandit Dataset; plain or gzipped. Memory is that of the longest line.
//
//   const auto reader = open_log(files, options);
//   for (LoggedEvent event; reader->next(event);) ...
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bandolier/core/error.h"
#include "bandolier/core/note.h"
#include "bandolier/lab/log/log_options.h"
#include "bandolier/lab/log/logged_event.h"

namespace bandolier {

class LogReader {
 public:
  virtual ~LogReader() = default;

  // The next decision; false at the end. Throws Error, with file, line and field, on one that is
  // wrong, unless those are skipped; always on a line longer than kLongestLine, and on a gzipped
  // file that is cut or damaged.
  virtual bool next(LoggedEvent& event) = 0;

  virtual const std::string& file() const = 0;  // of the last event
  virtual Index line() const = 0;               // of the last event, from 1
  virtual Index events() const = 0;             // so far
  // What was left out so far, by reason.
  virtual std::vector<Note> notes() const = 0;
};

// Does something with the last event of a reader: an Error of it begins with file and line.
template <class Work>
auto at_event(const LogReader& reader, Work work) {
  try {
    return work();
  } catch (const Error& error) {
    fail("{} line {}: {}", reader.file(), reader.line(), error.what());
  }
}

// What the name of a file says of its format, without .gz; nothing where it says none.
std::optional<LogFormat> format_of_name(std::filesystem::path path);

// All events of these files, one file after the other. Throws Error where there is none, where a
// file holds another format than its name says, and, at the end, where no event was found. Where
// the number of actions is not known beforehand, files of the formats that need it are read twice.
std::unique_ptr<LogReader> open_log(std::span<const std::filesystem::path> files,
                                    const LogOptions& options = {});

}  // namespace bandolier
