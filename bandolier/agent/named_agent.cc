#include "bandolier/agent/named_agent.h"

#include <algorithm>

#include "bandolier/agent/registry.h"
#include "bandolier/core/error.h"
#include "bandolier/model/name_hash.h"
#include "bandolier/model/schema_encoder.h"
#include "bandolier/model/slot_encoder.h"

namespace bandolier {
namespace {

ProblemShape shape_of(const NamedAgentOptions& options, const FeatureEncoder& of_context,
                      const FeatureEncoder* of_action) {
  ProblemShape shape;
  shape.features = of_context.features();
  shape.fixed_actions = of_action == nullptr;
  shape.actions =
      shape.fixed_actions ? static_cast<Index>(options.actions.size()) : options.most_actions;
  shape.action_features = shape.fixed_actions ? 0 : of_action->features();
  return shape;
}

void check_names(const std::vector<std::string>& actions) {
  NameIndex seen;
  for (const auto& name : actions) {
    const std::uint64_t hash = hash_name(name);
    if (seen.find(name, hash) != NameIndex::kNone) {
      fail("action '{}' is named twice: expected every name once", name);
    }
    if (name.empty() || name.size() > kLongestName) {
      fail("the name of an action has {} bytes: expected 1 to {}", name.size(), kLongestName);
    }
    seen.add(name, hash);
  }
}

}  // namespace

NamedAgent::NamedAgent(const NamedAgentOptions& options, Random& random)
    : NamedAgent(options, std::make_unique<SlotEncoder>(SlotEncoderOptions{options.slots}),
                 options.actions.empty()
                     ? std::make_unique<SlotEncoder>(SlotEncoderOptions{options.action_slots})
                     : nullptr,
                 random) {}

NamedAgent::NamedAgent(const NamedAgentOptions& options, std::unique_ptr<FeatureEncoder> of_context,
                       std::unique_ptr<FeatureEncoder> of_action, Random& random)
    : actions_(options.actions),
      of_context_(std::move(of_context)),
      of_action_(std::move(of_action)) {
  if (actions_.empty() != (of_action_ != nullptr)) {
    fail("{} actions are named, and {} encoder of actions is given: expected one of the two",
         actions_.size(), of_action_ == nullptr ? "no" : "an");
  }
  check_names(actions_);
  agent_ = make_agent(options.agent, shape_of(options, *of_context_, of_action_.get()),
                      options.defaults);
  agent_->warm_up({}, random);
}

NamedAgent::NamedAgent(std::unique_ptr<Agent> agent, std::unique_ptr<FeatureEncoder> of_context,
                       std::vector<std::string> actions, Matrix<float> action_features)
    : actions_(std::move(actions)),
      of_context_(std::move(of_context)),
      action_features_(std::move(action_features)),
      agent_(std::move(agent)) {
  check_names(actions_);
  check_shape();
}

void NamedAgent::check_shape() const {
  const ProblemShape& own = agent_->shape();
  const bool fixed = of_action_ == nullptr;
  const Index features = of_context_->features();
  const Index actions = fixed ? static_cast<Index>(actions_.size()) : own.actions;
  const Index of_actions = fixed ? action_features_.cols() : of_action_->features();
  const bool rows = !fixed || action_features_.size() == 0 || action_features_.rows() == actions;
  if (fixed != own.fixed_actions || features != own.features || actions != own.actions ||
      of_actions != own.action_features || !rows) {
    fail("names and encoders are of {} features and {} actions, the agent of {} and {}", features,
         actions, own.features, own.actions);
  }
}

NamedScratch NamedAgent::make_scratch() const {
  NamedScratch scratch;
  scratch.agent = agent_->make_scratch();
  return scratch;
}

Index NamedAgent::known_place(std::string_view action) const {
  const auto found = std::find(actions_.begin(), actions_.end(), action);
  if (found == actions_.end()) {
    fail("no action is called '{}': expected one of {}", action, join(actions_, ", "));
  }
  return found - actions_.begin();
}

Index NamedAgent::place_of(std::string_view action, std::span<const NamedAction> offered) const {
  if (of_action_ == nullptr) return known_place(action);
  const auto found = std::find_if(offered.begin(), offered.end(),
                                  [&](const NamedAction& one) { return one.name == action; });
  if (found == offered.end()) {
    fail("action '{}' was taken, and is none of the {} that were offered", action, offered.size());
  }
  return found - offered.begin();
}

std::string_view NamedAgent::name_at(Index place, std::span<const NamedAction> offered) const {
  const auto i = static_cast<std::size_t>(place);
  return of_action_ == nullptr ? std::string_view(actions_[i]) : offered[i].name;
}

Context NamedAgent::encode(const NamedValues& context, std::span<const NamedAction> offered,
                           NamedScratch& scratch) const {
  scratch.offered.clear();
  for (const NamedAction& action : offered) {
    const std::uint64_t hash = hash_name(action.name);
    if (scratch.offered.find(action.name, hash) != NameIndex::kNone) {
      fail("action '{}' is offered twice: expected every action once", action.name);
    }
    scratch.offered.add(action.name, hash);
  }
  of_context_->encode(context, scratch.features, scratch.sparse);
  auto& buffer = scratch.context;
  buffer.values = scratch.sparse.values;
  buffer.indices = scratch.sparse.indices;
  buffer.available.clear();
  const Features features{buffer.values, buffer.indices, of_context_->features()};
  if (of_action_ == nullptr) {
    if (!offered.empty()) {
      buffer.available.assign(actions_.size(), 0);
      for (const NamedAction& action : offered) {
        buffer.available[static_cast<std::size_t>(known_place(action.name))] = 1;
      }
    }
    return {features,
            static_cast<Index>(actions_.size()),
            {action_features_.data(), static_cast<std::size_t>(action_features_.size())},
            {},
            buffer.available};
  }
  if (offered.empty()) fail("no action is offered: expected at least one");
  const auto width = static_cast<std::size_t>(of_action_->features());
  buffer.action_features.assign(offered.size() * width, 0.0f);
  buffer.action_ids.clear();
  for (std::size_t a = 0; a < offered.size(); ++a) {
    buffer.action_ids.push_back(static_cast<std::int64_t>(hash_name(offered[a].name)));
    if (offered[a].values == nullptr) continue;
    of_action_->encode(*offered[a].values, scratch.features, scratch.sparse);
    for (std::size_t i = 0; i < scratch.sparse.values.size(); ++i) {
      buffer.action_features[a * width + static_cast<std::size_t>(scratch.sparse.indices[i])] =
          scratch.sparse.values[i];
    }
  }
  return {features, static_cast<Index>(offered.size()), buffer.action_features, buffer.action_ids};
}

NamedDecision NamedAgent::choose(const NamedValues& context, std::span<const NamedAction> offered,
                                 Random& random, NamedScratch& scratch) const {
  const Decision decision =
      agent_->choose(encode(context, offered, scratch), random, *scratch.agent);
  return {name_at(decision.action, offered), decision};
}

NamedDecision NamedAgent::decide(const NamedValues& context, std::span<const NamedAction> offered,
                                 Random& random, NamedScratch& scratch) const {
  const Decision decision =
      agent_->decide(encode(context, offered, scratch), random, *scratch.agent);
  return {name_at(decision.action, offered), decision};
}

bool NamedAgent::observe(const NamedValues& context, std::span<const NamedAction> offered,
                         std::string_view taken, float reward, Random& random,
                         NamedScratch& scratch, float weight) {
  const Index action = place_of(taken, offered);
  if (!agent_->observe({encode(context, offered, scratch), action, reward, 0, weight}, random,
                       *scratch.agent)) {
    return false;
  }
  of_context_->learn(context);
  for (const NamedAction& one : offered) {
    if (of_action_ != nullptr && one.values != nullptr) of_action_->learn(*one.values);
  }
  return true;
}

NamedAgent NamedAgent::clone() const {
  NamedAgent copy;
  copy.actions_ = actions_;
  copy.has_names_ = has_names_;
  copy.action_features_ = action_features_;
  copy.of_context_ = of_context_->clone();
  if (of_action_ != nullptr) copy.of_action_ = of_action_->clone();
  copy.agent_ = agent_->clone();
  return copy;
}

AgentReport NamedAgent::report() const {
  AgentReport report = agent_->report();
  for (const FeatureEncoder* encoder : {of_context_.get(), of_action_.get()}) {
    if (encoder == nullptr) continue;
    report.belief_bytes += encoder->bytes();
    for (Note& note : encoder->notes()) report.notes.push_back(std::move(note));
  }
  return report;
}

void NamedAgent::write(ArchiveWriter& out) const {
  write_agent(*agent_, out);
  const auto names = out.section("names");
  out.write("actions", actions_);
  if (action_features_.size() > 0) out.write("action_features", action_features_);
  {
    const auto section = out.section("context");
    of_context_->save(out);
  }
  if (of_action_ != nullptr) {
    const auto section = out.section("action");
    of_action_->save(out);
  }
}

void NamedAgent::save(const std::filesystem::path& path) const {
  ArchiveWriter out;
  write(out);
  write_archive(path, out);
}

NamedAgent NamedAgent::load(const std::filesystem::path& path) {
  return read(read_archive(path), path.string());
}

NamedAgent NamedAgent::read(const ArchiveReader& in, const std::string& name) {
  NamedAgent loaded;
  loaded.agent_ = read_agent(in, name);
  const ProblemShape& shape = loaded.agent_->shape();
  if (in.has("names")) {
    const auto names = in.section("names");
    loaded.actions_ = names.read_texts("actions");
    try {
      check_names(loaded.actions_);
    } catch (const Error& error) {
      fail("{}: {}", names.where("actions"), error.what());
    }
    loaded.of_context_ = load_feature_encoder(names.section("context"));
    if (names.has("action")) loaded.of_action_ = load_feature_encoder(names.section("action"));
    if (loaded.actions_.empty() != (loaded.of_action_ != nullptr)) {
      fail("{} are {}, and {} encoder of actions is there: expected one of the two",
           names.where("actions"), loaded.actions_.size(),
           loaded.of_action_ == nullptr ? "no" : "an");
    }
    if (names.has("action_features")) {
      loaded.action_features_ = names.read_matrix<float>("action_features");
    }
  } else {
    loaded.has_names_ = false;
    if (const Index most = std::max(shape.features, shape.action_features);
        most > kMostSchemaColumns) {
      fail("{}: {} features have no names: expected at most {}", name, most, kMostSchemaColumns);
    }
    loaded.of_context_ = std::make_unique<SchemaEncoder>(numbered_schema(shape.features));
    if (shape.fixed_actions) {
      for (Index a = 0; a < shape.actions; ++a) loaded.actions_.push_back(fmt::format("{}", a));
    } else {
      loaded.of_action_ = std::make_unique<SchemaEncoder>(numbered_schema(shape.action_features));
    }
  }
  try {
    loaded.check_shape();
  } catch (const Error& error) {
    fail("{}: {}", name, error.what());
  }
  return loaded;
}

}  // namespace bandolier
