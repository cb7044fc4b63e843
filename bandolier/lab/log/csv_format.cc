#include "bandolier/lab/log/csv_format.h"

#include "bandolier/core/error.h"
#include "bandolier/core/text.h"
#include "bandolier/lab/env/csv.h"
#include "bandolier/lab/env/fields.h"
#include "bandolier/lab/log/log_survey.h"

namespace bandolier {
namespace {

constexpr std::size_t kMostColumns = 10'000;

}  // namespace

CsvFormat::CsvFormat(const LogOptions& options) {
  for (std::string& prefix : split(options.columns, '+')) {
    if (!prefix.empty()) prefixes_.push_back(std::move(prefix));
  }
}

std::size_t CsvFormat::column_of(std::string_view name) {
  const auto found = places_.find(name);
  if (found != places_.end()) return found->second;
  for (const char* taken : {"action", "reward", "propensity", "position"}) {
    if (name == taken) {
      fail("a feature is called '{}', as a column that every CSV log has: expected another name",
           name);
    }
  }
  if (columns_.size() == kMostColumns) {
    fail(
        "there are more than {} features, each of which would be a column: expected fewer; dsjson "
        "and vw hold them",
        with_commas(static_cast<std::int64_t>(kMostColumns)));
  }
  columns_.emplace_back(name);
  return places_.emplace(name, columns_.size() - 1).first->second;
}

void CsvFormat::look_at(const LoggedEvent& event) {
  if (actions_.empty()) {
    for (Index a = 0; a < event.actions; ++a) {
      actions_.push_back(action_name(event, a));
      numbered_ = numbered_ && actions_.back() == fmt::format("{}", a);
    }
  }
  for (Index a = 0; a < event.actions; ++a) {
    if (static_cast<std::size_t>(event.actions) != actions_.size() ||
        action_name(event, a) != actions_[static_cast<std::size_t>(a)]) {
      fail(
          "the actions on offer are not those of the first event: a CSV row has all of them; "
          "dsjson and vw hold menus");
    }
    if (event.dense ? !event.action_features.empty()
                    : event.own[static_cast<std::size_t>(a)].size() > 1) {
      own_ = 1;
    }
  }
  positions_ = positions_ || event.position > 0;
  if (event.dense) {
    for (std::size_t i = 0; i < event.features.size(); ++i) column_of(fmt::format("x[{}]", i));
    return;
  }
  static const MissingWords missing;
  for (Index i = 0; i < event.shared.size(); ++i) {
    const NamedValues::Value value = event.shared[i];
    column_of(value.name);
    if (value.kind != NamedValues::Kind::kWord) continue;
    if (missing(value.word) || parse_number(value.word)) odd_.emplace(value.name);
  }
}

void CsvFormat::begin(std::string& out) {
  if (own_ > 0) {
    fail(
        "the log has features of each action, which a CSV has no place for: expected a log "
        "without them; dsjson and vw hold them");
  }
  std::vector<std::string> names;
  for (const std::string& column : columns_) names.push_back(column);
  for (const char* name : {"action", "reward", "propensity"}) names.emplace_back(name);
  if (positions_) names.emplace_back("position");
  for (const std::string& prefix : prefixes_) {
    for (const std::string& action : actions_) names.push_back(prefix + action);
  }
  out += csv_line(names);
}

void CsvFormat::put(std::string_view name, std::string value) {
  std::string& field = row_[places_.find(name)->second];
  if (!field.empty()) {
    fail("'{}' has several words, which one field of a CSV cannot hold: dsjson and vw can", name);
  }
  field = std::move(value);
}

void CsvFormat::append(const LoggedEvent& event, std::string& out) {
  if (event.skip_learn) {
    ++skipped_;
    return;
  }
  dropped_ += event.dropped > 0 ? 1 : 0;
  told_ += event.probabilities.empty() ? 0 : 1;
  row_.assign(columns_.size(), {});
  if (event.dense) {
    for (std::size_t i = 0; i < event.features.size(); ++i) {
      row_[i] = fmt::format("{}", event.features[i]);
    }
  } else {
    for (Index i = 0; i < event.shared.size(); ++i) {
      const NamedValues::Value value = event.shared[i];
      put(value.name, value.kind == NamedValues::Kind::kWord ? std::string(value.word)
                                                             : fmt::format("{}", value.number));
    }
  }
  const auto action = static_cast<std::size_t>(event.action);
  row_.push_back(numbered_ ? fmt::format("{}", action) : actions_[action]);
  row_.push_back(fmt::format("{}", event.reward));
  row_.push_back(fmt::format("{}", event.propensity));
  if (positions_) row_.push_back(event.position > 0 ? fmt::format("{}", event.position) : "");
  for (const auto& column : event.columns) {
    for (const double value : column) row_.push_back(fmt::format("{}", value));
  }
  out += csv_line(row_);
}

std::vector<Note> CsvFormat::notes() const {
  std::vector<Note> notes;
  const auto say = [&](std::int64_t count, std::string text) {
    if (count > 0) notes.push_back({"lost-in-format", std::move(text), count});
  };
  say(skipped_, "events that are not to be learnt from were left out: a CSV cannot mark them");
  say(dropped_, "events lost their pdrop, which a CSV has no place for");
  say(told_, "events lost the probabilities of the actions that were not taken");
  if (positions_) {
    notes.push_back({"column-to-name", "--position position reads the positions of this CSV"});
  }
  if (!odd_.empty()) {
    notes.push_back(
        {"column-to-name",
         fmt::format("columns of words some of which look like numbers or like nothing: "
                     "--categorical {} reads the CSV",
                     join(std::vector(odd_.begin(), odd_.end()), "+"))});
  }
  return notes;
}

}  // namespace bandolier
