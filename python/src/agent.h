// The class Agent: what Python says, made arguments of a SharedAgent.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bandolier/agent/shared_agent.h"
#include "python/src/decision.h"
#include "python/src/rows.h"

namespace bandolier::python {

// Keyword arguments that every call with contexts has.
struct CallArguments {
  nb::handle context, actions, available, action_features, action_ids;
  nb::handle random;  // a Random, or None
  int threads = 1;
};

class PyAgent {
 public:
  explicit PyAgent(std::unique_ptr<SharedAgent> agent);

  SharedAgent& shared() const { return *agent_; }
  nb::object action_names() const { return names_; }  // a tuple, or None

  void warm_up(nb::handle contexts, nb::handle actions, nb::handle rewards,
               nb::handle action_features);
  nb::object choose(const CallArguments& call, std::optional<bool> probabilities);
  nb::object probabilities(const CallArguments& call);
  nb::object scores(const CallArguments& call, const std::string& kind);
  nb::object top(const CallArguments& call, Index k);
  nb::object observe(const CallArguments& call, nb::handle action, nb::handle reward,
                     nb::handle ticket);

 private:
  struct Rows;

  // By name: a dictionary, a list of them, a table. Throws Error where the agent takes none of the
  // kind.
  bool is_named(nb::handle context) const;
  Index place_of(nb::handle action) const;
  std::vector<Index> places_of(nb::handle actions, const Rows& rows) const;
  // What it is called, or its place.
  nb::object name_at(Index place, const Rows& rows) const;
  nb::object observe_named(const Rows& rows, nb::handle action, nb::handle reward,
                           std::uint64_t ticket);

  std::unique_ptr<SharedAgent> agent_;
  nb::object names_;   // a tuple of the actions' names, or None
  nb::object places_;  // a dictionary of their places
  bool by_name_ = false, arrays_ = true;
};

}  // namespace bandolier::python
