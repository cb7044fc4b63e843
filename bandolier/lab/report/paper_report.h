// The paper's results section made again: tables and pages that set our figures beside the
// published ones and judge the paper's claims.
#pragma once

#include <string>
#include <vector>

#include "bandolier/lab/experiment/paper_claims.h"
#include "bandolier/lab/experiment/results_store.h"
#include "bandolier/lab/report/experiment_figures.h"

namespace bandolier {

// For a terminal: methods × problems, ours with its interval and the paper's beside it, for each
// feedback; then a line for each claim.
std::string paper_text(const std::vector<Results>& parts);

// The page about several results folders; those of the paper come first, compared and judged.
std::string collection_page(const std::vector<StoredResults>& folders, const std::string& baseline,
                            std::vector<NamedFigure>& figures);

}  // namespace bandolier
