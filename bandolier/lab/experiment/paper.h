// The experiments of the paper's results section, as settings: which methods, on what, how long.
// Where the honest protocol forbids what the paper's code did, the protocol wins; docs/results.md
// tells what that changes.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bandolier/lab/experiment/results.h"

namespace bandolier {

// Labels of the methods, as in the paper's figures.
namespace paper_method {
inline constexpr const char* kSvdFull = "EKF-Sub-SVD full";
inline constexpr const char* kRndFull = "EKF-Sub-RND full";
inline constexpr const char* kSvdDiag = "EKF-Sub-SVD diag";
inline constexpr const char* kRndDiag = "EKF-Sub-RND diag";
inline constexpr const char* kOrigFull = "EKF-Orig full";
inline constexpr const char* kOrigDiag = "EKF-Orig diag";
inline constexpr const char* kNlLimited = "NL limited";
inline constexpr const char* kNlUnlimited = "NL unlimited";
inline constexpr const char* kLinear = "Linear";
inline constexpr const char* kLim2 = "LiM2";
inline constexpr const char* kNeuralTs = "Neural-TS";
// Not in the paper's figures: another reading of its text, and the filters of the first two rows
// from a random offset that is centred (what `subspace-ekf` does where it is not told otherwise).
inline constexpr const char* kNlWindow = "NL limited, heads too";
inline constexpr const char* kSvdRandomOffset = "SVD full, random offset";
inline constexpr const char* kRndRandomOffset = "RND full, random offset";
// A network of a million weights, its subspace, and a small network in one of the same dimension.
inline constexpr const char* kSmallSub = "MLP 50, subspace";
inline constexpr const char* kLargeSub = "MLP 700-600, subspace";
inline constexpr const char* kLargeDiag = "MLP 700-600, original diag";
}  // namespace paper_method

enum class PaperFeedback { kBandit, kFull, kBoth };
inline Words words_of(PaperFeedback) {
  static constexpr std::string_view kWords[] = {"bandit", "full", "both"};
  return kWords;
}

struct PaperOptions {
  std::optional<std::int64_t> trials = {};  // nothing: 10; where quick 3 (mnist: 1)
  std::int64_t seed = 0;
  PaperFeedback feedback = PaperFeedback::kBandit;
  bool quick = false;  // fewer trials, steps and dimensions: minutes instead of hours
};

// One experiment of the section: a results folder of its own, named by `id`. A problem's methods
// are in two parts: the filters, whose warm-up saw every action's reward in the released code, and
// the others, whose did not. With `full` the filters see it, and the others run as ever.
struct PaperPart {
  std::string id;  // "tabular-filters", "mnist-mlp1-others", "tabular-filters-leak", ...
  ExperimentSettings settings;
};

// tabular, movielens, mnist, large, subspace-dim, time, all
const std::vector<std::string>& paper_experiments();

// The parts of one of them. Throws Error, naming the nearest, for another name.
std::vector<PaperPart> paper_parts(const std::string& experiment, const PaperOptions& options);

// Whether these settings were made by paper_parts.
bool is_paper_part(const ExperimentSettings& settings);

// Results by problem ("tabular", "movielens-mlp1", "mnist-lenet5", "subspace-dim-adult", ...) with
// the methods of its parts side by side, as one feedback has them. Parts are those of one seed,
// data and length; others are refused by an Error that names both.
using PaperTables = std::map<std::string, Results>;
PaperTables paper_tables(const std::vector<Results>& parts, WarmupFeedback feedback);

// Whether trials are shorter than the paper's (PaperOptions::quick).
bool shorter_than_paper(const Results& results);

// What the paper's figures show for a method (by its label) on an environment, where it is known
// and the trial is as long as the paper's.
std::optional<double> published_reward(const std::string& problem,
                                       const EnvironmentFacts& environment,
                                       const std::string& method);

}  // namespace bandolier
