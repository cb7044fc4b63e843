#include "bandolier/lab/experiment/results_store.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "bandolier/core/error.h"
#include "bandolier/core/file.h"
#include "bandolier/lab/experiment/provenance.h"
#include "bandolier/lab/experiment/results_files.h"
#include "bandolier/lab/experiment/results_reader.h"

namespace bandolier {
namespace fs = std::filesystem;
namespace {

using Json = nlohmann::ordered_json;
constexpr int kResultsFormat = 2;

Json to_json(const EnvironmentFacts& facts) {
  return {{"spec", facts.spec},
          {"steps", facts.steps},
          {"warmup_steps", facts.warmup_steps},
          {"features", facts.features},
          {"actions", facts.actions},
          {"action_features", facts.action_features},
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
  facts.notes = json.at("notes").get<std::vector<std::string>>();
  facts.data = json.value("data", "");
  return facts;
}

// What a manifest says of the experiment; a resumed run must share it but for title, command and
// labels.
Json description(const ExperimentSettings& settings, const std::vector<EnvironmentFacts>& facts) {
  Json json;
  json["format"] = kResultsFormat;
  json["bandolier"] = version();
  json["settings"] = bandolier::to_json(settings);
  json["environments"] = Json::array();
  for (const auto& environment : facts) json["environments"].push_back(to_json(environment));
  return json;
}

Json read_manifest(const fs::path& folder) {
  const fs::path path = folder / kManifestFile;
  if (!fs::exists(path)) {
    fail("{} holds no results ({} is missing): expected a folder that `bandolier run --out` wrote",
         folder.string(), kManifestFile);
  }
  try {
    return Json::parse(read_file(path));
  } catch (const nlohmann::json::exception&) {
    fail("{} is damaged: expected JSON; remove the folder or give another", path.string());
  }
}

[[noreturn]] void refuse_manifest(const fs::path& folder) {
  fail(
      "{} is damaged: expected what `bandolier run --out` writes; remove the folder or give "
      "another",
      (folder / kManifestFile).string());
}

// Throws Error naming the first thing in which the folder's experiment differs from this one.
void require_same(const fs::path& folder, const Json& here) {
  const auto compare = [&folder](const Json& a, const Json& b) {
    for (const auto& [key, value] : b.items()) {
      const Json other = a.contains(key) ? a.at(key) : Json();
      if (other != value) {
        fail(
            "{} holds another experiment's results: {} is {} there and {} here; give another "
            "folder or remove it",
            folder.string(), key, other.dump(), value.dump());
      }
    }
  };
  try {
    Json there = read_manifest(folder), ours = here;
    for (Json* side : {&there, &ours}) {
      side->at("settings") = settings_identity(side->at("settings"));
    }
    compare(there.at("settings"), ours.at("settings"));
    // Each environment by itself: an error then shows what differs and not the whole list.
    for (std::size_t e = 0; e < ours.at("environments").size(); ++e) {
      compare(there.at("environments").at(e), ours.at("environments").at(e));
    }
    compare(there, ours);
  } catch (const Json::exception&) {
    refuse_manifest(folder);
  }
}

// Appends `bytes` to the file and syncs it; on failure cuts the file back to what it was.
void append_synced(const fs::path& path, const std::string& bytes) {
  const int file = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
  if (file < 0) fail("{} cannot be written: {}", path.string(), std::strerror(errno));
  struct stat before {};
  ::fstat(file, &before);
  int error = write_all(file, bytes);
  if (error == 0 && ::fsync(file) != 0) error = errno;
  const bool cut = error == 0 || ::ftruncate(file, before.st_size) == 0;
  ::close(file);
  if (error != 0) {
    fail("{} cannot be written: {}{}", path.string(), std::strerror(error),
         cut ? "" : "; its last line is incomplete");
  }
}

// Removes what write_file_atomically() had begun when its process was killed. Needs the lock.
void remove_half_written(const fs::path& folder) {
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    for (const auto* file : {kManifestFile, kTrialsFile, kCurvesFile, kTimingsFile}) {
      if (name.starts_with(std::string(file) + ".tmp.")) fs::remove(entry.path());
    }
  }
}

Results experiment_of(const ExperimentSettings& settings,
                      const std::vector<EnvironmentFacts>& environments) {
  return {settings, environments, {}};
}

// The manifest comes last. A folder without one holds no trial, only the headers of a start that
// was cut short, and they are written again.
void start(const fs::path& folder, const Json& here) {
  const std::pair<const char*, std::string> files[] = {{kTrialsFile, trials_header()},
                                                       {kCurvesFile, curves_header()},
                                                       {kTimingsFile, timings_header()}};
  for (const auto& [name, header] : files) {
    if (fs::exists(folder / name) && read_file(folder / name) != header) {
      fail("{} has {} and no {}: give another folder or remove it", folder.string(), name,
           kManifestFile);
    }
  }
  Json manifest = here;
  manifest["started"] = utc_time();
  manifest["machine"] = machine_facts();
  manifest["build"] = build_facts();
  for (const auto& [name, header] : files) write_file_atomically(folder / name, header);
  write_file_atomically(folder / kManifestFile, manifest.dump(2) + "\n");
}

}  // namespace

ResultsStore::ResultsStore(const fs::path& folder, const ExperimentSettings& settings,
                           const std::vector<EnvironmentFacts>& environments)
    : folder_(folder), settings_(settings), environments_(environments) {
  require_writable_folder(folder);
  // flock on the folder itself: no lock file to leave behind, and it dies with the process.
  lock_ = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (lock_ < 0) fail("folder {} cannot be opened: {}", folder.string(), std::strerror(errno));
  try {
    if (::flock(lock_, LOCK_EX | LOCK_NB) != 0) {
      fail("folder {} is in use by another process: wait for it or give another folder",
           folder.string());
    }
    load();
  } catch (...) {
    ::close(lock_);
    throw;
  }
}

ResultsStore::~ResultsStore() { ::close(lock_); }

void ResultsStore::load() {
  const Json here = description(settings_, environments_);
  remove_half_written(folder_);
  if (!fs::exists(folder_ / kManifestFile)) {
    start(folder_, here);
    return;
  }
  require_same(folder_, here);
  ReadRecords read = read_records(folder_, experiment_of(settings_, environments_));
  repairs_ = std::move(read.repairs);
  const auto failed = std::erase_if(read.records, [](const auto& r) { return r.failed(); });
  records_ = std::move(read.records);
  if (failed > 0 || read.leftovers) rewrite(records_);
}

void ResultsStore::rewrite(std::vector<TrialRecord> records) {
  sort_records(records);
  const Results experiment = experiment_of(settings_, environments_);
  std::string trials = trials_header(), curves = curves_header(), timings = timings_header();
  for (const auto& record : records) {
    trials += trial_line(record, experiment);
    if (record.failed()) continue;
    curves += curve_lines(record, settings_);
    timings += timing_line(record, settings_);
  }
  write_file_atomically(folder_ / kTrialsFile, trials);
  write_file_atomically(folder_ / kCurvesFile, curves);
  write_file_atomically(folder_ / kTimingsFile, timings);
}

void ResultsStore::append(const TrialRecord& record) {
  if (!record.failed()) {
    append_synced(folder_ / kCurvesFile, curve_lines(record, settings_));
    append_synced(folder_ / kTimingsFile, timing_line(record, settings_));
  }
  append_synced(folder_ / kTrialsFile, trial_line(record, experiment_of(settings_, environments_)));
  appended_.push_back(record);
}

void ResultsStore::complete() {
  std::vector<TrialRecord> all = records_;
  all.insert(all.end(), appended_.begin(), appended_.end());
  rewrite(std::move(all));
}

void check_results_folder(const fs::path& folder, const ExperimentSettings& settings,
                          const std::vector<EnvironmentFacts>& environments) {
  if (!fs::exists(folder / kManifestFile)) return;
  require_same(folder, description(settings, environments));
}

StoredResults read_results(const fs::path& folder) {
  StoredResults out;
  out.manifest = read_manifest(folder);
  out.folder = folder;
  try {
    if (out.manifest.at("format").get<int>() != kResultsFormat) {
      fail("{} has results of format {}: this version reads {}", folder.string(),
           out.manifest.at("format").dump(), kResultsFormat);
    }
    out.results.settings = settings_from_json(out.manifest.at("settings"));
    for (const auto& spec : out.results.settings.environments) {
      const auto e = out.results.environments.size();
      out.results.environments.push_back(facts_from_json(out.manifest.at("environments").at(e)));
      if (out.results.environments.back().spec != spec) refuse_manifest(folder);
    }
  } catch (const Json::exception&) {
    refuse_manifest(folder);
  } catch (const Error& error) {
    if (std::string_view(error.what()).starts_with(folder.string())) throw;
    fail("{} is damaged: {}", (folder / kManifestFile).string(), error.what());
  }
  ReadRecords read = read_records(folder, out.results, true);
  out.results.records = std::move(read.records);
  out.repairs = std::move(read.repairs);
  sort_records(out.results.records);
  return out;
}

}  // namespace bandolier
