// manifest.json: what experiment a results folder holds, and where it was run.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "bandolier/lab/experiment/results.h"
#include "bandolier/lab/experiment/share.h"

namespace bandolier {

struct Manifest {
  Results experiment;              // settings and environments; no records
  std::optional<Dealing> dealing;  // where the folder is a share's
  nlohmann::ordered_json json;     // the whole file: these, and version, time, machine and build
};

// Of an experiment that begins here and now. Bytes that are not UTF-8 are replaced, as the file has
// them.
Manifest make_manifest(const ExperimentSettings& settings,
                       const std::vector<EnvironmentFacts>& environments,
                       const Dealing& dealing = {});

// Throws Error where there is none, or it is damaged or of another format.
Manifest read_manifest(const std::filesystem::path& folder);

// The folder's experiment with what `more` has besides (settings.h), its time, machine and build as
// they were. Throws Error naming the first thing that does not go together, two shares among them.
Manifest united(const std::filesystem::path& folder, const Manifest& there, const Manifest& more);

// Throws Error naming the first thing in which they are not the same experiment: what `united`
// would refuse, or other environments, agents or trials.
void require_same_experiment(const std::filesystem::path& folder, const Manifest& there,
                             const std::filesystem::path& other, const Manifest& here);

void write_manifest(const std::filesystem::path& folder, const Manifest& manifest);

}  // namespace bandolier
