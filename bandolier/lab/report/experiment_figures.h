// The figures of one experiment, for each environment.
#pragma once

#include <string>
#include <vector>

#include "bandolier/lab/experiment/results.h"
#include "bandolier/lab/report/figures.h"

namespace bandolier {

struct NamedFigure {
  std::string name;  // of its file, without .svg
  Svg svg;
};

// Reward bars, learning curves, time against reward, memory against reward.
std::vector<NamedFigure> environment_figures(const Results& results,
                                             const std::vector<Summary>& summaries,
                                             Index environment);

// A short name for figures and tables: the label, or the spec cut where it is long.
std::string figure_name(const LabelledSpec& one);

// What a file name can hold of `text`.
std::string file_stem(const std::string& text);

}  // namespace bandolier
