// An agent for a whole program: any number of threads decide while others learn, and nobody hands
// in scratches or streams.
//
//   SharedAgent agent(make_agent("auto", shape), seed);
//   SharedDecision decision;                                    // a thread's own
//   agent.choose(context, kWithProbabilities, nullptr, decision);
//   agent.observe(context, decision.action, reward, decision.ticket);
//
// Readers and writers take turns (core/phase_fair_lock.h): a decision waits for one reward at most,
// and a reward for the decisions that are being made. Many rows are decided kSharedRows at a
// time and learnt kLearntRows at a time, and others may come in between.
//
// Decision number n draws from the stream (seed, kChoose, n), and of many rows row i from a fork of
// it: whatever the number of threads, the same calls give the same bits. Both counts are saved.
// Agents that nobody has warmed up begin with an empty list. A call that throws has changed
// nothing.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "bandolier/agent/named_agent.h"
#include "bandolier/core/phase_fair_lock.h"

namespace bandolier {

// Rows of many that are decided together, and learnt.
inline constexpr Index kSharedRows = 256;
inline constexpr Index kLearntRows = 1024;

enum class Answer { kAction, kWithProbabilities };

// A decision in memory of its own.
struct SharedDecision {
  Index action = 0;  // its place
  std::optional<double> propensity;
  std::vector<float> scores;
  std::vector<double> probabilities;  // from kWithProbabilities
  bool full_support = true;
  std::uint64_t ticket = 0;
};

struct RowMemory {
  std::vector<float> values, action_features;
  std::vector<ContextBuffer> held;  // of contexts that are made one by one
  std::vector<Context> contexts;
};

// Many contexts, in whatever form they lie; asked for while nobody changes the agent. Several
// threads may ask, each with its own memory.
class ContextRows {
 public:
  virtual ~ContextRows() = default;
  virtual Index size() const = 0;
  // Those from `first` on; views, alive until the next use of `memory`.
  virtual std::span<const Context> rows(Index first, Index count, RowMemory& memory) const = 0;
};

class SharedAgent {
 public:
  SharedAgent(std::unique_ptr<Agent> agent, std::uint64_t seed);
  SharedAgent(std::unique_ptr<NamedAgent> agent, std::uint64_t seed);
  SharedAgent(const SharedAgent&) = delete;
  SharedAgent& operator=(const SharedAgent&) = delete;

  // What never changes.
  const ProblemShape& shape() const { return shape_; }
  const AgentSpec& spec() const { return spec_; }
  std::uint64_t seed() const { return seed_; }
  const NamedAgent* named() const { return named_.get(); }  // null: it knows no names

  // Calls of choose and observe so far; of many rows each call is one decision, each row a reward.
  std::int64_t decisions() const { return static_cast<std::int64_t>(decisions_.load()); }
  std::int64_t rewards() const { return static_cast<std::int64_t>(rewards_.load()); }

  // Before all else, if at all.
  void warm_up(const ContextRows& contexts, std::span<const Index> actions,
               std::span<const float> rewards);

  // `own`: a stream in place of the agent's; null: the agent's next.
  void choose(const Context& context, Answer answer, const Random* own, SharedDecision& out);
  void choose(const NamedValues& context, std::span<const NamedAction> offered, Answer answer,
              const Random* own, SharedDecision& out);
  void choose(const ContextRows& contexts, int threads, const Random* own,
              std::span<Index> actions);
  // The same with the probabilities of all actions, a row per context.
  void choose(const ContextRows& contexts, int threads, const Random* own, std::span<Index> actions,
              MatrixRef<double> probabilities);

  // What the next such choose would draw from; changes nothing.
  void probabilities(const ContextRows& contexts, int threads, const Random* own,
                     MatrixRef<double> out);

  // As Agent's, a row per context; samples are drawn as decisions are, and counted.
  void scores(ScoreKind kind, const ContextRows& contexts, int threads, const Random* own,
              MatrixRef<float> out);
  void top(const ContextRows& contexts, int threads, const Random* own, MatrixRef<Index> out);

  // Whether it was learnt. `ticket`: of the decision, or 0; one of another agent is an Error. It
  // saves work if nobody has decided with the same memory since.
  bool observe(const Context& context, Index action, float reward, std::uint64_t ticket = 0);
  bool observe(const NamedValues& context, std::span<const NamedAction> offered,
               std::string_view action, float reward, std::uint64_t ticket = 0);
  // Throws Error where one of them is wrong by itself.
  void check(const ContextRows& contexts, std::span<const Index> actions,
             std::span<const float> rewards);
  // How many were learnt. An error has learnt none.
  Index observe(const ContextRows& contexts, std::span<const Index> actions,
                std::span<const float> rewards);

  AgentReport report();

  // One that goes on from here by itself.
  std::unique_ptr<SharedAgent> clone();

  // What save_agent or NamedAgent::save writes, with a section `stream` that they do not read.
  void write(ArchiveWriter& out);
  // Of a file without that section: the stream of `seed` from its beginning.
  static std::unique_ptr<SharedAgent> read(const ArchiveReader& in, const std::string& name,
                                           std::uint64_t seed = 0);

 private:
  // Memory of one thread at a time.
  struct Slot {
    std::atomic<bool> busy{false};
    std::optional<NamedScratch> scratch;
    RowMemory rows;
    std::vector<Feedback> feedback;
    ContextBuffer decided;     // the context of the last decision that got a ticket
    Context context;           // a view of it
    std::uint64_t ticket = 0;  // the scratch's
    std::uint32_t decisions = 0;
  };
  class Lease;
  class Step;
  static constexpr std::size_t kSlots = 64;

  void start();  // if nobody has
  Random stream(Purpose purpose, std::uint64_t step) const;
  // Decides for the context that bind(scratch) returns.
  template <class Bind>
  void choose_bound(Bind bind, Answer answer, const Random* own, SharedDecision& out);
  // work(contexts, first, random, scratch) for kSharedRows at a time.
  template <class Work>
  void for_rows(const ContextRows& contexts, int threads, const Random& random, Work work);
  void decide_rows(const ContextRows& contexts, int threads, const Random& random,
                   std::span<Index> actions, MatrixRef<double> probabilities);
  std::span<const Feedback> feedback_of(const ContextRows& contexts, std::span<const Index> actions,
                                        std::span<const float> rewards, Index first,
                                        Slot& slot) const;
  void check_ticket(std::uint64_t ticket) const;

  ProblemShape shape_;
  AgentSpec spec_;
  std::uint64_t seed_;
  std::uint64_t key_;  // the upper half of its tickets
  std::unique_ptr<NamedAgent> named_;
  std::unique_ptr<Agent> own_;  // where there are no names
  Agent* agent_;                // the one or the other's
  std::atomic<bool> started_;
  std::atomic<std::uint64_t> decisions_{0}, rewards_{0};
  PhaseFairLock lock_;
  std::array<Slot, kSlots> slots_;
};

}  // namespace bandolier
