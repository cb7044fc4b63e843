#include "bandolier/lab/experiment/manifest.h"

#include <algorithm>

#include "bandolier/core/error.h"
#include "bandolier/core/file.h"
#include "bandolier/lab/experiment/note_json.h"
#include "bandolier/lab/experiment/provenance.h"
#include "bandolier/lab/experiment/result_columns.h"
#include "bandolier/lab/log/json_text.h"

namespace bandolier {
namespace fs = std::filesystem;
namespace {

using Json = nlohmann::ordered_json;
constexpr int kResultsFormat = 3;

Json to_json(const EnvironmentFacts& facts) {
  return {{"spec", facts.spec},
          {"steps", facts.steps},
          {"warmup_steps", facts.warmup_steps},
          {"features", facts.features},
          {"actions", facts.actions},
          {"action_features", facts.action_features},
          {"action_names", facts.action_names},
          {"notes", facts.notes},
          {"data", facts.data}};
}

EnvironmentFacts facts_from_json(const Json& json) {
  EnvironmentFacts facts;
  facts.spec = json.at("spec").get<std::string>();
  facts.steps = json.at("steps").get<Index>();
  facts.warmup_steps = json.at("warmup_steps").get<Index>();
  facts.features = json.at("features").get<Index>();
  facts.actions = json.at("actions").get<Index>();
  facts.action_features = json.at("action_features").get<Index>();
  facts.action_names = json.at("action_names").get<std::vector<std::string>>();
  facts.notes = json.at("notes").get<std::vector<Note>>();
  facts.data = json.at("data").get<std::string>();
  return facts;
}

void describe(const ExperimentSettings& settings, const std::vector<EnvironmentFacts>& facts,
              Json& json) {
  json["settings"] = bandolier::to_json(settings);
  json["environments"] = Json::array();
  for (const auto& environment : facts) json["environments"].push_back(to_json(environment));
}

// Throws Json::exception where a field is missing or of another type, and Error where the settings
// make no sense.
Manifest parse(Json json) {
  Manifest manifest;
  auto& [settings, environments, records] = manifest.experiment;
  settings = settings_from_json(json.at("settings"));
  for (const auto& facts : json.at("environments")) environments.push_back(facts_from_json(facts));
  const bool same = std::equal(environments.begin(), environments.end(),
                               settings.environments.begin(), settings.environments.end(),
                               [](const auto& a, const auto& b) { return a.spec == b.spec; });
  if (!same) fail("its environments are not those of its settings");
  manifest.json = std::move(json);
  return manifest;
}

const EnvironmentFacts* find(const Results& experiment, const std::string& spec) {
  const auto& all = experiment.environments;
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const auto& facts) { return facts.spec == spec; });
  return found == all.end() ? nullptr : &*found;
}

// Throws Error naming the first field that differs, but for what only describes.
void require_same(const Json& there, const Json& here) {
  for (const auto& [key, value] : here.items()) {
    if (key == "notes" || key == "action_names") continue;
    if (there.at(key) != value) {
      fail("{} is {} there and {} here", key, json_text(there.at(key)), json_text(value));
    }
  }
}

Manifest unite(const Manifest& there, const Manifest& more) {
  require_same({{"bandolier", there.json.at("bandolier")}}, {{"bandolier", version()}});
  const ExperimentSettings settings = united(there.experiment.settings, more.experiment.settings);
  std::vector<EnvironmentFacts> environments;
  for (const auto& [spec, label] : settings.environments) {
    const auto* old = find(there.experiment, spec);
    const auto* added = find(more.experiment, spec);
    if (old != nullptr && added != nullptr) require_same(to_json(*old), to_json(*added));
    environments.push_back(added != nullptr ? *added : *old);
  }
  Json json = there.json;
  describe(settings, environments, json);
  return {{settings, environments, {}}, std::move(json)};
}

}  // namespace

Manifest make_manifest(const ExperimentSettings& settings,
                       const std::vector<EnvironmentFacts>& environments) {
  Json json;
  json["format"] = kResultsFormat;
  json["bandolier"] = version();
  describe(settings, environments, json);
  json["started"] = utc_time();
  json["machine"] = machine_facts();
  json["build"] = build_facts();
  return parse(Json::parse(json_text(json)));
}

Manifest read_manifest(const fs::path& folder) {
  const fs::path path = folder / kManifestFile;
  if (!fs::exists(path)) {
    fail("{} holds no results ({} is missing): expected a folder that `bandolier run --out` wrote",
         folder.string(), kManifestFile);
  }
  Json json;
  int format = 0;
  try {
    json = Json::parse(read_file(path));
    format = json.at("format").get<int>();
  } catch (const Json::exception&) {
    fail("{} is damaged: expected JSON of `bandolier run --out`; remove the folder or give another",
         path.string());
  }
  if (format != kResultsFormat) {
    fail("{} has results of format {}: this version reads {}; give another folder", folder.string(),
         format, kResultsFormat);
  }
  try {
    return parse(std::move(json));
  } catch (const Json::exception&) {
    fail(
        "{} is damaged: expected what `bandolier run --out` writes; remove the folder or give "
        "another",
        path.string());
  } catch (const Error& error) {
    fail("{} is damaged: {}; remove the folder or give another", path.string(), error.what());
  }
}

Manifest united(const fs::path& folder, const Manifest& there, const Manifest& more) {
  try {
    return unite(there, more);
  } catch (const Json::exception&) {
    fail("{} is damaged: its bandolier is missing; remove the folder or give another",
         (folder / kManifestFile).string());
  } catch (const Error& error) {
    fail("{} holds another experiment's results: {}; give another folder or remove it",
         folder.string(), error.what());
  }
}

void write_manifest(const fs::path& folder, const Manifest& manifest) {
  write_file_atomically(folder / kManifestFile, json_text(manifest.json, 2) + "\n");
}

}  // namespace bandolier
