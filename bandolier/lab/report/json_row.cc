#include "bandolier/lab/report/json_row.h"

#include <vector>

#include "bandolier/core/text.h"
#include "bandolier/lab/env/csv.h"
#include "bandolier/lab/log/json_text.h"

namespace bandolier {
namespace {

using Json = nlohmann::ordered_json;

std::string csv_text(const Json& value) {
  if (value.is_null()) return "";
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_float()) return to_text(value.get<double>());
  return json_text(value);
}

}  // namespace

std::string csv_of_json(const Json& rows) {
  std::string out;
  for (const Json& row : rows) {
    std::vector<std::string> names, values;
    for (const auto& [key, value] : row.items()) {
      if (value.is_structured()) continue;
      names.push_back(key);
      values.push_back(csv_text(value));
    }
    if (out.empty()) out += csv_line(names);
    out += csv_line(values);
  }
  return out;
}

}  // namespace bandolier
