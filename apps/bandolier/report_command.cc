// `bandolier report DIR...`: a page about results.
#include <algorithm>
#include <filesystem>
#include <memory>

#include "bandolier/core/error.h"
#include "bandolier/lab/report/experiment_report.h"
#include "commands.h"
#include "console.h"
#include "reporting.h"

namespace bandolier {
namespace {

struct ReportArguments {
  std::vector<std::string> folders;
  std::string baseline;
};

int run_report(const ReportArguments& arguments) {
  // Everything is read before anything is written.
  std::vector<std::vector<StoredResults>> all;
  for (const auto& folder : arguments.folders) {
    all.push_back(read_all_results(folder));
    if (!arguments.baseline.empty() && all.back().size() == 1) {
      find_baseline(all.back().front().results.settings, arguments.baseline);
    }
  }
  int exit_code = kSuccess;
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (const auto& stored : all[i]) {
      if (!stored.damage.empty()) exit_code = kFailed;
    }
    const auto page = write_report(arguments.folders[i], all[i], arguments.baseline);
    print_result(page.string() + "\n");
  }
  return exit_code;
}

}  // namespace

Command add_report_command(CLI::App& program) {
  auto arguments = std::make_shared<ReportArguments>();
  CLI::App* app =
      program.add_subcommand("report", "Write DIR/report.html about the results in DIR");
  app->add_option("folder", arguments->folders,
                  "Folders that --out wrote, or folders of such folders")
      ->type_name("DIR")
      ->required();
  app->add_option("--baseline", arguments->baseline,
                  "Agent that differences are taken against [linear, or the first]")
      ->type_name("AGENT");
  add_examples(*app,
               "bandolier run --env wheel --agent linear uniform --trials 5 --out results/wheel",
               "bandolier report results/wheel");
  return {app, [arguments] { return run_report(*arguments); }};
}

}  // namespace bandolier
