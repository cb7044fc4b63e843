// The paper's figures, made again: reward bars, reward against the subspace's dimension, time bars.
#pragma once

#include <string>
#include <vector>

#include "bandolier/lab/experiment/paper.h"
#include "bandolier/lab/report/experiment_figures.h"

namespace bandolier {

// For each problem and environment, in the paper's order of methods: rewards with intervals under
// bandit feedback, those of filters whose warm-up saw every action's reward below them, and a tick
// where the paper's bar ends.
std::vector<NamedFigure> paper_reward_figures(const PaperTables& bandit, const PaperTables& leak);

// Reward against d, SVD and random.
std::vector<NamedFigure> paper_dimension_figures(const PaperTables& tables);

// Seconds of a trial on a processor, on a log scale, for MovieLens and MNIST with each network.
std::vector<NamedFigure> paper_time_figures(const PaperTables& tables);

}  // namespace bandolier
