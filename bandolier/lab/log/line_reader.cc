#include "bandolier/lab/log/line_reader.h"

#include <algorithm>
#include <cstring>

#include "bandolier/core/error.h"
#include "bandolier/core/text.h"

namespace bandolier {

LineReader::LineReader(Input& input) : input_(input), buffer_(std::size_t{1} << 16) {
  fill();
  if (end_ >= 3 && std::memcmp(buffer_.data(), "\xef\xbb\xbf", 3) == 0) begin_ = 3;
}

// Moves the unread part to the front and reads on behind it; false if there is no more.
bool LineReader::fill() {
  if (at_end_) return false;
  if (begin_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  if (end_ == buffer_.size()) {
    if (end_ > kLongestLine) {
      fail("{} line {}: the line is longer than {} MiB: expected one event per line", input_.name(),
           line_, kLongestLine >> 20);
    }
    buffer_.resize(std::min(2 * buffer_.size(), kLongestLine + 1));
  }
  const auto free = std::span(buffer_).subspan(end_);
  const std::size_t count = input_.read(free);
  at_end_ = count == 0;
  end_ += count;
  return count > 0;
}

bool LineReader::next(std::string_view& line) {
  for (;;) {
    ++line_;
    std::size_t searched = 0;
    std::size_t length = std::string_view::npos;
    for (;;) {
      const std::string_view unread(buffer_.data() + begin_, end_ - begin_);
      length = unread.find('\n', searched);
      if (length != std::string_view::npos) break;
      searched = unread.size();
      if (!fill()) break;
    }
    if (length == std::string_view::npos) {
      if (begin_ == end_) return false;
      length = end_ - begin_;
    }
    line = {buffer_.data() + begin_, length};
    begin_ = std::min(end_, begin_ + length + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (!trim(line).empty()) return true;
  }
}

}  // namespace bandolier
