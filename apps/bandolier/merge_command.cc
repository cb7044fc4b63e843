// `bandolier merge DIR... --out DIR`: the shares of an experiment as one folder of results.
#include "bandolier/lab/experiment/merge.h"

#include <filesystem>
#include <memory>

#include "arguments.h"
#include "bandolier/core/error.h"
#include "commands.h"
#include "console.h"

namespace bandolier {
namespace {

struct MergeArguments {
  std::vector<std::string> folders;
  std::optional<std::string> out;
};

int run_merge(const MergeArguments& arguments) {
  try {
    require_name("--out", arguments.out);
  } catch (const Error& error) {
    throw UsageError(error.what());
  }
  const std::vector<std::filesystem::path> shares(arguments.folders.begin(),
                                                  arguments.folders.end());
  int exit_code = kSuccess;
  for (const Merged& merged : merge_shares(shares, *arguments.out)) {
    for (const auto& notes : {merged.damage, merged.missing, merged.failures}) {
      for (const auto& note : notes) print_notice(note);
    }
    if (!merged.missing.empty() || !merged.failures.empty()) exit_code = kFailed;
    print_result(fmt::format("{}: {} of {} trials\n", merged.folder.string(), merged.trials,
                             merged.expected));
  }
  return exit_code;
}

}  // namespace

void add_part_option(CLI::App& app, std::optional<std::string>& part) {
  app.add_option("--part", part,
                 "The I-th of N shares alone, I from 1; auto: as a Slurm array or a Kubernetes "
                 "Indexed Job says [1/1]")
      ->type_name("I/N");
}

Command add_merge_command(CLI::App& program) {
  auto arguments = std::make_shared<MergeArguments>();
  CLI::App* app =
      program.add_subcommand("merge", "Put the shares that --part made together in one folder");
  app->add_option("folder", arguments->folders, "Folders that run or paper wrote with --part")
      ->type_name("DIR")
      ->required();
  app->add_option("--out", arguments->out, "Keep the whole results here")
      ->type_name("DIR")
      ->required();
  add_examples(*app, "bandolier run --env wheel --trials 2 --part 1/1 --out results/part-1",
               "bandolier merge results/part-1 --out results/whole");
  return {app, [arguments] { return run_merge(*arguments); }};
}

}  // namespace bandolier
