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

Json to_json(const Dealing& dealing) {
  return {{"part", dealing.share.part},
          {"of", dealing.share.of},
          {"first", dealing.first},
          {"costs", dealing.costs}};
}

std::optional<Dealing> dealing_from_json(const Json& manifest, const ExperimentSettings& settings) {
  const auto found = manifest.find("share");
  if (found == manifest.end()) return std::nullopt;
  Dealing dealing;
  found->at("part").get_to(dealing.share.part);
  found->at("of").get_to(dealing.share.of);
  found->at("first").get_to(dealing.first);
  found->at("costs").get_to(dealing.costs);
  check(dealing.share);
  const bool costs =
      dealing.costs.size() == settings.environments.size() * settings.agents.size() &&
      std::all_of(dealing.costs.begin(), dealing.costs.end(),
                  [](std::int64_t cost) { return cost > 0; });
  if (!costs || dealing.first < 0) fail("its share is not one of its settings");
  return dealing;
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
  manifest.dealing = dealing_from_json(json, settings);
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

// The share that a folder is of, once it has these settings too.
std::optional<Dealing> united_dealing(const Manifest& there, const Manifest& more,
                                      const ExperimentSettings& settings) {
  if (there.dealing && more.dealing && there.dealing->share != more.dealing->share) {
    fail("it is of part {} there and {} here", to_text(there.dealing->share),
         to_text(more.dealing->share));
  }
  const auto& dealing = more.dealing ? more.dealing : there.dealing;
  const bool fits = dealing && there.dealing &&
                    dealing->costs.size() == settings.environments.size() * settings.agents.size();
  return fits ? dealing : std::nullopt;
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
  const auto dealing = united_dealing(there, more, settings);
  json.erase("share");
  if (dealing) json["share"] = to_json(*dealing);
  return {{settings, environments, {}}, dealing, std::move(json)};
}

}  // namespace

Manifest make_manifest(const ExperimentSettings& settings,
                       const std::vector<EnvironmentFacts>& environments, const Dealing& dealing) {
  Json json;
  json["format"] = kResultsFormat;
  json["bandolier"] = version();
  describe(settings, environments, json);
  json["started"] = utc_time();
  json["machine"] = machine_facts();
  json["build"] = build_facts();
  if (!dealing.share.whole()) json["share"] = to_json(dealing);
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

void require_same_experiment(const fs::path& folder, const Manifest& there, const fs::path& other,
                             const Manifest& here) {
  const ExperimentSettings &a = there.experiment.settings, &b = here.experiment.settings;
  try {
    require_same(
        {{"env", specs_of(a.environments)}, {"agent", specs_of(a.agents)}, {"trials", a.trials}},
        {{"env", specs_of(b.environments)}, {"agent", specs_of(b.agents)}, {"trials", b.trials}});
    Manifest whole = here;
    whole.dealing.reset();
    unite(there, whole);
  } catch (const Json::exception&) {
    fail("{} is damaged: its bandolier is missing", (folder / kManifestFile).string());
  } catch (const Error& error) {
    fail("{} and {} are not shares of one experiment: {}", folder.string(), other.string(),
         error.what());
  }
}

void write_manifest(const fs::path& folder, const Manifest& manifest) {
  write_file_atomically(folder / kManifestFile, json_text(manifest.json, 2) + "\n");
}

}  // namespace bandolier
