#include "bandolier/lab/env/csv.h"

#include "bandolier/core/text.h"

namespace bandolier {

std::string csv_line(const std::vector<std::string>& fields) {
  std::string line;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const std::string& field = fields[i];
    if (i > 0) line += ',';
    if (field.find_first_of(",\"\r\n") == std::string::npos && trim(field) == field) {
      line += field;
      continue;
    }
    line += '"';
    for (const char c : field) {
      if (c == '"') line += '"';
      line += c;
    }
    line += '"';
  }
  return line + '\n';
}

}  // namespace bandolier
