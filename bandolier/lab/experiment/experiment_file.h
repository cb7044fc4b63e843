// An experiment as a TOML file: the same words as the flags of `bandolier run`.
//
//   name = "tabular"                  env = ["shuttle", "covertype"]
//   agent = ["linear", {name = "subspace-ekf", label = "ours", dim = 200, basis = "svd"}]
//   steps = 5000    trials = 10    seed = 0    warmup-pulls = 2    warmup-feedback = "bandit"
//   baseline = "linear"    jobs = 2    out = "results/tabular"    save = "models"    log = "logs"
//   part = "auto"    format = "table"    actions = false    quiet = false
//
// An environment or agent is a text as on the command line, or a table of its name and options; the
// files that csv and idx take first are its `path`: {name = "csv", path = "a.csv", label = "y"},
// {name = "idx", path = ["images", "labels"]}. A list of texts is what + joins on the command line:
// drop = ["id", "date"]. A short name for tables and figures is an agent's `label` and an
// environment's `title` (`label` is an option of csv).
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "bandolier/lab/experiment/settings.h"

namespace bandolier {

// What a run is told beside its settings; nothing where the file does not say.
struct RunChoices {
  std::optional<std::string> baseline, out, save, log, part, format;
  std::optional<std::int64_t> jobs;
  std::optional<bool> actions, quiet;
};

struct ExperimentFile {
  ExperimentSettings settings;
  RunChoices choices;
};

// Throws Error naming the file, the line and the key for anything unknown or of a wrong type.
ExperimentFile read_experiment_file(const std::filesystem::path& path);
ExperimentFile parse_experiment(std::string_view toml, const std::string& name);

}  // namespace bandolier
