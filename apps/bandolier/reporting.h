// Results folders as the subcommands report them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "bandolier/lab/experiment/results_store.h"

namespace bandolier {

// The results in `folder`, or in the folders directly in it, by name. Throws Error where there are
// none.
std::vector<StoredResults> read_all_results(const std::filesystem::path& folder);

// Writes FOLDER/report.html and its figures, and verdicts.csv where results are of the paper;
// returns the page's path.
std::filesystem::path write_report(const std::filesystem::path& folder,
                                   const std::vector<StoredResults>& results,
                                   const std::string& baseline);

}  // namespace bandolier
