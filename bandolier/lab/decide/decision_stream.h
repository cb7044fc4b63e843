// An agent that answers requests one by one and learns from the rewards that come between them, in
// constant memory: decisions that may still be rewarded are kept, the oldest forgotten first.
#pragma once

#include <cstdint>
#include <list>
#include <string>
#include <unordered_map>
#include <vector>

#include "bandolier/core/note.h"
#include "bandolier/lab/decide/request.h"

namespace bandolier {

struct DecisionStreamOptions {
  std::uint64_t seed = 0;
  std::size_t pending = 10'000;  // decisions that wait for a reward
};

class DecisionStream {
 public:
  // `agent` must outlive it.
  DecisionStream(NamedAgent& agent, const DecisionStreamOptions& options)
      : agent_(agent), options_(options), scratch_(agent.make_scratch()) {}

  // The answer as a line of JSON: id, action, propensity, and the score of every action. Empty
  // where none was asked for. Throws Error where the request does not suit the agent.
  std::string take(const Request& request);

  std::int64_t decided() const { return decided_; }
  std::int64_t learnt() const { return learnt_; }
  // Rewards that found no decision, decisions forgotten, names that are not known.
  std::vector<Note> notes() const;

 private:
  struct Waiting {
    Request request;
    std::string action;
  };
  using Place = std::list<Waiting>::iterator;

  std::string decide(const Request& request, std::string& action);
  void learn(const Request& request, std::string_view action, float reward);
  void keep(const Request& request, std::string action);

  NamedAgent& agent_;
  DecisionStreamOptions options_;
  NamedScratch scratch_;
  std::list<Waiting> waiting_;  // the oldest first
  std::unordered_map<std::string, Place> by_id_;
  std::int64_t decided_ = 0, learnt_ = 0, refused_ = 0;
  std::int64_t without_decision_ = 0, forgotten_ = 0;
};

}  // namespace bandolier
