#include "bandolier/agent/shared_agent.h"

#include <algorithm>
#include <mutex>
#include <random>
#include <shared_mutex>
#include <thread>

#include "bandolier/agent/registry.h"
#include "bandolier/core/error.h"
#include "bandolier/core/parallel.h"

namespace bandolier {
namespace {

// Tickets: the agent's key, the slot, and the decision's number there.
constexpr int kKeyShift = 32, kSlotShift = 24;
constexpr std::uint32_t kNumbers = 1u << kSlotShift;

// Agents of one process differ, and those of two processes most probably.
std::uint64_t new_ticket_key() {
  static const std::uint64_t process = std::random_device{}();
  static std::atomic<std::uint32_t> next{0};
  const auto number = static_cast<std::uint32_t>(process + next.fetch_add(1));
  return std::uint64_t{number == 0 ? 1 : number} << kKeyShift;
}

std::size_t first_slot(std::size_t slots) {
  static std::atomic<std::size_t> threads{0};
  thread_local const std::size_t own = threads.fetch_add(1, std::memory_order_relaxed);
  return own % slots;
}

template <class T>
bool same(std::span<const T> a, std::span<const T> b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end());
}

bool same(const Context& a, const Context& b) {
  return a.actions == b.actions && a.features.size == b.features.size &&
         same(a.features.values, b.features.values) &&
         same(a.features.indices, b.features.indices) &&
         same(a.action_features, b.action_features) && same(a.action_ids, b.action_ids);
}

}  // namespace

// A slot that is free, for as long as this lives.
class SharedAgent::Lease {
 public:
  // Looked for from `first` on.
  Lease(SharedAgent& owner, std::size_t first) {
    for (std::size_t i = first;; i = (i + 1) % kSlots) {
      if (take(owner.slots_[i])) break;
      if (i + 1 == kSlots) std::this_thread::yield();
    }
    index_ = static_cast<std::uint64_t>(slot_ - owner.slots_.data());
    if (!slot_->scratch) make_scratch(owner);
  }
  explicit Lease(SharedAgent& owner) : Lease(owner, first_slot(kSlots)) {}
  ~Lease() { leave(); }
  Lease(const Lease&) = delete;
  Lease& operator=(const Lease&) = delete;

  Slot& operator*() const { return *slot_; }
  Slot* operator->() const { return slot_; }
  std::uint64_t index() const { return index_; }

 private:
  bool take(Slot& slot) {
    if (slot.busy.load(std::memory_order_relaxed) ||
        slot.busy.exchange(true, std::memory_order_acquire)) {
      return false;
    }
    slot_ = &slot;
    return true;
  }
  void leave() {
    if (slot_ != nullptr) slot_->busy.store(false, std::memory_order_release);
    slot_ = nullptr;
  }
  void make_scratch(const SharedAgent& owner) {
    try {
      slot_->scratch.emplace();
      slot_->scratch->agent = owner.agent_->make_scratch();
    } catch (...) {
      slot_->scratch.reset();
      leave();
      throw;
    }
  }

  Slot* slot_ = nullptr;
  std::uint64_t index_ = 0;
};

// A number of `counter`, given back where the work that took it throws.
class SharedAgent::Step {
 public:
  explicit Step(std::atomic<std::uint64_t>& counter)
      : counter_(counter), number_(counter.fetch_add(1, std::memory_order_relaxed)) {}
  ~Step() {
    std::uint64_t taken = number_ + 1;
    if (!done_) counter_.compare_exchange_strong(taken, number_, std::memory_order_relaxed);
  }
  Step(const Step&) = delete;
  Step& operator=(const Step&) = delete;

  std::uint64_t number() const { return number_; }
  void done() { done_ = true; }

 private:
  std::atomic<std::uint64_t>& counter_;
  std::uint64_t number_;
  bool done_ = false;
};

SharedAgent::SharedAgent(std::unique_ptr<Agent> agent, std::uint64_t seed)
    : shape_(agent->shape()),
      spec_(agent->spec()),
      seed_(seed),
      key_(new_ticket_key()),
      own_(std::move(agent)),
      agent_(own_.get()),
      started_(agent_->started()) {}

SharedAgent::SharedAgent(std::unique_ptr<NamedAgent> agent, std::uint64_t seed)
    : shape_(agent->agent().shape()),
      spec_(agent->agent().spec()),
      seed_(seed),
      key_(new_ticket_key()),
      named_(std::move(agent)),
      agent_(&named_->agent()),
      started_(agent_->started()) {}

Random SharedAgent::stream(Purpose purpose, std::uint64_t step) const {
  return Random(
      {seed_, purpose, static_cast<std::uint32_t>(step >> 32), static_cast<std::uint32_t>(step)});
}

void SharedAgent::start() {
  if (started_.load(std::memory_order_acquire)) return;
  const std::lock_guard write(lock_);
  if (started_.load(std::memory_order_relaxed)) return;
  Random random = stream(Purpose::kWarmUp, 0);
  agent_->warm_up({}, random);
  started_.store(true, std::memory_order_release);
}

void SharedAgent::warm_up(const ContextRows& contexts, std::span<const Index> actions,
                          std::span<const float> rewards) {
  const std::lock_guard write(lock_);
  const FlushDenormals flush;
  if (started_) {
    fail("this agent has begun already: warm_up comes before every other call, and once");
  }
  RowMemory memory;
  const auto rows = contexts.rows(0, contexts.size(), memory);
  std::vector<Experience> experience;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    experience.push_back({rows[i], actions[i], rewards[i]});
  }
  Random random = stream(Purpose::kWarmUp, 0);
  try {
    agent_->warm_up(experience, random);
  } catch (...) {
    // It may have begun.
    auto fresh = make_agent(spec_, shape_);
    if (named_) {
      named_ = std::make_unique<NamedAgent>(std::move(fresh), named_->context_encoder().clone(),
                                            named_->actions());
      agent_ = &named_->agent();
    } else {
      own_ = std::move(fresh);
      agent_ = own_.get();
    }
    throw;
  }
  started_.store(true, std::memory_order_release);
}

template <class Bind>
void SharedAgent::choose_bound(Bind bind, Answer answer, const Random* own, SharedDecision& out) {
  start();
  const std::shared_lock read(lock_);
  const FlushDenormals flush;
  const Lease slot(*this);
  std::optional<Step> step;
  if (own == nullptr) step.emplace(decisions_);
  Random random = own == nullptr ? stream(Purpose::kChoose, step->number()) : *own;
  const Context context = bind(*slot->scratch);
  Scratch& scratch = *slot->scratch->agent;
  slot->ticket = 0;
  const Decision decision = answer == Answer::kWithProbabilities
                                ? agent_->decide(context, random, scratch)
                                : agent_->choose(context, random, scratch);
  out.action = decision.action;
  out.propensity = decision.propensity;
  out.scores.assign(decision.scores.begin(), decision.scores.end());
  out.probabilities.assign(decision.probabilities.begin(), decision.probabilities.end());
  out.full_support = decision.full_support;
  slot->context = slot->decided.hold(context);
  slot->ticket = decision.ticket;
  slot->decisions = (slot->decisions + 1) % kNumbers;
  out.ticket = key_ | slot.index() << kSlotShift | slot->decisions;
  if (step) step->done();
}

void SharedAgent::choose(const Context& context, Answer answer, const Random* own,
                         SharedDecision& out) {
  choose_bound([&](NamedScratch&) { return context; }, answer, own, out);
}

void SharedAgent::choose(const NamedValues& context, std::span<const NamedAction> offered,
                         Answer answer, const Random* own, SharedDecision& out) {
  choose_bound([&](NamedScratch& scratch) { return named_->encode(context, offered, scratch); },
               answer, own, out);
}

template <class Work>
void SharedAgent::for_rows(const ContextRows& contexts, int threads, const Random& random,
                           Work work) {
  start();
  const Index parts = (contexts.size() + kSharedRows - 1) / kSharedRows;
  parallel_for(parts, threads, [&](Index part) {
    const Index first = part * kSharedRows;
    const std::shared_lock read(lock_);
    const Lease slot(*this);
    const auto rows =
        contexts.rows(first, std::min(kSharedRows, contexts.size() - first), slot->rows);
    work(rows, first, random.fork(static_cast<std::uint32_t>(part)), *slot->scratch->agent);
  });
}

void SharedAgent::choose(const ContextRows& contexts, int threads, const Random* own,
                         std::span<Index> actions) {
  std::optional<Step> step;
  if (own == nullptr) step.emplace(decisions_);
  for_rows(contexts, threads, own == nullptr ? stream(Purpose::kChoose, step->number()) : *own,
           [&](std::span<const Context> rows, Index first, Random random, Scratch& scratch) {
             agent_->choose_batch(rows, random, scratch,
                                  actions.subspan(static_cast<std::size_t>(first), rows.size()));
           });
  if (step) step->done();
}

void SharedAgent::decide_rows(const ContextRows& contexts, int threads, const Random& random,
                              std::span<Index> actions, MatrixRef<double> probabilities) {
  for_rows(contexts, threads, random,
           [&](std::span<const Context> rows, Index first, const Random& part, Scratch& scratch) {
             for (std::size_t i = 0; i < rows.size(); ++i) {
               Random one = part.fork(static_cast<std::uint32_t>(i));
               const Decision decision = agent_->decide(rows[i], one, scratch);
               const std::size_t row = static_cast<std::size_t>(first) + i;
               if (!actions.empty()) actions[row] = decision.action;
               std::copy(decision.probabilities.begin(), decision.probabilities.end(),
                         probabilities.row(static_cast<Index>(row)).data());
             }
           });
}

void SharedAgent::choose(const ContextRows& contexts, int threads, const Random* own,
                         std::span<Index> actions, MatrixRef<double> probabilities) {
  std::optional<Step> step;
  if (own == nullptr) step.emplace(decisions_);
  decide_rows(contexts, threads, own == nullptr ? stream(Purpose::kChoose, step->number()) : *own,
              actions, probabilities);
  if (step) step->done();
}

void SharedAgent::probabilities(const ContextRows& contexts, int threads, const Random* own,
                                MatrixRef<double> out) {
  decide_rows(contexts, threads,
              own == nullptr ? stream(Purpose::kChoose, decisions_.load()) : *own, {}, out);
}

void SharedAgent::scores(ScoreKind kind, const ContextRows& contexts, int threads,
                         const Random* own, MatrixRef<float> out) {
  std::optional<Step> step;
  if (own == nullptr && kind == ScoreKind::kSample) step.emplace(decisions_);
  const Random random =
      own != nullptr ? *own : stream(Purpose::kChoose, step ? step->number() : decisions_.load());
  for_rows(contexts, threads, random,
           [&](std::span<const Context> rows, Index first, const Random& part, Scratch& scratch) {
             for (std::size_t i = 0; i < rows.size(); ++i) {
               Random one = part.fork(static_cast<std::uint32_t>(i));
               agent_->scores(kind, rows[i], one, scratch,
                              {out.row(first + static_cast<Index>(i)).data(),
                               static_cast<std::size_t>(out.cols())});
             }
           });
  if (step) step->done();
}

void SharedAgent::top(const ContextRows& contexts, int threads, const Random* own,
                      MatrixRef<Index> out) {
  std::optional<Step> step;
  if (own == nullptr) step.emplace(decisions_);
  for_rows(contexts, threads, own == nullptr ? stream(Purpose::kChoose, step->number()) : *own,
           [&](std::span<const Context> rows, Index first, const Random& part, Scratch& scratch) {
             for (std::size_t i = 0; i < rows.size(); ++i) {
               Random one = part.fork(static_cast<std::uint32_t>(i));
               agent_->top(rows[i], one, scratch,
                           {out.row(first + static_cast<Index>(i)).data(),
                            static_cast<std::size_t>(out.cols())});
             }
           });
  if (step) step->done();
}

void SharedAgent::check_ticket(std::uint64_t ticket) const {
  if (ticket != 0 && (ticket >> kKeyShift << kKeyShift) != key_) {
    fail("ticket {} was given by another agent: expected one of this agent, or none", ticket);
  }
}

bool SharedAgent::observe(const Context& context, Index action, float reward,
                          std::uint64_t ticket) {
  start();
  check_ticket(ticket);
  const std::lock_guard write(lock_);
  const FlushDenormals flush;
  const std::size_t asked = (ticket >> kSlotShift) % kSlots;
  const Lease slot(*this, ticket == 0 ? first_slot(kSlots) : asked);
  const bool mine = ticket != 0 && slot.index() == asked && slot->decisions == ticket % kNumbers &&
                    same(slot->context, context);
  Random random = stream(Purpose::kObserve, rewards_);
  const bool learnt = agent_->observe({context, action, reward, mine ? slot->ticket : 0}, random,
                                      *slot->scratch->agent);
  ++rewards_;
  return learnt;
}

bool SharedAgent::observe(const NamedValues& context, std::span<const NamedAction> offered,
                          std::string_view action, float reward, std::uint64_t ticket) {
  start();
  check_ticket(ticket);
  const std::lock_guard write(lock_);
  const FlushDenormals flush;
  const Lease slot(*this);
  slot->ticket = 0;
  Random random = stream(Purpose::kObserve, rewards_);
  const bool learnt = named_->observe(context, offered, action, reward, random, *slot->scratch);
  ++rewards_;
  return learnt;
}

std::span<const Feedback> SharedAgent::feedback_of(const ContextRows& contexts,
                                                   std::span<const Index> actions,
                                                   std::span<const float> rewards, Index first,
                                                   Slot& slot) const {
  const auto rows = contexts.rows(first, std::min(kLearntRows, contexts.size() - first), slot.rows);
  slot.feedback.clear();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::size_t row = static_cast<std::size_t>(first) + i;
    slot.feedback.push_back({rows[i], actions[row], rewards[row], 0});
  }
  return slot.feedback;
}

void SharedAgent::check(const ContextRows& contexts, std::span<const Index> actions,
                        std::span<const float> rewards) {
  start();
  for (Index first = 0; first < contexts.size(); first += kLearntRows) {
    const std::shared_lock read(lock_);
    const Lease slot(*this);
    Index row = first;
    for (const Feedback& one : feedback_of(contexts, actions, rewards, first, *slot)) {
      try {
        agent_->check_feedback(one);
      } catch (const Error& error) {
        fail("row {} of {}: {}", row, contexts.size(), error.what());
      }
      ++row;
    }
  }
}

Index SharedAgent::observe(const ContextRows& contexts, std::span<const Index> actions,
                           std::span<const float> rewards) {
  check(contexts, actions, rewards);
  Index learnt = 0;
  for (Index first = 0; first < contexts.size(); first += kLearntRows) {
    const std::lock_guard write(lock_);
    const FlushDenormals flush;
    const Lease slot(*this);
    slot->ticket = 0;
    const auto some = feedback_of(contexts, actions, rewards, first, *slot);
    Random random = stream(Purpose::kObserve, rewards_);
    learnt += static_cast<Index>(some.size() -
                                 agent_->observe_batch(some, random, *slot->scratch->agent));
    rewards_ += some.size();
  }
  return learnt;
}

AgentReport SharedAgent::report() {
  start();
  const std::shared_lock read(lock_);
  return named_ ? named_->report() : agent_->report();
}

std::unique_ptr<SharedAgent> SharedAgent::clone() {
  start();
  const std::shared_lock read(lock_);
  auto copy =
      named_ ? std::make_unique<SharedAgent>(std::make_unique<NamedAgent>(named_->clone()), seed_)
             : std::make_unique<SharedAgent>(agent_->clone(), seed_);
  copy->decisions_ = decisions_.load();
  copy->rewards_ = rewards_.load();
  return copy;
}

void SharedAgent::write(ArchiveWriter& out) {
  start();
  const std::shared_lock read(lock_);
  if (named_) {
    named_->write(out);
  } else {
    write_agent(*agent_, out);
  }
  const auto section = out.section("stream");
  out.write("seed", seed_);
  out.write("decisions", decisions_.load());
  out.write("rewards", rewards_.load());
}

std::unique_ptr<SharedAgent> SharedAgent::read(const ArchiveReader& in, const std::string& name,
                                               std::uint64_t seed) {
  const bool continues = in.has("stream");
  if (continues) seed = static_cast<std::uint64_t>(in.section("stream").read_integer("seed"));
  auto agent = in.has("names") ? std::make_unique<SharedAgent>(
                                     std::make_unique<NamedAgent>(NamedAgent::read(in, name)), seed)
                               : std::make_unique<SharedAgent>(read_agent(in, name), seed);
  if (continues) {
    const ArchiveReader stream = in.section("stream");
    agent->decisions_ = static_cast<std::uint64_t>(stream.read_count("decisions"));
    agent->rewards_ = static_cast<std::uint64_t>(stream.read_count("rewards"));
  }
  return agent;
}

}  // namespace bandolier
