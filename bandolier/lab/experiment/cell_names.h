// What the files of an experiment's cells are called: NAME.bndl, NAME--trial-N.dsjson.
#pragma once

#include <string>
#include <vector>

#include "bandolier/lab/experiment/settings.h"

namespace bandolier {

// ENV--AGENT for each (environment, agent), environments outer. What a file name cannot hold is
// replaced by '_', and a name too long for a file system is cut. A name that is cut, or that
// another pair has, ends in a hash of the whole. All differ.
std::vector<std::string> cell_names(const ExperimentSettings& settings);

}  // namespace bandolier
