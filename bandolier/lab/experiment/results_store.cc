#include "bandolier/lab/experiment/results_store.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "bandolier/core/error.h"
#include "bandolier/core/file.h"
#include "bandolier/lab/experiment/result_columns.h"
#include "bandolier/lab/experiment/results_reader.h"

namespace bandolier {
namespace fs = std::filesystem;
namespace {

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

// The manifest comes last. A folder without one holds no trial, only the headers of a start that
// was cut short, and they are written again.
void start(const fs::path& folder, const Manifest& manifest) {
  const std::pair<const char*, std::string> files[] = {{kTrialsFile, header_of(trial_columns())},
                                                       {kCurvesFile, header_of(curve_columns())},
                                                       {kTimingsFile, header_of(timing_columns())}};
  for (const auto& [name, header] : files) {
    if (fs::exists(folder / name) && read_file(folder / name) != header) {
      fail("{} has {} and no {}: give another folder or remove it", folder.string(), name,
           kManifestFile);
    }
  }
  for (const auto& [name, header] : files) write_file_atomically(folder / name, header);
  write_manifest(folder, manifest);
}

// Where each of `asked` stands in `all`; behind its end where it does not.
std::vector<Index> places(const std::vector<LabelledSpec>& asked,
                          const std::vector<LabelledSpec>& all) {
  std::vector<Index> out;
  for (const auto& one : asked) {
    const auto found = std::find_if(
        all.begin(), all.end(), [&](const LabelledSpec& other) { return other.spec == one.spec; });
    out.push_back(found - all.begin());
  }
  return out;
}

// The records of `from` as those of an experiment that has all of it.
Results moved(std::vector<TrialRecord> records, const ExperimentSettings& from, const Results& to) {
  Results out = to;
  const auto environments = places(from.environments, to.settings.environments);
  const auto agents = places(from.agents, to.settings.agents);
  for (auto& record : records) {
    record.environment = environments[static_cast<std::size_t>(record.environment)];
    record.agent = agents[static_cast<std::size_t>(record.agent)];
  }
  out.records = std::move(records);
  return out;
}

// Where a record stands in what was asked for; nothing where it was not.
using Position = decltype(TrialRecord().position());
std::optional<Position> asked_position(const TrialRecord& record, const Results& stored,
                                       const ExperimentSettings& asked) {
  const auto place = [](const std::vector<LabelledSpec>& all, Index index,
                        const std::vector<LabelledSpec>& wanted) {
    return places({all[static_cast<std::size_t>(index)]}, wanted).front();
  };
  const Index e = place(stored.settings.environments, record.environment, asked.environments);
  const Index a = place(stored.settings.agents, record.agent, asked.agents);
  const bool there = e < static_cast<Index>(asked.environments.size()) &&
                     a < static_cast<Index>(asked.agents.size()) && record.trial < asked.trials;
  return there ? std::optional<Position>({e, a, record.trial}) : std::nullopt;
}

// The records asked for that did not fail.
std::vector<TrialRecord> asked_records(const Results& stored, const ExperimentSettings& asked) {
  std::vector<TrialRecord> out;
  for (const auto& record : stored.records) {
    const auto position = asked_position(record, stored, asked);
    if (!position || record.failed()) continue;
    out.push_back(record);
    std::tie(out.back().environment, out.back().agent, out.back().trial) = *position;
  }
  return out;
}

}  // namespace

ResultsStore::ResultsStore(const fs::path& folder, const ExperimentSettings& settings,
                           const std::vector<EnvironmentFacts>& environments,
                           const Dealing& dealing)
    : ResultsStore(folder, make_manifest(settings, environments, dealing)) {}

ResultsStore::ResultsStore(const fs::path& folder, const Manifest& asked) : folder_(folder) {
  require_writable_folder(folder);
  // flock on the folder itself: no lock file to leave behind, and it dies with the process.
  lock_ = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (lock_ < 0) fail("folder {} cannot be opened: {}", folder.string(), std::strerror(errno));
  try {
    if (::flock(lock_, LOCK_EX | LOCK_NB) != 0) {
      fail("folder {} is in use by another process: wait for it or give another folder",
           folder.string());
    }
    load(asked);
  } catch (...) {
    ::close(lock_);
    throw;
  }
}

ResultsStore::~ResultsStore() { ::close(lock_); }

void ResultsStore::load(const Manifest& asked) {
  for (const auto* file : {kManifestFile, kTrialsFile, kCurvesFile, kTimingsFile}) {
    remove_half_written(folder_ / file);
  }
  bool stale = false;
  if (fs::exists(folder_ / kManifestFile)) {
    const Manifest there = read_manifest(folder_), both = united(folder_, there, asked);
    ReadRecords read = read_records(folder_, there.experiment);
    stored_ = moved(std::move(read.records), there.experiment.settings, both.experiment);
    stale = read.leftovers;
    for (const auto& damage : read.damage) {
      repairs_.push_back(fmt::format("{}: dropped, and run again where it is asked for", damage));
    }
    if (both.json != there.json) write_manifest(folder_, both);
  } else {
    start(folder_, asked);
    stored_ = asked.experiment;
  }
  const ExperimentSettings& settings = asked.experiment.settings;
  environments_ = places(settings.environments, stored_.settings.environments);
  agents_ = places(settings.agents, stored_.settings.agents);
  records_ = asked_records(stored_, settings);
  // Failed trials that are asked for run again; others stay as they are.
  stale |= std::erase_if(stored_.records, [&](const TrialRecord& record) {
             return record.failed() && asked_position(record, stored_, settings).has_value();
           }) > 0;
  if (stale) rewrite();
}

void ResultsStore::rewrite() {
  sort_records(stored_.records);
  std::string trials = header_of(trial_columns()), curves = header_of(curve_columns()),
              timings = header_of(timing_columns());
  for (const auto& record : stored_.records) {
    trials += trial_line(record, stored_);
    if (record.failed()) continue;
    curves += curve_lines(record, stored_);
    timings += timing_line(record, stored_);
  }
  write_file_atomically(folder_ / kTrialsFile, trials);
  write_file_atomically(folder_ / kCurvesFile, curves);
  write_file_atomically(folder_ / kTimingsFile, timings);
}

TrialRecord ResultsStore::placed(TrialRecord record) const {
  record.environment = environments_[static_cast<std::size_t>(record.environment)];
  record.agent = agents_[static_cast<std::size_t>(record.agent)];
  return record;
}

void ResultsStore::append(TrialRecord record) {
  record = placed(std::move(record));
  if (!record.failed()) {
    append_synced(folder_ / kCurvesFile, curve_lines(record, stored_));
    append_synced(folder_ / kTimingsFile, timing_line(record, stored_));
  }
  append_synced(folder_ / kTrialsFile, trial_line(record, stored_));
  stored_.records.push_back(std::move(record));
}

void ResultsStore::add(std::vector<TrialRecord> records) {
  for (auto& record : records) stored_.records.push_back(placed(std::move(record)));
  rewrite();
}

void ResultsStore::complete() { rewrite(); }

std::vector<TrialRecord> check_results_folder(const fs::path& folder,
                                              const ExperimentSettings& settings,
                                              const std::vector<EnvironmentFacts>& environments,
                                              const Dealing& dealing) {
  if (!fs::exists(folder / kManifestFile)) return {};
  const Manifest asked = make_manifest(settings, environments, dealing),
                 there = read_manifest(folder), both = united(folder, there, asked);
  const ReadRecords read = read_records(folder, there.experiment);
  return asked_records(moved(read.records, there.experiment.settings, both.experiment),
                       asked.experiment.settings);
}

std::vector<fs::path> results_folders(const fs::path& folder) {
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored)) {
    fail("{} is not a folder: expected one that `bandolier run --out` wrote", folder.string());
  }
  std::vector<fs::path> places;
  if (!fs::exists(folder / kManifestFile)) {
    for (const auto& entry : fs::directory_iterator(folder)) {
      if (fs::exists(entry.path() / kManifestFile)) places.push_back(entry.path());
    }
    std::sort(places.begin(), places.end());
  }
  if (places.empty()) places.push_back(folder);
  return places;
}

StoredResults read_results(const fs::path& folder) {
  Manifest manifest = read_manifest(folder);
  StoredResults out{folder, std::move(manifest.experiment), std::move(manifest.json), {}};
  ReadRecords read = read_records(folder, out.results, true);
  for (const auto& damage : read.damage) {
    out.damage.push_back(
        fmt::format("{}, and is left out: run the same command again to mend it", damage));
  }
  out.results.records = std::move(read.records);
  sort_records(out.results.records);
  return out;
}

}  // namespace bandolier
