#include "bandolier/lab/env/csv_problem.h"

#include <algorithm>

#include "bandolier/lab/env/table_rows.h"
#include "bandolier/lab/env/table_survey.h"

namespace bandolier {
namespace {

// a+b: columns or words. A column whose name holds a + or a comma goes by its number.
std::vector<std::string> list(const std::string& option, const std::string& text) {
  if (text.empty()) return {};
  if (text.find(',') != std::string::npos) {
    fail(
        "environment 'csv': found {}={}: expected {}={}; + stands between several, and a column "
        "whose name holds a comma or a + goes by its number",
        option, text, option, join(split(text, ','), "+"));
  }
  return split(text, '+');
}

TableFormat format_of(const CsvOptions& options) {
  constexpr char kSeparators[] = {0, ',', ';', '\t', ' '};  // in the order of Separator
  return {.separator = kSeparators[static_cast<std::size_t>(options.separator)],
          .header = options.header,
          .drop = list("drop", options.drop),
          .categorical = list("categorical", options.categorical),
          .keep = list("keep", options.keep),
          .missing = list("missing", options.missing)};
}

// The file of action features: one row per action, in the actions' order, or in any order with a
// column `action` that names each (the class, or the reward column). What it notes goes to `notes`.
ActionFeatures read_action_features(const std::filesystem::path& path,
                                    const std::vector<std::string>& actions,
                                    std::vector<Note>& notes) {
  constexpr const char* kNameColumn = "action";
  const auto input = open_input(path);
  const auto names = column_names(*input, {}).names;
  const bool has_names = std::find(names.begin(), names.end(), kNameColumn) != names.end();
  TableFormat format;
  if (has_names) format.categorical = {kNameColumn};
  const Table table = read_table(*input, format);
  for (const Note& note : table.notes) {
    notes.push_back({note.kind, fmt::format("{}: {}", valid_utf8(table.file), note.to_text())});
  }
  if (table.rows != static_cast<Index>(actions.size())) {
    fail("{} has {} rows: expected {}, one per action ({})", table.file, table.rows, actions.size(),
         join(actions, ", "));
  }
  std::vector<Index> columns;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    if (table.columns[i].name != kNameColumn) columns.push_back(static_cast<Index>(i));
  }
  if (columns.empty()) fail("{} has no feature columns: expected some", table.file);
  const ColumnEncoder encoder(schema_of(table, columns));
  const RowEncoder rows(table, columns);
  ActionFeatures features(table.rows, encoder.features());
  std::vector<bool> seen(actions.size(), false);
  for (Index row = 0; row < table.rows; ++row) {
    auto action = static_cast<std::size_t>(row);
    if (has_names) {
      const TableColumn& column = table.columns[static_cast<std::size_t>(table.find(kNameColumn))];
      const std::size_t code = table.codes(row, column.store);
      const std::string name = code < column.words.size() ? column.words[code] : "";
      const auto found = std::find(actions.begin(), actions.end(), name);
      if (found == actions.end()) {
        fail("{}: found action '{}': expected each of {} once", table.file, name,
             join(actions, ", "));
      }
      action = static_cast<std::size_t>(found - actions.begin());
    }
    if (seen[action])
      fail("{}: found action '{}' twice: expected it once", table.file, actions[action]);
    seen[action] = true;
    float* const out = features.row(static_cast<Index>(action)).data();
    rows.encode(table, row, encoder, {out, static_cast<std::size_t>(encoder.features())});
  }
  return features;
}

ActionFeatures action_features(const CsvOptions& options, const std::vector<std::string>& actions,
                               std::vector<Note>& notes) {
  return options.actions.empty() ? ActionFeatures()
                                 : read_action_features(options.actions, actions, notes);
}

}  // namespace

const OptionTable<CsvOptions>& csv_options() {
  using O = CsvOptions;
  static const OptionTable<O> table = [] {
    OptionTable<O> rows = {
        {"label", &O::label, "column of the class: one action per class, the right one pays 1"},
        {"rewards", &O::rewards, "prefix of the reward columns: one action per column"},
        {"header", &O::header, "whether the first line names the columns"},
        {"separator", &O::separator, "what stands between fields"},
        {"categorical", &O::categorical,
         "columns to read as categories, whatever they hold, joined by +"},
        {"drop", &O::drop, "columns to leave out, joined by +"},
        {"keep", &O::keep, "columns never left out as ids, joined by +"},
        {"missing", &O::missing, "more words for what is missing, joined by +"},
        {"actions", &O::actions, "file of action features, one row per action"}};
    rows.include(rows_options()).include(standardise_options());
    return rows;
  }();
  return table;
}

std::unique_ptr<Environment> make_csv(const std::filesystem::path& path,
                                      const CsvOptions& options) {
  if (options.label.empty() == options.rewards.empty()) {
    fail("environment 'csv': found {}: expected csv:PATH,label=COLUMN or csv:PATH,rewards=PREFIX",
         options.label.empty() ? "neither label nor rewards" : "both label and rewards");
  }
  const auto input = open_input(path);
  TableFormat format = format_of(options);
  if (options.label.empty()) {
    format.outcome_prefix = options.rewards;
    Table table = read_table(*input, format);
    std::vector<std::string> actions;
    for (const auto& column : table.columns) {
      if (column.name.starts_with(options.rewards)) actions.push_back(column.name);
    }
    auto features = action_features(options, actions, table.notes);
    return make_rows_environment(
        make_reward_rows(std::move(table), options.rewards, std::move(features)), options, options,
        "csv");
  }
  format.categorical.push_back(options.label);
  format.required = {options.label};
  Table table = read_table(*input, format);
  const auto label = static_cast<std::size_t>(table.find(options.label));
  auto features = action_features(options, table.columns[label].words, table.notes);
  return make_rows_environment(
      make_label_rows(std::move(table), options.label, std::move(features)), options, options,
      "csv");
}

}  // namespace bandolier
