// A run's summary as JSON and CSV for programs; summary_table.h is for people.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bandolier/lab/experiment/results.h"

namespace bandolier {

// One element for each (environment, agent), in the order asked for.
nlohmann::ordered_json summary_json(const Results& results, const std::vector<Summary>& summaries,
                                    Index baseline);

// The same keys as columns; empty where JSON has null.
std::string summary_csv(const Results& results, const std::vector<Summary>& summaries,
                        Index baseline);

}  // namespace bandolier
