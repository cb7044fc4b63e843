// What an evaluation found, for programs and for people.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "bandolier/lab/evaluation/evaluation.h"
#include "bandolier/lab/report/experiment_figures.h"

namespace bandolier {

// One element per (policy, estimator), policies outer; null where a number has no value.
nlohmann::ordered_json evaluation_json(const Evaluation& evaluation);

// The same keys as columns, less those that hold lists.
std::string evaluation_csv(const Evaluation& evaluation);

// Policies and estimators with intervals and differences from the first policy; then what is to be
// known of policies and of the log.
std::string evaluation_table(const Evaluation& evaluation);

// A page with a forest plot per estimator, a histogram of weights per policy, and the table; its
// figures are appended to `figures`.
std::string evaluation_page(const Evaluation& evaluation, const std::string& command,
                            std::vector<NamedFigure>& figures);

}  // namespace bandolier
