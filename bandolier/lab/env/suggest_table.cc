#include "bandolier/lab/env/suggest_table.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <vector>

#include "bandolier/lab/env/records.h"
#include "bandolier/lab/env/table_survey.h"

namespace bandolier {
namespace {

constexpr Index kRows = 1000;
constexpr std::size_t kMostClasses = 20;
constexpr std::size_t kMostShown = 12;

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

// Whether each column has 2 to 20 different values in the first rows.
std::vector<bool> find_classes(Input& input, const ColumnNames& columns) {
  std::vector<std::set<std::string>> values(columns.names.size());
  const MissingWords missing;
  RecordReader records(input, 0);
  std::vector<std::string_view> fields;
  if (columns.header) records.next(fields);
  for (Index row = 0; row < kRows && records.next(fields); ++row) {
    for (std::size_t i = 0; i < std::min(fields.size(), values.size()); ++i) {
      if (values[i].size() <= kMostClasses && !missing(fields[i])) values[i].emplace(fields[i]);
    }
  }
  std::vector<bool> classes;
  for (const auto& of : values) classes.push_back(of.size() >= 2 && of.size() <= kMostClasses);
  return classes;
}

// The obvious label's place, or nothing.
std::optional<std::size_t> find_label(const std::vector<std::string>& names,
                                      const std::vector<bool>& classes) {
  for (const std::string_view usual : {"label", "target", "class", "outcome", "y"}) {
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (classes[i] && lower(names[i]) == usual) return i;
    }
  }
  return classes.back() ? std::optional(names.size() - 1) : std::nullopt;
}

std::string quoted(const std::string& part) {
  return part.find(',') == std::string::npos ? part : '"' + part + '"';
}

std::string shown_columns(const std::vector<std::string>& names) {
  std::vector<std::string> shown;
  for (std::size_t i = 0; i < std::min(names.size(), kMostShown); ++i) {
    shown.push_back(shorten(names[i]));
  }
  return join(shown, ", ") +
         (names.size() > kMostShown ? fmt::format(" and {} more", names.size() - kMostShown) : "");
}

}  // namespace

bool ends_as_tables_do(const std::string& path) {
  std::string name = lower(path);
  if (name.ends_with(".gz")) name.resize(name.size() - 3);
  constexpr std::string_view kEndings[] = {".csv", ".tsv", ".tab", ".txt", ".dat", ".data"};
  return std::any_of(std::begin(kEndings), std::end(kEndings),
                     [&](std::string_view ending) { return name.ends_with(ending); });
}

bool looks_like_table(const std::string& text) {
  if (ends_as_tables_do(text)) return true;
  std::error_code ignored;
  return text.find_first_of("./") != std::string::npos &&
         std::filesystem::is_regular_file(text, ignored);
}

std::string suggest_table(const std::filesystem::path& path) {
  const std::string spec = "csv:" + valid_utf8(quoted(path.string()));
  try {
    const auto input = open_input(path);
    const ColumnNames columns = column_names(*input, {});
    const auto label = find_label(columns.names, find_classes(*input, columns));
    return fmt::format("{},{}; its columns: {}", spec,
                       label ? quoted("label=" + valid_utf8(columns.names[*label]))
                             : "label=COLUMN or rewards=PREFIX",
                       shown_columns(columns.names));
  } catch (const Error& error) {
    return fmt::format("{},label=COLUMN of a table; but {}", spec, valid_utf8(error.what()));
  }
}

}  // namespace bandolier
