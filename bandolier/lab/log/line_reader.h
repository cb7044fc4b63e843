// Text line by line, in memory that no file can exceed.
#pragma once

#include <string_view>
#include <vector>

#include "bandolier/core/types.h"
#include "bandolier/lab/env/input.h"

namespace bandolier {

inline constexpr std::size_t kLongestLine = std::size_t{64} << 20;  // bytes

class LineReader {
 public:
  explicit LineReader(Input& input);

  // The next line that is not blank, without its end (LF or CR LF) and without a byte order mark: a
  // view that lives until the next call. False at the end. Throws Error on a line longer than
  // kLongestLine, before it is held.
  bool next(std::string_view& line);

  Index line() const { return line_; }  // the last one's number, from 1

 private:
  bool fill();

  Input& input_;
  std::vector<char> buffer_;
  std::size_t begin_ = 0, end_ = 0;  // the unread part of buffer_
  bool at_end_ = false;
  Index line_ = 0;
};

}  // namespace bandolier
