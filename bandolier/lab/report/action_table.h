// How often each action was chosen, for people.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "bandolier/lab/experiment/results.h"

namespace bandolier {

// The actions of one environment that were chosen most, by their mean share over its agents, the
// largest first: name and index. Where they have no names, names are their numbers.
struct ChosenActions {
  std::vector<const Summary*> agents;  // that have shares; empty where actions change
  std::vector<std::pair<std::string, std::size_t>> actions;
  std::size_t more = 0;  // actions left out
};
ChosenActions most_chosen(const Results& results, const std::vector<Summary>& summaries,
                          Index environment);

// A table for each environment whose actions stay the same: actions × agents, shares in %.
std::string action_tables(const Results& results, const std::vector<Summary>& summaries);

// What action `action` is called.
std::string action_name(const EnvironmentFacts& facts, std::size_t action);

}  // namespace bandolier
