#include "bandolier/lab/log/vw_reader.h"

#include <algorithm>

#include "bandolier/core/error.h"

namespace bandolier {
namespace {

constexpr Index kMostActionsOfBlock = kMostNamedValues;

// What both kinds have in common once their label is known.
void fill(const VwLabel& label, bool uniform, LoggedEvent& event) {
  const auto count = static_cast<std::size_t>(event.actions);
  event.reward = label.cost == 0 ? 0 : -label.cost;
  event.propensity = uniform ? 1 / static_cast<double>(count) : label.probability;
  event.probabilities.assign(uniform ? count : 0, event.propensity);
  event.time.clear();
  event.columns.clear();
  event.position = 0;
  event.dropped = 0;
  event.skip_learn = false;
  event.full_support = true;
  event.dense = false;
}

}  // namespace

bool is_vw_adf(Input& input) {
  LineReader lines(input);
  bool adf = false;
  Index last = 0;
  for (std::string_view line; !adf && lines.line() < 1000 && lines.next(line);) {
    adf = line.starts_with("shared") || line.starts_with("0:") ||
          (last > 0 && lines.line() > last + 1);
    last = lines.line();
  }
  input.rewind();
  return adf;
}

Index find_vw_actions(std::span<const std::filesystem::path> files, const LogOptions& options) {
  if (options.actions > 0) return options.actions;
  Index most = 1;
  for (const auto& file : files) {
    const auto input = open_input(file);
    LineReader lines(*input);
    for (std::string_view line; lines.next(line);) {
      try {
        const VwHead head = read_vw_head(line, true);
        if (head.label) most = std::max(most, head.label->action);
      } catch (const LogFieldError&) {
        // The reader says so, with its line.
      }
    }
  }
  return most;
}

VwCbReader::VwCbReader(std::unique_ptr<Input> input, const LogOptions& options, Index actions)
    : RowReader(std::move(input), options.lenient),
      lines_(RowReader::input()),
      uniform_(options.uniform()),
      actions_(actions) {
  for (Index a = 0; a < actions; ++a) names_.push_back(fmt::format("{}", a));
}

std::string_view VwCbReader::read(LoggedEvent& event) {
  const VwHead head = read_vw_head(text_, uniform_);
  if (!head.label) return "lines left out: they have no label";
  if (head.label->action < 1 || head.label->action > actions_) {
    refuse_field("the action", "is {}: expected 1 to {}", head.label->action, actions_);
  }
  event.actions = actions_;
  event.action = head.label->action - 1;
  event.id = head.tag;
  fill(*head.label, uniform_, event);
  event.action_names = names_;
  const auto count = static_cast<std::size_t>(actions_);
  if (event.own.size() < count) event.own.resize(count);
  for (NamedValues& own : event.own) own.clear();
  event.shared.clear();
  read_vw_features(head.features, event.shared);
  return {};
}

VwAdfReader::VwAdfReader(std::unique_ptr<Input> input, const LogOptions& options)
    : RowReader(std::move(input), options.lenient),
      lines_(RowReader::input()),
      uniform_(options.uniform()) {}

bool VwAdfReader::next_of_block() {
  if (!have_ && more_) more_ = have_ = lines_.next(text_);
  return have_ && lines_.line() == last_ + 1;
}

bool VwAdfReader::advance() {
  // What is left of a block that was refused.
  while (next_of_block()) {
    last_ = lines_.line();
    have_ = false;
  }
  line_ = lines_.line();
  last_ = line_ - 1;
  return have_;
}

void VwAdfReader::read_line(LoggedEvent& event, bool first, std::optional<VwLabel>& label) {
  const VwHead head = read_vw_head(text_, uniform_);
  if (head.shared) {
    if (!first)
      refuse_field("shared",
                   "is not the first line of its block: expected an empty line before it");
    event.id = head.tag;
    return read_vw_features(head.features, event.shared);
  }
  if (event.actions == kMostActionsOfBlock) {
    refuse_field("the block", "has more than {} actions: expected an empty line between decisions",
                 kMostActionsOfBlock);
  }
  if (head.label) {
    if (label) refuse_field("the label", "stands at two actions: expected one in a block");
    label = head.label;
    event.action = event.actions;
  }
  const auto a = static_cast<std::size_t>(event.actions++);
  if (event.own.size() <= a) event.own.resize(a + 1);
  event.own[a].clear();
  read_vw_features(head.features, event.own[a]);
}

std::string_view VwAdfReader::read(LoggedEvent& event) {
  event.actions = 0;
  event.id.clear();
  event.shared.clear();
  std::optional<VwLabel> label;
  for (bool first = true; next_of_block(); first = false) {
    last_ = lines_.line();
    have_ = false;
    try {
      read_line(event, first, label);
    } catch (const LogFieldError& error) {
      line_ = last_;  // to name the line rather than its block
      throw;
    }
  }
  if (event.actions == 0) refuse_field("the block", "has no action: expected a line for each");
  if (!label) return "blocks left out: they have no label";
  fill(*label, uniform_, event);
  event.action_names.assign(static_cast<std::size_t>(event.actions), std::string());
  return {};
}

}  // namespace bandolier
