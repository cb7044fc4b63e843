// A run's summary as a table for people, JSON and CSV for programs.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bandolier/lab/experiment/results.h"

namespace bandolier {

// One block per environment: agents with intervals and differences, then uniform, best fixed action
// and oracle; failures and notes below.
std::string summary_table(const Results& results, const std::vector<Summary>& summaries,
                          Index baseline);

// One element for each (environment, agent), in the order asked for.
nlohmann::ordered_json summary_json(const Results& results, const std::vector<Summary>& summaries,
                                    Index baseline);

// The same keys as columns; empty where JSON has null.
std::string summary_csv(const Results& results, const std::vector<Summary>& summaries,
                        Index baseline);

// "warm-up saw every action's reward" where it did: the mark of results that are not comparable.
std::string protocol_line(const ExperimentSettings& settings);

}  // namespace bandolier
