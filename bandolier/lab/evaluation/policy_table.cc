#include "bandolier/lab/evaluation/policy_table.h"

#include <cmath>
#include <optional>

#include "bandolier/core/error.h"
#include "bandolier/core/text.h"
#include "bandolier/lab/env/fields.h"
#include "bandolier/lab/env/input.h"
#include "bandolier/lab/env/records.h"
#include "bandolier/lab/log/log_survey.h"

namespace bandolier {
namespace {

struct TableColumns {
  std::size_t action = 0, probability = 0, count = 0;
  std::optional<std::size_t> position;
};

TableColumns find_columns(const std::vector<std::string_view>& titles) {
  std::optional<std::size_t> action, probability, position;
  for (std::size_t i = 0; i < titles.size(); ++i) {
    auto& place = titles[i] == "probability" ? probability
                  : titles[i] == "position"  ? position
                                             : action;
    if (place) {
      fail("columns '{}' and '{}': expected an action, its probability and perhaps a position",
           shorten(titles[*place]), shorten(titles[i]));
    }
    place = i;
  }
  if (!action || !probability) {
    fail(
        "expected a header with a column of actions, `probability`, and `position` where the "
        "log has positions");
  }
  return {*action, *probability, titles.size(), position};
}

}  // namespace

PolicyTable::PolicyTable(const std::filesystem::path& file) : file_(file.string()) {
  const auto input = open_input(file);
  RecordReader records(*input, ',');
  std::vector<std::string_view> fields;
  try {
    if (!records.next(fields)) fail("it is empty: expected a header");
    const TableColumns columns = find_columns(fields);
    positions_ = columns.position.has_value();
    while (records.next(fields)) {
      if (fields.size() != columns.count) {
        fail("{} fields: expected {}", fields.size(), columns.count);
      }
      add(std::string(fields[columns.action]),
          positions_ ? std::string(fields[*columns.position]) : std::string(),
          std::string(fields[columns.probability]));
    }
  } catch (const Error& error) {
    if (std::string_view(error.what()).starts_with(file_)) throw;
    fail("{} line {}: {}", file_, records.line(), error.what());
  }
  check_sums();
}

void PolicyTable::add(const std::string& action, const std::string& position,
                      const std::string& probability) {
  const auto number = parse_double(probability);
  if (!number || !(*number >= 0 && *number <= 1)) {
    fail("probability '{}': expected a number from 0 to 1", shorten(probability));
  }
  Index place = 0;
  if (positions_) {
    const auto found = parse_integer(position);
    if (!found || *found < 1) {
      fail("position '{}': expected a whole number from 1", shorten(position));
    }
    place = static_cast<Index>(*found);
  }
  if (!table_[place].emplace(action, *number).second) {
    fail("action '{}' has a probability already", shorten(action));
  }
}

void PolicyTable::check_sums() const {
  if (table_.empty()) fail("{}: no probabilities: expected a line per action", file_);
  for (const auto& [position, actions] : table_) {
    double sum = 0;
    for (const auto& [action, probability] : actions) sum += probability;
    if (std::abs(sum - 1) > 1e-3) {
      fail("{}: probabilities{} sum to {:.6g}: expected 1", file_,
           positions_ ? fmt::format(" at position {}", position) : "", sum);
    }
  }
}

std::span<const double> PolicyTable::probabilities(const LoggedEvent& event) {
  const auto here = table_.find(positions_ ? event.position : 0);
  if (here == table_.end()) {
    fail("{} has no position {}{}", file_, event.position,
         event.position == 0 ? ", and the log has none: expected a table without positions, or "
                               "--column position=NAME"
                             : "");
  }
  found_.clear();
  for (Index a = 0; a < event.actions; ++a) {
    const std::string name = action_name(event, a);
    const auto action = here->second.find(name);
    if (action == here->second.end()) {
      fail("{} has no action '{}', which this decision offers", file_, shorten(name));
    }
    found_.push_back(action->second);
  }
  return found_;
}

}  // namespace bandolier
