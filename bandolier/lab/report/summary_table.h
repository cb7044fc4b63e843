// A run's summary as a table for people, at most 100 characters wide whatever the specs are.
#pragma once

#include <string>
#include <vector>

#include "bandolier/lab/experiment/results.h"

namespace bandolier {

// One block per environment: agents with intervals and differences, then uniform, best fixed action
// and oracle, failures below; then the notes, each once, and a legend of names that were cut.
std::string summary_table(const Results& results, const std::vector<Summary>& summaries,
                          Index baseline);

// "warm-up saw every action's reward" where it did: the mark of results that are not comparable.
std::string protocol_line(const ExperimentSettings& settings);

}  // namespace bandolier
