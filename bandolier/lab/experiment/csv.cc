#include "bandolier/lab/experiment/csv.h"

namespace bandolier {

std::string csv_line(const std::vector<std::string>& fields) {
  std::string line;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if (i > 0) line += ',';
    if (fields[i].find_first_of(",\"\r\n") == std::string::npos) {
      line += fields[i];
      continue;
    }
    line += '"';
    for (const char c : fields[i]) {
      if (c == '"') line += '"';
      line += c;
    }
    line += '"';
  }
  return line + '\n';
}

std::optional<std::vector<std::string>> next_csv_record(std::string_view text,
                                                        std::size_t& position) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (std::size_t i = position; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted && c == '"' && i + 1 < text.size() && text[i + 1] == '"') {
      fields.back() += '"';
      ++i;
    } else if (c == '"') {
      quoted = !quoted;
    } else if (quoted) {
      fields.back() += c;
    } else if (c == ',') {
      fields.emplace_back();
    } else if (c == '\n') {
      position = i + 1;
      return fields;
    } else if (c != '\r') {
      fields.back() += c;
    }
  }
  return std::nullopt;
}

}  // namespace bandolier
