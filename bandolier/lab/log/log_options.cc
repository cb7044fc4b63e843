#include "bandolier/lab/log/log_options.h"

namespace bandolier {

const OptionTable<LogOptions>& log_options() {
  using O = LogOptions;
  static const OptionTable<O> table = {
      {"format", &O::format, "of the log's files; auto: by their first bytes"},
      {"action", &O::action, "a CSV's column of actions taken: from 0, or names"},
      {"reward", &O::reward, "a CSV's column of rewards"},
      {"propensity", &O::propensity,
       "a CSV's column of propensities, or uniform: 1/actions in every row of any log"},
      {"position", &O::position, "a CSV's column of positions, from 1"},
      {"columns", &O::columns,
       "prefixes of a CSV's columns with one number per action, joined by +"},
      {"drop", &O::drop, "prefixes of a CSV's columns that are no features, joined by +"},
      {"categorical", &O::categorical, "a CSV's columns to read as words, joined by +"},
      {"actions", &O::actions, "how many there are, in a CSV or a VW log of type cb; 0: found",
       between(0, kMostLoggedActions)},
      {"lenient", &O::lenient, "skip rows that are wrong, and count them"}};
  return table;
}

}  // namespace bandolier
