// Where the agents of an experiment are saved: FOLDER/ENV--AGENT.bndl.
#pragma once

#include <filesystem>
#include <vector>

#include "bandolier/lab/experiment/settings.h"

namespace bandolier {

// One path for each (environment, agent), environments outer. What a file name cannot hold is
// replaced by '_', and a name too long for a file system is cut. A name that is cut, or that
// another pair has, ends in a hash of the whole. All differ.
std::vector<std::filesystem::path> model_paths(const std::filesystem::path& folder,
                                               const ExperimentSettings& settings);

}  // namespace bandolier
