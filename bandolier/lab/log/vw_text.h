// Text of Vowpal Wabbit as events.
//
//   cb      action:cost:probability | features     a line is a decision; actions from 1
//   cb_adf  shared | features                      a block of lines, ended by an empty one: what
//   the
//           | features of an action                actions share (need not be there), then a line
//           per 0:cost:probability | features          action, the one taken with its label
//
// Features: `|user age:37 tall` is the number user.age and the word user=tall; without a namespace,
// age and =tall. A word that is given twice counts once. A namespace's own value (`|user:0.5`)
// multiplies numbers, and makes a number of each word. Actions have no names: they go by their
// places. Reward: −cost.
#pragma once

#include <optional>
#include <string_view>

#include "bandolier/lab/log/logged_event.h"

namespace bandolier {

struct VwLabel {
  Index action = 0;  // as written
  double cost = 0, probability = 0;
};

// What stands before the first bar of a line.
struct VwHead {
  bool shared = false;
  std::optional<VwLabel> label;
  std::string_view tag;       // without its quote
  std::string_view features;  // the rest, from the first bar on
};

// Throws LogFieldError where it is none, and where there is no bar; `uniform`: a label may lack its
// probability.
VwHead read_vw_head(std::string_view line, bool uniform);

// Appends to `out`. Throws LogFieldError.
void read_vw_features(std::string_view features, NamedValues& out);

}  // namespace bandolier
