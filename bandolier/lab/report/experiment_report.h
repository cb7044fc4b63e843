// The page about one experiment: what was run, how to run it again, what came out.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "bandolier/lab/experiment/results_store.h"
#include "bandolier/lab/report/experiment_figures.h"
#include "bandolier/lab/report/html_page.h"

namespace bandolier {

// `bandolier run` with these settings, as it would be typed.
std::string run_command_line(const ExperimentSettings& settings);

// The section of every environment, headings at `level`; its figures are appended to `figures`.
void add_environments(HtmlPage& page, const Results& results, const std::string& baseline,
                      int level, std::vector<NamedFigure>& figures);

// Where and by what it was run.
void add_provenance(HtmlPage& page, const StoredResults& stored);

// The whole page of one results folder.
std::string experiment_page(const StoredResults& stored, const std::string& baseline,
                            std::vector<NamedFigure>& figures);

// Writes report.html and one SVG file per figure into `folder`.
void write_page(const std::filesystem::path& folder, const std::string& html,
                const std::vector<NamedFigure>& figures);

// "honest protocol" or its opposite, as HTML.
std::string protocol_badge(const ExperimentSettings& settings);

}  // namespace bandolier
