// A checksum of an environment's data, so that results are not resumed on changed files.
#pragma once

#include <string>

#include "bandolier/lab/env/environment.h"

namespace bandolier {

// CRC-32, in hex, of the contexts and expected rewards of up to 20,000 rows as a fixed shuffle
// draws them; features standardised over all rows depend on every one. Empty where rows are
// generated.
std::string data_sum(const Environment& environment);

}  // namespace bandolier
