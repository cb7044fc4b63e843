#include "bandolier/lab/log/logged_player.h"

#include <algorithm>

#include "bandolier/agent/registry.h"
#include "bandolier/core/error.h"
#include "bandolier/core/text.h"
#include "bandolier/model/slot_encoder.h"

namespace bandolier {
namespace {

constexpr Index kFewestSlots = 16, kMostSlots = 1024;

// Room for as many names again as the log has.
Index slots_for(Index names) {
  Index slots = kFewestSlots;
  while (slots < kMostSlots && slots < 2 * names) slots *= 2;
  return slots;
}

// The actions 0, 1, ... to the highest of these ids; 0 where one is no such number, or too high.
Index actions_by_id(const std::vector<std::string>& ids) {
  std::int64_t most = 0;
  for (const std::string& text : ids) {
    const auto id = parse_integer(text);
    if (!id || *id < 0 || *id >= kMostChangingActions) return 0;
    most = std::max(most, *id + 1);
  }
  return most;
}

std::vector<std::string> numbered_actions(Index count) {
  std::vector<std::string> names;
  for (Index a = 0; a < count; ++a) names.push_back(fmt::format("{}", a));
  return names;
}

Random stream(const LoggedPlayerOptions& options, Purpose purpose, std::int64_t step) {
  return Random({options.seed, purpose, kLogTrial, static_cast<std::uint32_t>(step)});
}

}  // namespace

LoggedPlayer::LoggedPlayer(const std::string& spec, const LogSurvey& log,
                           const LoggedPlayerOptions& options)
    : options_(options) {
  if (is_saved_agent(spec)) {
    load(spec, log);
  } else {
    make(spec, log);
  }
  if (dense_ != nullptr) {
    scratch_ = dense_->make_scratch();
  } else {
    named_scratch_ = named_->make_scratch();
  }
}

void LoggedPlayer::make(const std::string& spec, const LogSurvey& log) {
  Random random = stream(options_, Purpose::kWarmUp, 0);
  if (log.dense) {
    const Index fixed = log.fixed_actions ? actions_by_id(log.action_names) : 0;
    ProblemShape shape;
    shape.features = log.features;
    shape.fixed_actions = fixed > 0;
    shape.actions = fixed > 0 ? fixed : log.actions;
    shape.action_features = log.action_features;
    dense_ = make_agent(spec, shape, options_.defaults);
    dense_->warm_up({}, random);
    if (fixed > 0) know(numbered_actions(fixed));
    return;
  }
  NamedAgentOptions options;
  options.agent = spec;
  options.defaults = options_.defaults;
  options.slots = options_.slots > 0 ? options_.slots : slots_for(log.names);
  options.action_slots = slots_for(log.own_names);
  options.most_actions = std::max<Index>(log.actions, 2);
  if (log.fixed_actions) options.actions = log.action_names;
  named_.emplace(options, random);
  if (log.fixed_actions) know(log.action_names);
}

// A dense log's features are in the agent's order, and its actions are places. An agent whose
// features have slots was told lists of numbers by name: it is told of them so again.
void LoggedPlayer::load(const std::string& path, const LogSurvey& log) {
  NamedAgent saved = NamedAgent::load(path);
  if (!log.dense || dynamic_cast<const SlotEncoder*>(&saved.context_encoder()) != nullptr) {
    know(saved.actions());
    named_ = std::move(saved);
    return;
  }
  const ProblemShape& shape = saved.agent().shape();
  const Index actions =
      shape.fixed_actions && log.fixed_actions ? actions_by_id(log.action_names) : log.actions;
  const bool suit = shape.fixed_actions
                        ? actions > 0 && actions <= shape.actions && log.fixed_actions
                        : actions <= shape.actions;
  if (shape.features != log.features || shape.action_features != log.action_features || !suit) {
    fail(
        "{} is an agent of {} features, {} {}actions and {} features of each, and the log has {}, "
        "{}{} and {}: expected the same",
        path, shape.features, shape.actions, shape.fixed_actions ? "" : "changing ",
        shape.action_features, log.features, actions, log.fixed_actions ? "" : " changing ones",
        log.action_features);
  }
  if (shape.fixed_actions) know(numbered_actions(shape.actions));
  dense_ = saved.agent().clone();
}

void LoggedPlayer::know(std::vector<std::string> actions) {
  actions_ = std::move(actions);
  for (std::size_t a = 0; a < actions_.size(); ++a) place_of_[actions_[a]] = static_cast<Index>(a);
}

void LoggedPlayer::find_places(const LoggedEvent& event) {
  in_order_ = true;
  if (actions_.empty()) return;
  const auto count = static_cast<std::size_t>(event.actions);
  in_order_ = count == actions_.size();
  for (std::size_t a = 0; in_order_ && a < count; ++a) {
    const std::string& name = event.action_names[a];
    in_order_ = name == actions_[a] ||
                (name.empty() && action_name(event, static_cast<Index>(a)) == actions_[a]);
  }
  if (in_order_) return;
  places_.clear();
  available_.assign(actions_.size(), 0);
  for (Index a = 0; a < event.actions; ++a) {
    const std::string name = action_name(event, a);
    const auto found = place_of_.find(name);
    if (found == place_of_.end()) {
      fail("no action of the agent is called '{}': expected one of {}", name, join(actions_, ", "));
    }
    places_.push_back(found->second);
    std::uint8_t& available = available_[static_cast<std::size_t>(found->second)];
    if (available != 0) fail("action '{}' is offered twice: expected every action once", name);
    available = 1;
  }
}

Index LoggedPlayer::place(Index action) const {
  return in_order_ ? action : places_[static_cast<std::size_t>(action)];
}

Context LoggedPlayer::dense_context(const LoggedEvent& event) {
  if (!event.dense) fail("found a context by names: expected lists of numbers, as in the others");
  find_places(event);
  Context context = event.context();
  if (actions_.empty()) return context;
  context.action_ids = {};
  if (in_order_) return context;
  const auto own = static_cast<std::size_t>(event.actions);
  const std::size_t width = event.action_features.size() / own;
  action_features_.resize(actions_.size() * width);
  for (std::size_t a = 0; a < own; ++a) {
    std::copy_n(event.action_features.begin() + static_cast<std::ptrdiff_t>(a * width), width,
                action_features_.begin() + places_[a] * static_cast<std::ptrdiff_t>(width));
  }
  context.actions = static_cast<Index>(actions_.size());
  context.action_features = action_features_;
  context.available = available_;
  return context;
}

// And what is on offer, in offered_: none where all are.
const NamedValues& LoggedPlayer::named_context(const LoggedEvent& event) {
  find_places(event);
  const auto count = static_cast<std::size_t>(event.actions);
  offered_.clear();
  if (own_.size() < count) own_.resize(count);
  if (names_.size() < count) names_.resize(count);
  const auto numbered = [](std::span<const float> from, NamedValues& out) {
    out.clear();
    out.numbers("x", std::vector<double>(from.begin(), from.end()));
  };
  const std::size_t width = event.dense ? event.action_features.size() / count : 0;
  for (std::size_t a = 0; a < count && !(in_order_ && !actions_.empty()); ++a) {
    names_[a] = action_name(event, static_cast<Index>(a));
    if (event.dense) numbered(std::span(event.action_features).subspan(a * width, width), own_[a]);
    offered_.push_back({names_[a], event.dense ? &own_[a] : &event.own[a]});
  }
  if (!event.dense) return event.shared;
  numbered(event.features, shared_);
  return shared_;
}

Context LoggedPlayer::context(const LoggedEvent& event) {
  if (dense_ != nullptr) return dense_context(event);
  const NamedValues& values = named_context(event);
  return named_->encode(values, offered_, named_scratch_);
}

LoggedAnswer LoggedPlayer::answer(const LoggedEvent& event, const Decision& decision) {
  LoggedAnswer answer{decision.action, decision.scores, decision.probabilities,
                      decision.full_support};
  if (in_order_) return answer;
  scores_.clear();
  probabilities_.clear();
  for (Index a = 0; a < event.actions; ++a) {
    const auto at = static_cast<std::size_t>(place(a));
    if (place(a) == decision.action) answer.action = a;
    scores_.push_back(decision.scores[at]);
    if (!decision.probabilities.empty()) probabilities_.push_back(decision.probabilities[at]);
  }
  answer.scores = scores_;
  answer.probabilities = probabilities_;
  return answer;
}

LoggedAnswer LoggedPlayer::choose(const LoggedEvent& event, std::int64_t step) {
  Random random = stream(options_, Purpose::kChoose, step);
  const Context seen = context(event);
  return answer(event, agent().choose(seen, random, scratch()));
}

LoggedAnswer LoggedPlayer::decide(const LoggedEvent& event, std::int64_t step) {
  Random random = stream(options_, Purpose::kChoose, step);
  const Context seen = context(event);
  return answer(event, agent().decide(seen, random, scratch()));
}

bool LoggedPlayer::observe(const LoggedEvent& event, std::int64_t step, double weight) {
  Random random = stream(options_, Purpose::kObserve, step);
  const auto reward = static_cast<float>(event.reward), times = static_cast<float>(weight);
  if (dense_ != nullptr) {
    const Context seen = dense_context(event);
    return dense_->observe({seen, place(event.action), reward, 0, times}, random, *scratch_);
  }
  const NamedValues& values = named_context(event);
  return named_->observe(values, offered_, action_name(event, event.action), reward, random,
                         named_scratch_, times);
}

const Agent& LoggedPlayer::agent() const { return dense_ != nullptr ? *dense_ : named_->agent(); }

Scratch& LoggedPlayer::scratch() { return dense_ != nullptr ? *scratch_ : *named_scratch_.agent; }

AgentReport LoggedPlayer::report() const {
  return dense_ != nullptr ? dense_->report() : named_->report();
}

LoggedPlayer LoggedPlayer::clone() const {
  LoggedPlayer copy;
  copy.options_ = options_;
  copy.actions_ = actions_;
  copy.place_of_ = place_of_;
  if (dense_ != nullptr) {
    copy.dense_ = dense_->clone();
    copy.scratch_ = copy.dense_->make_scratch();
  } else {
    copy.named_ = named_->clone();
    copy.named_scratch_ = copy.named_->make_scratch();
  }
  return copy;
}

void LoggedPlayer::save(const std::filesystem::path& path) const {
  if (dense_ != nullptr) return save_agent(path, *dense_);
  named_->save(path);
}

}  // namespace bandolier
