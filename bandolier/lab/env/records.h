// Separated text, record by record: CSV (RFC 4180 quoting), tabs, semicolons, or runs of blanks.
#pragma once

#include <string_view>
#include <vector>

#include "bandolier/core/types.h"
#include "bandolier/lab/env/input.h"

namespace bandolier {

// What becomes of a last record without a line end: it is read as it stands, or left out, as one
// whose writer was killed.
enum class Unfinished { kRead, kLeave };

// Reads an input in one pass through a buffer. Blanks around unquoted fields are dropped, empty
// lines are skipped, lines may end in CR LF, and a UTF-8 byte order mark is ignored.
class RecordReader {
 public:
  // `separator` 0: the one of tab, semicolon, comma and blank that the first line holds, in this
  // order of preference. A blank separates by runs.
  RecordReader(Input& input, char separator, Unfinished unfinished = Unfinished::kRead);

  // The next record's fields, views that live until the next call; false at the end. Throws Error
  // on an open quote (of a record that is not left), on text after a closing quote, on a byte that
  // no text holds (NUL), and on a record of more than 16 MiB.
  bool next(std::vector<std::string_view>& fields);

  // The line on which the last record started, from 1.
  Index line() const { return line_; }
  char separator() const { return separator_; }
  // Whether an unfinished record was left, once next() has returned false.
  bool left_unfinished() const { return begin_ < end_; }

 private:
  bool parse(std::vector<std::string_view>& fields);
  bool fill();
  bool may_end_here() const { return at_end_ && unfinished_ == Unfinished::kRead; }
  void find_separator();

  Input& input_;
  char separator_;
  Unfinished unfinished_;
  std::vector<char> buffer_;
  std::vector<std::size_t> doubled_;  // fields of the record that hold doubled quotes
  std::size_t begin_ = 0, end_ = 0;   // the unread part of buffer_
  bool at_end_ = false;
  Index line_ = 0;
  Index next_line_ = 1;
};

}  // namespace bandolier
