// The experiments of the paper's results section, as settings: which methods, on what, how long.
// Where the honest protocol forbids what the paper's code did, the protocol wins; docs/results.md
// tells what that changes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bandolier/lab/experiment/results.h"

namespace bandolier {

struct PaperOptions {
  std::optional<std::int64_t> trials;  // nothing: 10 (time: 3); where quick 3 (mnist, time: 1)
  std::int64_t seed = 0;
  WarmupFeedback warmup_feedback = WarmupFeedback::kBandit;
  bool quick = false;  // fewer trials, steps and dimensions: minutes instead of hours
};

// One experiment of the section: a results folder of its own, named by `id`.
struct PaperPart {
  std::string id;  // "tabular", "mnist-mlp1", ...: folder, and key of the published values
  ExperimentSettings settings;
  bool one_job = false;  // timings: nothing runs beside
};

// tabular, movielens, mnist, subspace-dim, time, all
const std::vector<std::string>& paper_experiments();

// The parts of one of them. Throws Error, naming the nearest, for another name.
std::vector<PaperPart> paper_parts(const std::string& experiment, const PaperOptions& options);

// The id of the part that these settings were made for; nothing where they are not of the paper.
std::optional<std::string> paper_part_id(const ExperimentSettings& settings);

// Whether trials are shorter than the paper's (PaperOptions::quick).
bool shorter_than_paper(const Results& results);

// What the paper's figures show for a method (by its label) on an environment, where it is known
// and the trial is as long as the paper's.
std::optional<double> published_reward(const std::string& part_id,
                                       const EnvironmentFacts& environment,
                                       const std::string& method);

}  // namespace bandolier
