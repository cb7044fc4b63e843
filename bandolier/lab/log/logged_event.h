// One decision as a log tells it, with memory of its own that is reused from event to event.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bandolier/model/context.h"
#include "bandolier/model/named_values.h"

namespace bandolier {

inline constexpr Index kMostPositions = 10'000;

struct LoggedEvent {
  std::string id;    // empty where the log has none
  std::string time;  // as written
  double reward = 0;
  double propensity = 1;  // of the action taken, above 0
  Index action = 0;       // from 0
  Index actions = 0;
  // One per action, in the actions' order; empty where the log does not tell them, or tells them in
  // an order that contradicts the propensity.
  std::vector<double> probabilities;
  // One list per prefix of LogOptions::columns, each with one number per action.
  std::vector<std::vector<double>> columns;
  Index position = 0;        // the slot that was decided, from 1; 0 where the log has none
  double dropped = 0;        // the share of such events that the logger left out (pdrop), below 1
  bool skip_learn = false;   // LoggedDecision::skip_learn
  bool full_support = true;  // LoggedDecision::full_support
  std::vector<std::string> action_names;  // one per action; empty texts where the log has none

  // The context, in one of two forms. Dense, as this project writes it: floats as they were.
  bool dense = false;
  std::vector<float> features;
  std::vector<float> action_features;  // actions × features per action, row by row; may be empty
  std::vector<std::int64_t> action_ids;
  // Or by name: what all actions share, and each action's own, `actions` of them in use.
  NamedValues shared;
  std::vector<NamedValues> own;

  // How many events this one stands for, where the logger left some out.
  double drop_weight() const { return 1 / (1 - dropped); }

  // The dense form as an agent takes it: a view of this event.
  Context context() const {
    return {Features::dense(features), actions, action_features, action_ids};
  }
};

}  // namespace bandolier
