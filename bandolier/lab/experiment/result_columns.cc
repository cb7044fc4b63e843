#include "bandolier/lab/experiment/result_columns.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "bandolier/core/error.h"
#include "bandolier/core/text.h"
#include "bandolier/lab/env/csv.h"
#include "bandolier/lab/experiment/note_json.h"
#include "bandolier/lab/log/json_text.h"

namespace bandolier {
namespace {

using Json = nlohmann::ordered_json;
using Columns = std::vector<ResultColumn>;
using Field = ResultField;
using Cell = ResultCell;

const EnvironmentFacts& facts_of(const Results& experiment, const TrialRecord& record) {
  return experiment.environments[static_cast<std::size_t>(record.environment)];
}

std::string number(double value) { return std::isnan(value) ? "" : to_text(value); }
std::string number(const std::optional<Index>& value) {
  return value ? std::to_string(*value) : "";
}
std::string clock_number(double value) {
  return std::isnan(value) ? "" : fmt::format("{:.6g}", value);
}

// A total; `kMayLack`: empty where it has no meaning.
enum class Presence { kAlways, kMayLack };
template <double TrialResult::*Member, Presence P = Presence::kAlways>
ResultColumn total(const char* name) {
  return {name, [](const Cell& cell) { return number(cell.record.result.*Member); },
          [](const Field& field, const Results&, TrialRecord& record) {
            record.result.*Member = P == Presence::kAlways ? field.real() : field.optional_real();
          }};
}

// A clock's reading, in six digits.
template <double TrialResult::*Member, Presence P = Presence::kAlways>
ResultColumn reading(const char* name) {
  ResultColumn column = total<Member, P>(name);
  column.write = [](const Cell& cell) { return clock_number(cell.record.result.*Member); };
  return column;
}

// A value of the curve at one of its points.
template <std::vector<double> TrialResult::*Member>
ResultColumn curve_value(const char* name) {
  return {name, [](const Cell& cell) { return number((cell.record.result.*Member)[cell.point]); },
          [](const Field& field, const Results&, TrialRecord& record) {
            (record.result.*Member).push_back(field.real());
          }};
}

template <std::optional<Index> AgentReport::*Member>
ResultColumn report_size(const char* name) {
  return {name, [](const Cell& cell) { return number(cell.record.result.report.*Member); },
          [](const Field& field, const Results&, TrialRecord& record) {
            record.result.report.*Member = field.optional_integer();
          }};
}

std::string write_signals(const Cell& cell) {
  std::vector<std::string> parts;
  for (const auto& [name, value] : cell.record.result.report.signals) {
    parts.push_back(name + "=" + to_text(value));
  }
  return join(parts, ";");
}

void read_signals(const Field& field, const Results&, TrialRecord& record) {
  if (field.text.empty()) return;
  for (const auto& part : split(field.text, ';')) {
    const auto equals = part.find('=');
    const auto value = parse_double(part.substr(std::min(equals, part.size() - 1) + 1));
    if (equals == std::string::npos || !value) field.refuse("name=number, separated by ;");
    record.result.report.signals[part.substr(0, equals)] = *value;
  }
}

// A list as JSON.
template <class List>
List read_list(const Field& field, const char* expected) {
  try {
    return Json::parse(field.text).get<List>();
  } catch (const Json::exception&) {
    field.refuse(expected);
  }
}

std::string write_chosen(const Cell& cell) {
  const auto& chosen = cell.record.result.chosen;
  return chosen.empty() ? "" : json_text(Json(chosen));
}

void read_chosen(const Field& field, const Results& experiment, TrialRecord& record) {
  if (field.text.empty()) return;
  auto& chosen = record.result.chosen;
  chosen = read_list<std::vector<Index>>(field, "a list of counts");
  const bool counts = std::all_of(chosen.begin(), chosen.end(), [](Index n) { return n >= 0; });
  if (!counts || static_cast<Index>(chosen.size()) != facts_of(experiment, record).actions) {
    field.refuse("a count for each action");
  }
}

Columns with_key(Columns more) {
  Columns columns = {
      {"env", [](const Cell& cell) { return facts_of(cell.experiment, cell.record).spec; },
       [](const Field& field, const Results& experiment, TrialRecord& record) {
         record.environment = field.index_among(experiment.settings.environments);
       },
       true},
      {"agent",
       [](const Cell& cell) {
         return cell.experiment.settings.agents[static_cast<std::size_t>(cell.record.agent)].spec;
       },
       [](const Field& field, const Results& experiment, TrialRecord& record) {
         record.agent = field.index_among(experiment.settings.agents);
       },
       true},
      {"trial", [](const Cell& cell) { return std::to_string(cell.record.trial); },
       [](const Field& field, const Results& experiment, TrialRecord& record) {
         record.trial = static_cast<std::uint32_t>(field.integer_below(experiment.settings.trials));
       },
       true}};
  columns.insert(columns.end(), more.begin(), more.end());
  return columns;
}

std::string line_of(const Columns& columns, const Cell& cell) {
  std::vector<std::string> fields;
  for (const auto& column : columns) {
    const bool there = column.of_failed || !cell.record.failed();
    fields.push_back(there ? column.write(cell) : "");
  }
  return csv_line(fields);
}

}  // namespace

void ResultField::refuse(std::string_view expected) const {
  fail("{}: line {}: {} is '{}': expected {}; remove the line or the folder", path.string(), line,
       column, text, expected);
}

double ResultField::real() const {
  const auto value = parse_double(text);
  if (!value || !std::isfinite(*value)) refuse("a number");
  return *value;
}

double ResultField::optional_real() const {
  return text.empty() ? std::numeric_limits<double>::quiet_NaN() : real();
}

std::int64_t ResultField::integer_below(std::int64_t limit) const {
  const auto value = parse_integer(text);
  if (!value || *value < 0 || *value >= limit) refuse(fmt::format("0 to {}", limit - 1));
  return *value;
}

std::optional<Index> ResultField::optional_integer() const {
  if (text.empty()) return std::nullopt;
  return integer_below(std::numeric_limits<Index>::max());
}

Index ResultField::index_among(const std::vector<LabelledSpec>& known) const {
  const auto found = std::find_if(known.begin(), known.end(),
                                  [&](const LabelledSpec& one) { return one.spec == text; });
  if (found == known.end()) {
    fail("{}: line {}: {} '{}' is not of this experiment; give another folder", path.string(), line,
         column, text);
  }
  return found - known.begin();
}

const Columns& trial_columns() {
  static const Columns columns = with_key(
      {{"seed", [](const Cell& c) { return std::to_string(c.experiment.settings.seed); }, nullptr,
        true},
       {"steps",
        [](const Cell& c) { return std::to_string(facts_of(c.experiment, c.record).steps); },
        [](const Field& field, const Results& experiment, TrialRecord& record) {
          record.result.steps = facts_of(experiment, record).steps;
          if (field.text != std::to_string(record.result.steps)) {
            field.refuse(std::to_string(record.result.steps));
          }
        },
        true},
       {"warmup_steps",
        [](const Cell& c) { return std::to_string(facts_of(c.experiment, c.record).warmup_steps); },
        nullptr, true},
       {"warmup_feedback",
        [](const Cell& c) { return std::string(to_word(c.experiment.settings.warmup_feedback)); },
        nullptr, true},
       total<&TrialResult::reward>("reward"),
       total<&TrialResult::regret>("regret"),
       total<&TrialResult::uniform>("uniform"),
       total<&TrialResult::best_fixed, Presence::kMayLack>("best_fixed"),
       total<&TrialResult::oracle>("oracle"),
       {"chosen", write_chosen, read_chosen},
       {"belief_bytes",
        [](const Cell& c) { return std::to_string(c.record.result.report.belief_bytes); },
        [](const Field& field, const Results&, TrialRecord& record) {
          record.result.report.belief_bytes = static_cast<std::size_t>(
              field.integer_below(std::numeric_limits<std::int64_t>::max()));
        }},
       report_size<&AgentReport::parameters>("parameters"),
       report_size<&AgentReport::subspace_dim>("subspace_dim"),
       {"notes", [](const Cell& c) { return json_text(Json(c.record.result.report.notes)); },
        [](const Field& field, const Results&, TrialRecord& record) {
          record.result.report.notes =
              read_list<std::vector<Note>>(field, "a list of {kind, text, count}");
        }},
       {"signals", write_signals, read_signals},
       {"error", [](const Cell& c) { return c.record.error; },
        [](const Field& field, const Results&, TrialRecord& record) { record.error = field.text; },
        true}});
  return columns;
}

const Columns& curve_columns() {
  static const Columns columns = with_key(
      {{"step", [](const Cell& c) { return std::to_string(c.record.result.curve_steps[c.point]); },
        [](const Field& field, const Results& experiment, TrialRecord& record) {
          record.result.curve_steps.push_back(
              field.integer_below(facts_of(experiment, record).steps + 1));
        }},
       curve_value<&TrialResult::curve_reward>("reward"),
       curve_value<&TrialResult::curve_regret>("regret")});
  return columns;
}

const Columns& timing_columns() {
  static const Columns columns =
      with_key({reading<&TrialResult::seconds>("seconds"),
                reading<&TrialResult::warmup_seconds>("warmup_seconds"),
                reading<&TrialResult::choose_seconds>("choose_seconds"),
                reading<&TrialResult::observe_seconds>("observe_seconds"),
                reading<&TrialResult::cpu_seconds>("cpu_seconds"),
                reading<&TrialResult::step_us_p50, Presence::kMayLack>("step_us_p50"),
                reading<&TrialResult::step_us_p99, Presence::kMayLack>("step_us_p99")});
  return columns;
}

std::string header_of(const Columns& columns) {
  std::vector<std::string> names;
  for (const auto& column : columns) names.emplace_back(column.name);
  return csv_line(names);
}

std::string trial_line(const TrialRecord& record, const Results& experiment) {
  return line_of(trial_columns(), {experiment, record});
}

std::string curve_lines(const TrialRecord& record, const Results& experiment) {
  std::string lines;
  for (std::size_t i = 0; i < record.result.curve_steps.size(); ++i) {
    lines += line_of(curve_columns(), {experiment, record, i});
  }
  return lines;
}

std::string timing_line(const TrialRecord& record, const Results& experiment) {
  return line_of(timing_columns(), {experiment, record});
}

}  // namespace bandolier
