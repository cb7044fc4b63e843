#include "bandolier/agent/agent.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>

#include "bandolier/core/error.h"
#include "bandolier/core/stream_key.h"
#include "bandolier/model/reward_unit.h"

namespace bandolier {
namespace {

// Part of the warm-up's stream, apart from those that methods draw from.
constexpr std::uint32_t kPatches = 1u << 30;
// Images that filters are learnt from: as good as many.
constexpr Index kWantedImages = 20;

// Rewards of a batch that a method is given at once.
constexpr std::size_t kObserveRows = 512;

// Odd, so that no ticket made of it is 0.
std::uint64_t new_key() {
  static std::atomic<std::uint64_t> next{1};
  return next.fetch_add(2, std::memory_order_relaxed);
}

}  // namespace

Words words_of(ScoreKind) {
  static constexpr std::string_view kWords[] = {"mean", "sample", "deviation"};
  return kWords;
}

Agent::Agent(const ProblemShape& shape, const PolicyOptions& policy,
             std::optional<double> reward_offset, Index filters)
    : shape_(shape),
      policy_(policy, shape.fixed_actions),
      pulls_(shape.actions, shape.fixed_actions),
      offset_(reward_offset),
      filters_(filters) {
  check(shape);
  if (filters > 0 && shape.image.size() == 0) {
    fail("inputs=patches is for images: this problem's {} features are none", shape.features);
  }
}

void Agent::count(const Experience& experience, bool accepted) {
  if (!accepted) {
    ++refused_;
    return;
  }
  ++steps_;
  const double size = std::clamp(static_cast<double>(experience.reward), -most_, most_);
  pulls_.count(experience.context.action_id(experience.action), experience.context.actions,
               static_cast<float>(size));
}

void Agent::warm_up(std::span<const Experience> experience, Random& random) {
  if (scratch_key_ != 0) fail("this agent has warmed up or was loaded already: make a new one");
  for (const Experience& one : experience) check(one, shape_);
  start_key_ = random.key();
  const bool warmed_up = !experience.empty();
  first_.start(experience, std::max({rewards_wanted(warmed_up), filters_ > 0 ? kWantedImages : 0,
                                     warmed_up ? 0 : kFewFirstRewards}));
  set_up(experience, random);
  scratch_key_ = new_key();
}

bool Agent::gains_by(std::span<const Experience> first) const {
  if (rewards_wanted(false) > 0 || filters_ > 0) return true;
  RewardOffset anew = offset_;
  anew.start(rewards_of(first));
  return anew.value() != offset_.value();
}

void Agent::set_up(std::span<const Experience> experience, Random& random) {
  steps_ = 0;
  pulls_ = Pulls(shape_.actions, shape_.fixed_actions);
  offset_.start(rewards_of(experience));
  patches_ = nullptr;
  if (filters_ > 0) {
    auto learnt = PatchFeatures::learn(experience, shape_, filters_, random.fork(kPatches));
    if (learnt) patches_ = std::make_shared<const PatchFeatures>(std::move(*learnt));
  }
  std::vector<PatchScratch> memory(patches_ ? experience.size() : 1);
  std::vector<Experience> seen;
  for (const Experience& one : experience) {
    seen.push_back({see(one.context, memory[patches_ ? seen.size() : 0]), one.action,
                    offset_.seen(one.reward), one.weight});
  }
  most_ = most_of_first(rewards_of(seen));
  start(seen, random);
  most_ = std::numeric_limits<double>::infinity();
  set_up_key_ = new_key();
}

Context Agent::see(const Context& context, PatchScratch& memory) const {
  return patches_ ? patches_->apply(context, memory) : context;
}

std::unique_ptr<Scratch> Agent::make_scratch() const {
  if (scratch_key_ == 0) {
    fail("this agent has not warmed up: call warm_up, with an empty list if need be");
  }
  auto scratch = new_scratch();
  scratch->made_for_ = scratch_key_;
  return scratch;
}

void Agent::check_scratch(const Scratch& scratch) const {
  if (scratch_key_ == 0) {
    fail("this agent has not warmed up: call warm_up, with an empty list if need be");
  }
  if (scratch.made_for_ != scratch_key_) {
    fail(
        "this scratch was made by another agent: expected one from make_scratch() of this agent, "
        "of its clone or of its snapshot");
  }
}

Scorer& Agent::bind_checked(const Context& context, Random& random, Scratch& scratch) const {
  check_scratch(scratch);
  check(context, shape_);
  scratch.ticket_ = 0;
  const Context seen = see(context, scratch.patches);
  scratch.set_up_key_ = set_up_key_;
  return bind(seen, random, scratch);
}

template <class Decide>
Decision Agent::decide_by(Decide policy, const Context& context, Random& random,
                          Scratch& scratch) const {
  Scorer& scorer = bind_checked(context, random, scratch);
  Decision decision = (policy_.*policy)(scorer, context, pulls_, random, scratch);
  if (offset_.value() != 0) {
    for (float& score : scratch.scores) score += static_cast<float>(offset_.value());
  }
  // A ticket that no other scratch alive gives out: shown with another it does not match.
  decision.ticket = scratch.ticket_ =
      (reinterpret_cast<std::uintptr_t>(&scratch) ^ (++scratch.decisions_ * 0x9e3779b97f4a7c15u)) |
      1;
  return decision;
}

Decision Agent::choose(const Context& context, Random& random, Scratch& scratch) const {
  return decide_by(&Policy::choose, context, random, scratch);
}

Decision Agent::decide(const Context& context, Random& random, Scratch& scratch) const {
  return decide_by(&Policy::decide, context, random, scratch);
}

BatchScorer* Agent::bind_batch(std::span<const Context>, Scratch&) const { return nullptr; }

void Agent::scores(ScoreKind kind, const Context& context, Random& random, Scratch& scratch,
                   std::span<float> out) const {
  if (static_cast<Index>(out.size()) != context.actions) {
    fail("the scores of {} actions with room for {}: expected as many", context.actions,
         out.size());
  }
  Scorer& scorer = bind_checked(context, random, scratch);
  switch (kind) {
    case ScoreKind::kMean:
      scorer.mean(out);
      break;
    case ScoreKind::kSample:
      scratch.temperature.assign(out.size(), 1.0f);
      scorer.sample(random, scratch.temperature, out);
      break;
    case ScoreKind::kDeviation:
      scorer.deviation(out);
      return;
  }
  for (float& score : out) score += static_cast<float>(offset_.value());
}

void Agent::top(const Context& context, Random& random, Scratch& scratch,
                std::span<Index> best) const {
  Scorer& scorer = bind_checked(context, random, scratch);
  if (static_cast<Index>(best.size()) > context.allowed()) {
    fail("the best {} actions were asked for, and {} are available: expected at most as many",
         best.size(), context.allowed());
  }
  policy_.top(scorer, context, pulls_, random, scratch, best);
}

void Agent::choose_batch(std::span<const Context> contexts, Random& random, Scratch& scratch,
                         std::span<Index> actions) const {
  check_scratch(scratch);
  if (contexts.size() != actions.size()) {
    fail("a batch of {} contexts with room for {} actions: expected as many", contexts.size(),
         actions.size());
  }
  for (const Context& context : contexts) check(context, shape_);
  scratch.ticket_ = 0;
  for (std::size_t first = 0; first < contexts.size(); first += kBatchRows) {
    auto some = contexts.subspan(first, std::min(kBatchRows, contexts.size() - first));
    const auto out = actions.subspan(first, some.size());
    if (patches_) {
      scratch.batch_patches.resize(std::max(scratch.batch_patches.size(), some.size()));
      scratch.batch_seen.clear();
      for (std::size_t i = 0; i < some.size(); ++i) {
        scratch.batch_seen.push_back(see(some[i], scratch.batch_patches[i]));
      }
      some = scratch.batch_seen;
    }
    const auto at = static_cast<std::uint32_t>(first);
    BatchScorer* scorer = bind_batch(some, scratch);
    if (scorer != nullptr) {
      policy_.choose_batch(*scorer, some, pulls_, random, at, scratch.batch_scores, out);
      continue;
    }
    for (std::size_t i = 0; i < some.size(); ++i) {
      Random stream = random.fork(at + static_cast<std::uint32_t>(i));
      out[i] =
          policy_.choose(bind(some[i], stream, scratch), some[i], pulls_, stream, scratch).action;
    }
  }
}

void Agent::check_feedback(const Feedback& feedback) const {
  check(Experience{feedback.context, feedback.action, feedback.reward}, shape_);
  const auto weight = static_cast<double>(feedback.weight);
  if (!(weight >= kLeastWeight && weight <= kMostWeight)) {
    fail("the weight of a reward is {}: expected {} to {}", feedback.weight, kLeastWeight,
         kMostWeight);
  }
  if (weight != 1 && !takes_weights()) {
    fail(
        "agent '{}' takes no weights, and a reward has the weight {}: expected 1; linear, auto, "
        "subspace-ekf, ekf and lofi take them",
        spec_.name, feedback.weight);
  }
  check_reward(offset_.seen(feedback.reward));
}

bool Agent::observe(const Feedback& feedback, Random& random, Scratch& scratch) {
  check_scratch(scratch);
  check_feedback(feedback);
  const bool bound = feedback.ticket != 0 && feedback.ticket == scratch.ticket_ &&
                     scratch.set_up_key_ == set_up_key_;
  scratch.ticket_ = 0;
  return learn_one(feedback, bound, random, scratch);
}

bool Agent::learn_one(const Feedback& feedback, bool bound, Random& random, Scratch& scratch) {
  // Views of the decision's context may be gone; the features found for it are the scratch's own.
  Context seen = feedback.context;
  if (patches_ && bound) {
    seen.features = Features::dense(scratch.patches.values);
  } else {
    seen = see(feedback.context, scratch.patches);
  }
  const Experience experience{seen, feedback.action, offset_.seen(feedback.reward),
                              feedback.weight};
  const bool accepted = learn(experience, bound, random, scratch);
  count(experience, accepted);
  if (accepted &&
      first_.add({feedback.context, feedback.action, feedback.reward, feedback.weight})) {
    const std::vector<Experience> first = first_.list();
    Random same(start_key_);
    if (gains_by(first)) set_up(first, same);
    first_.close_if_enough();
  }
  return accepted;
}

std::size_t Agent::learn_some(std::span<const Feedback> feedback, Scratch& scratch) {
  if (patches_) {
    scratch.batch_patches.resize(std::max(scratch.batch_patches.size(), feedback.size()));
  }
  scratch.batch_rewards.clear();
  for (std::size_t i = 0; i < feedback.size(); ++i) {
    const Feedback& one = feedback[i];
    const Context seen = patches_ ? see(one.context, scratch.batch_patches[i]) : one.context;
    scratch.batch_rewards.push_back({seen, one.action, offset_.seen(one.reward)});
  }
  std::array<bool, kObserveRows> accepted{};
  learn_batch(scratch.batch_rewards, scratch, std::span(accepted).first(feedback.size()));
  std::size_t refused = 0;
  for (std::size_t i = 0; i < feedback.size(); ++i) {
    count(scratch.batch_rewards[i], accepted[i]);
    refused += !accepted[i];
  }
  return refused;
}

std::size_t Agent::observe_batch(std::span<const Feedback> feedback, Random& random,
                                 Scratch& scratch) {
  check_scratch(scratch);
  for (std::size_t i = 0; i < feedback.size(); ++i) {
    try {
      check_feedback(feedback[i]);
    } catch (const Error& error) {
      fail("reward {} of a batch of {}: {}", i, feedback.size(), error.what());
    }
  }
  scratch.ticket_ = 0;
  std::size_t refused = 0;
  while (!feedback.empty()) {
    // The first rewards set the agent up anew; and one that is weighted is learnt by itself.
    const auto plain =
        static_cast<std::size_t>(std::find_if(feedback.begin(), feedback.end(),
                                              [](const Feedback& one) { return one.weight != 1; }) -
                                 feedback.begin());
    const bool alone = plain < 2 || first_.open() || !learns_batches();
    const std::size_t some = alone ? 1 : std::min(kObserveRows, plain);
    refused += alone ? !learn_one(feedback.front(), false, random, scratch)
                     : learn_some(feedback.first(some), scratch);
    feedback = feedback.subspan(some);
  }
  return refused;
}

AgentReport Agent::report() const {
  AgentReport report;
  report.steps = steps_;
  report.belief_bytes = pulls_.bytes() + first_.bytes();
  describe(report);
  if (offset_.value() != 0) report.signals["reward_offset"] = offset_.value();
  if (refused_ > 0) {
    report.notes.push_back({"rewards-refused",
                            "rewards were refused: they would have made the belief infinite",
                            refused_});
  }
  return report;
}

void Agent::save(ArchiveWriter& out) const {
  if (scratch_key_ == 0) fail("this agent has not warmed up: there is nothing to save");
  out.write("steps", steps_);
  out.write("refused", refused_);
  {
    const auto section = out.section("reward_offset");
    offset_.save(out);
    save_key(start_key_, out);
  }
  {
    const auto section = out.section("policy");
    pulls_.save(out);
  }
  if (first_.open()) {
    const auto section = out.section("first");
    first_.save(out);
  }
  if (patches_) {
    const auto section = out.section("patches");
    patches_->save(out);
  }
  const auto section = out.section("state");
  save_state(out);
}

void Agent::load(const ArchiveReader& in) {
  steps_ = in.read_count("steps");
  refused_ = in.read_count("refused");
  offset_ = RewardOffset(0);  // of files that know none
  if (in.has("reward_offset")) {
    const ArchiveReader section = in.section("reward_offset");
    offset_.load(section);
    start_key_ = load_key(section);
  }
  first_ = {};
  if (in.has("first")) first_.load(in.section("first"), shape_);
  patches_ = nullptr;
  if (in.has("patches")) {
    if (filters_ == 0) fail("{}: this agent's options ask for none", in.where("patches"));
    patches_ =
        std::make_shared<const PatchFeatures>(PatchFeatures::load(in.section("patches"), shape_));
  }
  pulls_.load(in.section("policy"));
  load_state(in.section("state"));
  scratch_key_ = new_key();
  set_up_key_ = new_key();
}

void check(const Experience& experience, const ProblemShape& shape) {
  check(experience.context, shape);
  if (experience.action < 0 || experience.action >= experience.context.actions) {
    fail("action {} was taken: expected 0 to {}", experience.action,
         experience.context.actions - 1);
  }
  if (!experience.context.allows(experience.action)) {
    fail("action {} was taken, and the context says that it was not available", experience.action);
  }
  if (!std::isfinite(experience.reward)) {
    fail("the reward of action {} is {}: expected a finite number", experience.action,
         experience.reward);
  }
}

}  // namespace bandolier
