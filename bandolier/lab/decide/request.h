// One line that asks for a decision, or tells a reward.
//
//   {"id": 17, "context": {"age": 31, "country": "NO"}}                 asks
//   {"id": 17, "context": {...}, "actions": ["a", {"id": "b", "price": 3}]}   with what is on offer
//   {"id": 17, "reward": 1.0}                                           tells, then or later
//   {"id": 18, "context": {...}, "reward": 0.0}                         asks, and tells of the
//   answer
//   {"context": {...}, "action": "a", "reward": 1.0}                    tells of a decision
//   elsewhere
//
// or a row of a table with a header, whose columns `id`, `action` and `reward` mean the same unless
// the agent has features of these names. A context may be a list of numbers: x[0], x[1], ...
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bandolier/agent/named_agent.h"

namespace bandolier {

struct Request {
  std::string id;  // as JSON: "r17" with its quotes, or 17; the line's number where none is given
  bool has_id = false;
  bool has_context = false;
  NamedValues context;
  std::vector<std::string> actions;  // on offer; none: all
  std::vector<NamedValues> of_actions;
  std::optional<std::string> action;  // taken elsewhere
  std::optional<float> reward;

  void clear();
  // What is on offer: views of this request.
  std::vector<NamedAction> offered() const;
};

}  // namespace bandolier
