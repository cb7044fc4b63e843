// A trial's record as bytes that another process reads back, every number bit by bit: the lines of
// trials.csv and curves.csv are then the same wherever it was run.
#pragma once

#include <string>

#include "bandolier/lab/experiment/results.h"

namespace bandolier {

std::string to_bytes(const TrialRecord& record);

// Throws Error where they are not what to_bytes writes.
TrialRecord record_from_bytes(std::string bytes);

}  // namespace bandolier
