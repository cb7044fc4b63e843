// The shares of an experiment put together: one folder of results, as one process would have left
// it. Shares may be lost, cut short, overlap or come twice.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "bandolier/core/types.h"

namespace bandolier {

struct Merged {
  std::filesystem::path folder;
  Index trials = 0, expected = 0;     // that are there and that were asked for
  std::vector<std::string> missing;   // which, and whose, a sentence each
  std::vector<std::string> failures;  // trials that failed and did not succeed elsewhere
  std::vector<std::string> damage;    // what of the shares was left out, in sentences
};

// Puts `shares` and what `out` holds already into `out`; where trials are missing what is there is
// kept, and the experiment's own command with --out goes on from it. A trial that several have must
// be the same in all but its timings, which are those of the first named; one that failed gives way
// to one that did not. Where each share is a folder of results folders, as `bandolier paper` makes
// them, those of the same name are merged into OUT/NAME. Throws Error, with nothing written, where
// shares are not of one experiment, a trial differs, or none of the folders holds results.
std::vector<Merged> merge_shares(const std::vector<std::filesystem::path>& shares,
                                 const std::filesystem::path& out);

}  // namespace bandolier
