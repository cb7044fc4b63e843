#include "bandolier/lab/log/row_reader.h"

namespace bandolier {
namespace {

// c._multi[17].x is the same reason as c._multi[3].x.
std::string without_places(const std::string& field) {
  std::string out;
  bool inside = false;
  for (const char c : field) {
    if (c == ']') inside = false;
    if (!inside) out += c;
    if (c == '[') inside = true;
  }
  return out;
}

}  // namespace

bool RowReader::next(LoggedEvent& event) {
  while (advance()) {
    try {
      const std::string_view reason = read(event);
      if (reason.empty()) {
        ++events_;
        return true;
      }
      ++left_out_[std::string(reason)];
    } catch (const LogFieldError& error) {
      if (!lenient_) fail("{} line {}: {}", file(), line(), error.what());
      ++left_out_[fmt::format("lines skipped: their {} is missing or wrong",
                              without_places(error.field()))];
    }
  }
  return false;
}

std::vector<Note> RowReader::notes() const {
  std::vector<Note> notes;
  for (const auto& [reason, count] : left_out_) notes.push_back({"lines-left-out", reason, count});
  return notes;
}

}  // namespace bandolier
