// `bandolier data list|get NAME...|path`: data sets, where they live and how they come there.
#include <memory>

#include "bandolier/core/error.h"
#include "bandolier/lab/env/data_folder.h"
#include "bandolier/lab/env/fetch.h"
#include "bandolier/lab/env/sha256.h"
#include "bandolier/lab/env/sources.h"
#include "bandolier/lab/report/text_table.h"
#include "commands.h"
#include "console.h"
#include "interrupt.h"
#include "progress_bar.h"

namespace bandolier {
namespace {

struct DataArguments {
  std::vector<std::string> names;
  bool quiet = false;
};

std::string megabytes(std::int64_t bytes) {
  return fmt::format("{:.1f} MB", static_cast<double>(bytes) / 1e6);
}

std::string size_of(const DataSet& set) {
  std::int64_t bytes = 0;
  for (const DataFile& file : set.files) {
    if (file.bytes == 0) return "unknown";
    bytes += file.bytes;
  }
  return megabytes(bytes);
}

std::string present(const DataSet& set) {
  std::size_t there = 0;
  for (std::size_t i = 0; i < set.files.size(); ++i) there += !set.find(i).empty();
  if (there == set.files.size()) return "yes";
  return there == 0 ? "no" : fmt::format("{} of {} files", there, set.files.size());
}

bool all_sums_known(const DataSet& set) {
  for (const DataFile& file : set.files) {
    if (file.sha256.empty()) return false;
  }
  return true;
}

int list() {
  using enum TextTable::Align;
  TextTable table({{"name", kLeft},
                   {"there", kLeft},
                   {"size", kRight},
                   {"SHA-256", kLeft},
                   {"licence", kLeft},
                   {"where", kLeft},
                   {"what it is", kLeft}});
  for (const DataSet& set : data_sets()) {
    table.add_row({set.name, present(set), size_of(set), all_sums_known(set) ? "known" : "unknown",
                   set.licence, set.place(0).parent_path().string(), set.summary});
  }
  print_result(table.str());
  return kSuccess;
}

// Files that are there are checked, not fetched again.
void get(const DataSet& set, bool quiet) {
  for (std::size_t i = 0; i < set.files.size(); ++i) {
    const DataFile& file = set.files[i];
    if (const auto found = set.find(i); !found.empty()) {
      if (!file.sha256.empty()) check_sha256(found, file.sha256);
      print_result(fmt::format("{} is there{}\n", found.string(),
                               file.sha256.empty() ? "" : ", with the right SHA-256"));
      continue;
    }
    const auto& stop = watch_for_interrupt("stopping the download; Ctrl-C again ends at once");
    ProgressBar bar(quiet);
    DownloadOptions options;
    options.progress = [&](std::int64_t done, std::int64_t total) {
      const double fraction =
          total > 0 ? static_cast<double>(done) / static_cast<double>(total) : 0;
      bar.show(fraction, fmt::format("{} {}{}", file.file, megabytes(done),
                                     total > 0 ? " of " + megabytes(total) : ""));
      return !stop;
    };
    const auto path = fetch(set, i, options);
    print_result(fmt::format("{} fetched{}\n", path.string(),
                             file.sha256.empty() ? "; its SHA-256 is not known, and was not checked"
                                                 : ", with the right SHA-256"));
  }
}

int get_all(const DataArguments& arguments) {
  std::vector<const DataSet*> sets;
  for (const std::string& name : arguments.names) {
    try {
      sets.push_back(&find_data_set(name));
    } catch (const Error& error) {
      throw UsageError(error.what());
    }
  }
  for (const DataSet* set : sets) get(*set, arguments.quiet);
  return kSuccess;
}

}  // namespace

Command add_data_command(CLI::App& program) {
  auto arguments = std::make_shared<DataArguments>();
  CLI::App* app = program.add_subcommand("data", "Data sets: list, get, and where they live");
  app->require_subcommand(1);
  add_examples(*app, "bandolier data list", "bandolier data get shuttle");
  CLI::App* listing = app->add_subcommand(
      "list", "Name, whether it is there, size, licence and place of every data set");
  CLI::App* getting = app->add_subcommand(
      "get", "Download data sets (BANDOLIER_MIRROR: from a copy of a data folder)");
  getting->add_option("name", arguments->names, "Data sets, as `list` calls them")->required();
  getting->add_flag("--quiet", arguments->quiet, "No progress");
  CLI::App* path = app->add_subcommand("path", "The folder that holds them (BANDOLIER_DATA)");
  return {app, [=] {
            if (listing->parsed()) return list();
            if (getting->parsed()) return get_all(*arguments);
            if (path->parsed()) print_result(data_folder().string() + "\n");
            return kSuccess;
          }};
}

}  // namespace bandolier
