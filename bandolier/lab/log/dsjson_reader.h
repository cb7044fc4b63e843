// A log in dsjson, plain or gzipped, one event at a time: memory is that of the longest line.
//
//   const auto input = open_input(path);
//   DsjsonReader reader(*input);
//   for (LoggedEvent event; reader.next(event);) ...
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "bandolier/core/note.h"
#include "bandolier/lab/env/input.h"
#include "bandolier/lab/log/dsjson_event.h"
#include "bandolier/lab/log/line_reader.h"

namespace bandolier {

enum class BadLines { kRefuse, kSkip };

class DsjsonReader {
 public:
  // `input` must outlive the reader.
  explicit DsjsonReader(Input& input, BadLines bad_lines = BadLines::kRefuse)
      : input_(input), lines_(input), bad_lines_(bad_lines) {}

  // The next decision; false at the end. Throws Error, with file, line and field, on a line that is
  // wrong, unless those are skipped; always on a line longer than kLongestLine, and on a gzipped
  // file that is cut or damaged.
  bool next(LoggedEvent& event);

  Index line() const { return lines_.line(); }  // of the last event, from 1
  Index events() const { return events_; }
  // Lines that were no decisions, or that were wrong and skipped, by reason.
  std::vector<Note> notes() const;

 private:
  Input& input_;
  LineReader lines_;
  BadLines bad_lines_;
  Index events_ = 0;
  std::map<std::string, std::int64_t> left_out_;
};

}  // namespace bandolier
