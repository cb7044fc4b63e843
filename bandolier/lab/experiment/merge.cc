#include "bandolier/lab/experiment/merge.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "bandolier/core/error.h"
#include "bandolier/core/text.h"
#include "bandolier/lab/experiment/result_columns.h"
#include "bandolier/lab/experiment/results_reader.h"
#include "bandolier/lab/experiment/results_store.h"

namespace bandolier {
namespace fs = std::filesystem;
namespace {

using Json = nlohmann::ordered_json;
using Position = decltype(TrialRecord().position());

struct ShareFolder {
  fs::path folder;
  Manifest manifest;
  ReadRecords read;
};

ShareFolder read_share(const fs::path& folder) {
  Manifest manifest = read_manifest(folder);
  ReadRecords read = read_records(folder, manifest.experiment);
  return {folder, std::move(manifest), std::move(read)};
}

std::string name_of(const Results& experiment, const TrialRecord& record) {
  return fmt::format(
      "trial {} of '{}' on '{}'", record.trial,
      experiment.settings.agents[static_cast<std::size_t>(record.agent)].spec,
      experiment.settings.environments[static_cast<std::size_t>(record.environment)].spec);
}

// Throws Error naming the first column in which they differ.
void require_same_trial(const Results& experiment, const TrialRecord& one, const fs::path& here,
                        const TrialRecord& other, const fs::path& there) {
  if (trial_line(one, experiment) == trial_line(other, experiment) &&
      curve_lines(one, experiment) == curve_lines(other, experiment)) {
    return;
  }
  std::string what = "its curve differs";
  for (const auto& column : trial_columns()) {
    const std::string a = column.write({experiment, one}), b = column.write({experiment, other});
    if (a == b) continue;
    what = fmt::format("{} is {} in one and {} in the other", column.name, a, b);
    break;
  }
  fail("{} differs between {} and {}: {}; expected shares of one build on processors of one kind",
       name_of(experiment, one), here.string(), there.string(), what);
}

// The trials of all, and where each is from.
class Union {
 public:
  explicit Union(const Results& experiment) : experiment_(experiment) {}

  void add(const TrialRecord& record, const fs::path& folder) {
    const auto [place, is_new] = trials_.try_emplace(record.position(), Entry{record, folder});
    if (is_new || record.failed()) return;
    Entry& known = place->second;
    if (known.record.failed()) {
      known = {record, folder};
    } else {
      require_same_trial(experiment_, known.record, known.folder, record, folder);
    }
  }

  bool has(const Position& position) const { return trials_.contains(position); }

  std::vector<TrialRecord> records() const {
    std::vector<TrialRecord> out;
    for (const auto& [position, entry] : trials_) out.push_back(entry.record);
    return out;
  }

 private:
  struct Entry {
    TrialRecord record;
    fs::path folder;
  };
  const Results& experiment_;
  std::map<Position, Entry> trials_;
};

// "0-3, 7", of ascending numbers.
std::string ranges(const std::vector<std::uint32_t>& numbers) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t last = i;
    while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1) ++last;
    out.push_back(last == i ? std::to_string(numbers[i])
                            : fmt::format("{}-{}", numbers[i], numbers[last]));
    i = last + 1;
  }
  return join(out, ", ");
}

// Trials by part (0: unknown), then by cell.
using Missing =
    std::map<std::int64_t, std::map<std::pair<Index, Index>, std::vector<std::uint32_t>>>;

std::string describe_part(std::int64_t part, const std::optional<Dealing>& dealing,
                          const std::vector<ShareFolder>& shares) {
  if (!dealing) return "";
  const Share share{part, dealing->share.of};
  for (const auto& one : shares) {
    if (one.manifest.dealing && one.manifest.dealing->share == share) {
      return fmt::format("part {} ({}) lacks ", to_text(share), one.folder.string());
    }
  }
  return fmt::format("part {}, of which no folder was given, has ", to_text(share));
}

std::vector<std::string> describe(const Missing& missing, const std::optional<Dealing>& dealing,
                                  const std::vector<ShareFolder>& shares,
                                  const ExperimentSettings& settings) {
  std::vector<std::string> out;
  for (const auto& [part, cells] : missing) {
    std::vector<std::string> words;
    std::size_t count = 0;
    for (const auto& [cell, trials] : cells) {
      count += trials.size();
      words.push_back(
          fmt::format("trial{} {} of '{}' on '{}'", trials.size() == 1 ? "" : "s", ranges(trials),
                      settings.agents[static_cast<std::size_t>(cell.second)].spec,
                      settings.environments[static_cast<std::size_t>(cell.first)].spec));
    }
    out.push_back(fmt::format("{} trial{} missing: {}{}", count, count == 1 ? " is" : "s are",
                              describe_part(part, dealing, shares), join(words, "; ")));
  }
  return out;
}

// How all shares were dealt, where they agree on it.
std::optional<Dealing> common_dealing(const std::vector<ShareFolder>& shares) {
  std::optional<Dealing> common;
  for (const auto& one : shares) {
    std::optional<Dealing> dealing = one.manifest.dealing;
    if (!dealing) continue;
    dealing->share.part = 1;
    if (common && *common != *dealing) return std::nullopt;
    common = dealing;
  }
  return common;
}

// The first share's, with the time, machine and build of each.
Manifest whole_manifest(const std::vector<ShareFolder>& shares) {
  Manifest manifest = shares.front().manifest;
  manifest.dealing.reset();
  manifest.json.erase("share");
  Json merged = Json::array();
  for (const auto& one : shares) {
    Json share = Json::object();
    if (one.manifest.dealing) share["part"] = to_text(one.manifest.dealing->share);
    for (const char* key : {"started", "machine", "build"}) {
      if (one.manifest.json.contains(key)) share[key] = one.manifest.json[key];
    }
    merged.push_back(std::move(share));
  }
  manifest.json["merged"] = std::move(merged);
  return manifest;
}

// What a merge is going to write.
struct Prepared {
  std::vector<ShareFolder> shares;
  Manifest manifest;
  std::vector<TrialRecord> records;
  Merged merged;
};

Prepared prepare(const std::vector<fs::path>& folders, const fs::path& out) {
  Prepared prepared;
  for (const auto& folder : folders) {
    prepared.shares.push_back(read_share(folder));
    require_same_experiment(prepared.shares.front().folder, prepared.shares.front().manifest,
                            folder, prepared.shares.back().manifest);
  }
  auto& shares = prepared.shares;
  prepared.manifest = whole_manifest(shares);
  const Results& experiment = prepared.manifest.experiment;
  const ExperimentSettings& settings = experiment.settings;
  Union all(experiment);
  Merged& merged = prepared.merged;
  for (const auto& share : shares) {
    for (const auto& record : share.read.records) all.add(record, share.folder);
    for (const auto& damage : share.read.damage) {
      merged.damage.push_back(fmt::format("{}, and is left out", damage));
    }
  }
  // What an earlier merge left there, failed trials apart.
  for (const auto& record : check_results_folder(out, settings, experiment.environments)) {
    all.add(record, out);
  }
  prepared.records = all.records();
  merged.folder = out;
  merged.trials = static_cast<Index>(prepared.records.size());
  merged.expected = experiment.expected_records();
  for (const auto& record : prepared.records) {
    if (record.failed()) {
      merged.failures.push_back(
          fmt::format("{} failed: {}", name_of(experiment, record), record.error));
    }
  }
  if (merged.trials == merged.expected) return prepared;

  const auto dealing = common_dealing(shares);
  std::optional<Deal> deal;
  if (dealing) deal.emplace(dealing->costs, settings.trials, dealing->share.of, dealing->first);
  Missing missing;
  const auto agents = static_cast<Index>(settings.agents.size());
  for (Index e = 0; e < static_cast<Index>(settings.environments.size()); ++e) {
    for (Index a = 0; a < agents; ++a) {
      for (std::uint32_t trial = 0; trial < settings.trials; ++trial) {
        if (all.has({e, a, trial})) continue;
        missing[deal ? deal->part_of(e * agents + a, trial) : 0][{e, a}].push_back(trial);
      }
    }
  }
  merged.missing = describe(missing, dealing, shares, settings);
  return prepared;
}

Merged write(Prepared prepared) {
  ResultsStore store(prepared.merged.folder, prepared.manifest);
  std::set<Position> known;
  for (const auto& record : store.records()) known.insert(record.position());
  std::erase_if(prepared.records,
                [&](const TrialRecord& record) { return known.contains(record.position()); });
  store.add(std::move(prepared.records));
  auto& notes = prepared.merged.damage;
  notes.insert(notes.end(), store.repairs().begin(), store.repairs().end());
  return std::move(prepared.merged);
}

void require_apart(const std::vector<fs::path>& shares, const fs::path& out) {
  for (const auto& share : shares) {
    std::error_code ignored;
    if (fs::equivalent(share, out, ignored)) {
      fail("{} is a share and the folder to merge into: expected another folder for one of them",
           out.string());
    }
  }
}

}  // namespace

std::vector<Merged> merge_shares(const std::vector<fs::path>& shares, const fs::path& out) {
  require_apart(shares, out);
  std::map<fs::path, std::vector<fs::path>> by_name;  // "": the shares are results folders
  std::vector<std::string> empty;
  for (const auto& share : shares) {
    std::error_code ignored;
    const auto folders =
        fs::is_directory(share, ignored) ? results_folders(share) : std::vector<fs::path>{share};
    for (const auto& folder : folders) {
      if (!fs::exists(folder / kManifestFile)) {
        empty.push_back(fmt::format("{} holds no results, and is left out", folder.string()));
      } else {
        by_name[folder == share ? fs::path() : folder.filename()].push_back(folder);
      }
    }
  }
  if (by_name.empty()) {
    fail(
        "none of the folders holds results: expected folders that `bandolier run --part --out` "
        "wrote");
  }
  if (by_name.size() > 1 && by_name.contains(fs::path())) {
    fail(
        "{} holds results and others of the folders hold folders of results: expected shares of "
        "one kind",
        by_name[fs::path()].front().string());
  }
  std::vector<Prepared> prepared;
  for (const auto& [name, folders] : by_name) {
    prepared.push_back(prepare(folders, name.empty() ? out : out / name));
  }
  auto& notes = prepared.front().merged.damage;
  notes.insert(notes.begin(), empty.begin(), empty.end());
  std::vector<Merged> merged;
  for (auto& one : prepared) merged.push_back(write(std::move(one)));
  return merged;
}

}  // namespace bandolier
