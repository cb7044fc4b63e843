#include "bandolier/lab/log/csv_log.h"

#include <algorithm>
#include <set>

#include "bandolier/core/text.h"

namespace bandolier {
namespace {

using Path = std::filesystem::path;

std::vector<std::string> parts(const std::string& joined) {
  std::vector<std::string> out;
  for (std::string& part : split(joined, '+')) {
    if (!part.empty()) out.push_back(std::move(part));
  }
  return out;
}

bool begins_with_any(const std::string& name, const std::vector<std::string>& prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(),
                     [&](const std::string& prefix) { return name.starts_with(prefix); });
}

CsvActions numbered_to(Index count) {
  CsvActions actions;
  for (Index a = 0; a < count; ++a) actions.names.push_back(fmt::format("{}", a));
  return actions;
}

// Numbered where the names are 0, 1, ..., in this order.
CsvActions actions_called(std::vector<std::string> names) {
  CsvActions actions = numbered_to(static_cast<Index>(names.size()));
  if (names == actions.names) return actions;
  actions.numbered = false;
  actions.names = std::move(names);
  for (std::size_t a = 0; a < actions.names.size(); ++a) {
    actions.places[actions.names[a]] = static_cast<Index>(a);
  }
  return actions;
}

CsvActions actions_of_header(const Path& file, const std::string& prefix) {
  const auto input = open_input(file);
  const CsvRows rows(*input);
  std::vector<std::string> names;
  for (const std::string& name : rows.names()) {
    if (name.starts_with(prefix)) names.push_back(name.substr(prefix.size()));
  }
  if (names.empty()) {
    fail("{} has no column that begins with '{}': expected one per action", file.string(), prefix);
  }
  return actions_called(std::move(names));
}

CsvActions actions_of_rows(std::span<const Path> files, const std::string& column) {
  std::set<std::string, std::less<>> words;
  Index most = 0;
  for (const Path& file : files) {
    const auto input = open_input(file);
    CsvRows rows(*input);
    const std::size_t at = rows.find(column, "; --action names the column of actions taken");
    while (rows.next()) {
      if (at >= rows.width() || rows.missing(at)) continue;
      const std::string_view field = rows[at];
      const auto place = parse_integer(field);
      if (place && *place >= 0 && *place < kMostLoggedActions) {
        most = std::max(most, *place + 1);
      } else if (words.find(field) == words.end()) {
        words.emplace(field);
      }
      if (static_cast<std::int64_t>(words.size()) > kMostLoggedActions) {
        fail("{} has more than {} actions in column '{}': expected the action taken", file.string(),
             with_commas(kMostLoggedActions), column);
      }
    }
  }
  // One odd word among places is wrong, not a name: its row says so.
  if (most > 0 && static_cast<Index>(words.size()) <= most) return numbered_to(most);
  if (words.empty()) fail("{} has no action in column '{}'", files[0].string(), column);
  if (most > 0) {
    fail("column '{}' holds {} names and numbers up to {}: expected one of the two", column,
         words.size(), most - 1);
  }
  std::vector<std::string> names(words.begin(), words.end());
  sort_words(names);
  return actions_called(std::move(names));
}

}  // namespace

CsvActions find_csv_actions(std::span<const Path> files, const LogOptions& options) {
  const auto prefixes = parts(options.columns);
  if (prefixes.empty()) {
    return options.actions > 0 ? numbered_to(options.actions)
                               : actions_of_rows(files, options.action);
  }
  CsvActions actions = actions_of_header(files[0], prefixes[0]);
  if (options.actions > 0 && static_cast<std::int64_t>(actions.names.size()) != options.actions) {
    fail("{} has {} columns that begin with '{}': expected {}, as --actions says",
         files[0].string(), actions.names.size(), prefixes[0], options.actions);
  }
  return actions;
}

CsvLogReader::CsvLogReader(std::unique_ptr<Input> input, const LogOptions& options,
                           std::shared_ptr<const CsvActions> actions)
    : RowReader(std::move(input), options.lenient),
      rows_(RowReader::input()),
      uniform_(options.uniform()),
      actions_(std::move(actions)),
      action_(rows_.find(options.action, "; --action names the column of actions taken")),
      reward_(rows_.find(options.reward, "; --reward names the column of rewards")) {
  std::set<std::size_t> taken = {action_, reward_};
  if (!uniform_) {
    propensity_ = rows_.find(options.propensity,
                             "; --propensity names the column of propensities, and --propensity "
                             "uniform takes 1/actions instead");
    taken.insert(*propensity_);
  } else if (const auto unused = rows_.find_if_there(LogOptions().propensity)) {
    taken.insert(*unused);
  }
  if (!options.position.empty()) {
    position_ = rows_.find(options.position, "; --position names the column of positions");
    taken.insert(*position_);
  }
  for (const std::string& prefix : parts(options.columns)) {
    auto& columns = columns_.emplace_back();
    for (const std::string& action : actions_->names) {
      columns.push_back(rows_.find(prefix + action));
      taken.insert(columns.back());
    }
  }
  const auto dropped = parts(options.drop);
  const auto words = parts(options.categorical);
  for (const std::string& name : words) rows_.find(name);
  for (std::size_t column = 0; column < rows_.names().size(); ++column) {
    const std::string& name = rows_.names()[column];
    // A first column without a name is the index that pandas writes.
    if (name.empty() || taken.contains(column) || begins_with_any(name, dropped)) continue;
    const bool word = std::find(words.begin(), words.end(), name) != words.end();
    features_.push_back({column, word ? Kind::kWord : Kind::kUnknown});
  }
}

Index CsvLogReader::read_action() const {
  const std::string& column = rows_.names()[action_];
  const auto count = static_cast<Index>(actions_->names.size());
  if (rows_.missing(action_)) refuse_field(column, "is missing: expected the action taken");
  if (actions_->numbered) return rows_.whole(action_, 0, count - 1);
  const auto found = actions_->places.find(std::string(rows_[action_]));
  if (found == actions_->places.end()) {
    refuse_field(column, "is '{}': expected one of {}", shorten(rows_[action_]),
                 shorten(join(actions_->names, ", ")));
  }
  return found->second;
}

void CsvLogReader::read_feature(Feature& feature, NamedValues& out) const {
  if (rows_.missing(feature.column)) return;
  const std::string& name = rows_.names()[feature.column];
  const std::string_view field = rows_[feature.column];
  const auto number = feature.kind == Kind::kWord ? std::nullopt : parse_number(field);
  if (feature.kind == Kind::kUnknown) {
    feature.kind = number ? Kind::kNumber : Kind::kWord;
    feature.line = rows_.line();
  }
  if (feature.kind == Kind::kWord && feature.line > 0 && parse_number(field)) {
    refuse_field(name,
                 "is '{}': expected a word, as in line {}; --categorical {} reads all as words",
                 shorten(field), feature.line, name);
  }
  if (feature.kind == Kind::kNumber && !number) {
    refuse_field(name,
                 "is '{}': expected a number, as in line {}; --categorical {} reads all as words",
                 shorten(field), feature.line, name);
  }
  if (number && !fits_float(*number)) {
    refuse_field(name, "is '{}': expected a finite number", shorten(field));
  }
  try {
    if (number) {
      out.number(name, *number);
    } else {
      out.word(name, field);
    }
  } catch (const Error& error) {
    refuse_field(name, "cannot be taken: {}", error.what());
  }
}

std::string_view CsvLogReader::read(LoggedEvent& event) {
  rows_.check_width();
  const auto count = actions_->names.size();
  event.id.clear();
  event.time.clear();
  event.actions = static_cast<Index>(count);
  event.action = read_action();
  event.reward = rows_.reward(reward_);
  event.propensity = uniform_ ? 1 / static_cast<double>(count) : rows_.propensity(*propensity_);
  event.probabilities.assign(uniform_ ? count : 0, event.propensity);
  event.position = position_ ? rows_.whole(*position_, 1, kMostPositions) : 0;
  event.dropped = 0;
  event.skip_learn = false;
  event.full_support = true;
  event.action_names = actions_->names;
  event.columns.resize(columns_.size());
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    event.columns[i].clear();
    for (const std::size_t column : columns_[i]) {
      event.columns[i].push_back(rows_.number(column));
    }
  }
  event.dense = false;
  event.shared.clear();
  for (Feature& feature : features_) read_feature(feature, event.shared);
  if (event.own.size() < count) event.own.resize(count);
  for (NamedValues& own : event.own) own.clear();
  return {};
}

}  // namespace bandolier
