#include "bandolier/lab/env/records.h"

#include <algorithm>
#include <cstring>

#include "bandolier/core/error.h"
#include "bandolier/core/text.h"

namespace bandolier {
namespace {

constexpr std::size_t kFirstBuffer = std::size_t{1} << 16;
constexpr std::size_t kLongestRecord = std::size_t{1} << 24;

bool blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

}  // namespace

RecordReader::RecordReader(Input& input, char separator, Unfinished unfinished)
    : input_(input), separator_(separator), unfinished_(unfinished), buffer_(kFirstBuffer) {
  fill();
  if (end_ >= 3 && std::memcmp(buffer_.data(), "\xef\xbb\xbf", 3) == 0) begin_ = 3;
  if (separator_ == 0) find_separator();
}

// Moves the unread part to the front and reads on behind it; false if there is no more.
bool RecordReader::fill() {
  if (at_end_) return false;
  if (begin_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  if (end_ == buffer_.size()) {
    if (buffer_.size() >= kLongestRecord) {
      fail("{} line {}: the record is longer than 16 MiB: expected separated text with line ends",
           input_.name(), line_);
    }
    buffer_.resize(2 * buffer_.size());
  }
  const auto free = std::span(buffer_).subspan(end_);
  const std::size_t count = input_.read(free);
  if (const void* nul = std::memchr(free.data(), 0, count)) {
    const auto offset = static_cast<const char*>(nul) - free.data();
    fail("{} line {}: found a zero byte: expected text, plain or gzipped; this is a binary file",
         input_.name(), next_line_ + std::count(buffer_.data(), free.data() + offset, '\n'));
  }
  at_end_ = count == 0;
  end_ += count;
  return count > 0;
}

void RecordReader::find_separator() {
  const std::string_view text(buffer_.data() + begin_, end_ - begin_);
  const auto first = text.find_first_not_of("\r\n");
  if (first == std::string_view::npos) {
    separator_ = ',';
    return;
  }
  const std::string_view line = text.substr(first, text.find('\n', first) - first);
  separator_ = ',';
  for (const char candidate : {'\t', ';', ',', ' '}) {
    if (trim(line).find(candidate) != std::string_view::npos) {
      separator_ = candidate;
      return;
    }
  }
}

bool RecordReader::next(std::vector<std::string_view>& fields) {
  for (;;) {
    line_ = next_line_;
    while (!parse(fields)) {
      if (!fill() && (begin_ == end_ || !may_end_here())) return false;
    }
    if (fields.size() > 1 || !fields.front().empty()) return true;
  }
}

// Parses one record at begin_; false, with nothing changed, if the buffer ends within it.
bool RecordReader::parse(std::vector<std::string_view>& fields) {
  fields.clear();
  doubled_.clear();
  if (begin_ == end_) return false;
  char* const data = buffer_.data();
  std::size_t at = begin_;
  Index lines = 0;
  const auto ended = [&] { return at == end_; };
  for (;;) {
    while (!ended() && data[at] != separator_ && blank(data[at])) ++at;
    if (separator_ == ' ') {
      while (!ended() && blank(data[at])) ++at;
      if (!fields.empty() && (ended() || data[at] == '\n')) {  // blanks before the line's end
        if (ended() && !may_end_here()) return false;
        break;
      }
    }
    if (!ended() && data[at] == '"') {
      const std::size_t from = ++at;
      const Index opened = line_ + lines;
      bool doubled = false;
      for (;; ++at) {
        if (ended()) {
          if (!may_end_here()) return false;
          fail("{} line {}, column {}: the quote opened here has no end: expected a closing \"",
               input_.name(), opened, fields.size() + 1);
        }
        if (data[at] == '"') {
          if (at + 1 == end_ && !may_end_here()) return false;
          if (at + 1 == end_ || data[at + 1] != '"') break;
          doubled = true;
          ++at;
        }
        lines += data[at] == '\n';
      }
      if (doubled) doubled_.push_back(fields.size());
      fields.emplace_back(data + from, at++ - from);
      while (!ended() && data[at] != separator_ && blank(data[at])) ++at;
    } else {
      const std::size_t from = at;
      while (!ended() && data[at] != separator_ && data[at] != '\n' &&
             !(separator_ == ' ' && blank(data[at]))) {
        ++at;
      }
      std::size_t to = at;
      while (to > from && blank(data[to - 1])) --to;
      fields.emplace_back(data + from, to - from);
      if (fields.back().find('\r') != std::string_view::npos) {
        fail(
            "{} line {}, column {}: found a carriage return within a line: expected lines that end "
            "in LF or CR LF; convert the file",
            input_.name(), line_ + lines, fields.size());
      }
    }
    if (ended() && !may_end_here()) return false;
    if (ended() || data[at] == '\n') break;
    if (data[at] != separator_ && !(separator_ == ' ' && blank(data[at]))) {
      fail(
          "{} line {}, column {}: found '{}' after a closing quote: expected a separator or the "
          "line's end",
          input_.name(), line_ + lines, fields.size(), data[at]);
    }
    ++at;
  }
  for (const std::size_t i : doubled_) {  // "" is " within quotes; folded in place
    char* const text = data + (fields[i].data() - data);
    std::size_t length = 0;
    for (std::size_t from = 0; from < fields[i].size(); ++from) {
      text[length++] = text[from];
      if (text[from] == '"') ++from;
    }
    fields[i] = {text, length};
  }
  begin_ = ended() ? at : at + 1;
  next_line_ = line_ + lines + 1;
  return true;
}

}  // namespace bandolier
