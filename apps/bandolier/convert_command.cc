// `bandolier convert LOG... OUT`: a log in another format.
#include <filesystem>
#include <memory>
#include <span>

#include "bandolier/core/stop.h"
#include "bandolier/core/text.h"
#include "bandolier/lab/log/log_writer.h"
#include "commands.h"
#include "console.h"
#include "interrupt.h"
#include "log_arguments.h"
#include "output_file.h"
#include "progress_bar.h"

namespace bandolier {
namespace {

struct ConvertArguments {
  LogArguments log;
  std::vector<std::filesystem::path> files;  // the last: what to write
  std::string format = "auto";
  bool force = false, quiet = false;
};

int run_convert(const ConvertArguments& arguments) {
  const LogOptions options = arguments.log.options();
  const std::filesystem::path& out = arguments.files.back();
  const auto logs = std::span(arguments.files).first(arguments.files.size() - 1);
  LogFormat format = LogFormat::kAuto;
  try {
    format = format_to_write(out, parse_word<LogFormat>("format", arguments.format));
  } catch (const Error& error) {
    throw UsageError(error.what());
  }
  require_new_file("OUT", out, arguments.force);
  const StopScope scope(
      &watch_for_interrupt("stopping: nothing is written; Ctrl-C again ends at once"));
  ProgressBar bar(arguments.quiet);
  try {
    const Converted converted = convert_log(logs, options, out, format, [&](Index done, Index all) {
      const double share = all == 0 ? 0.0 : static_cast<double>(done) / static_cast<double>(all);
      bar.show((all == 0 ? 0 : 0.5) + share / 2,
               all == 0
                   ? fmt::format("{} events read", with_commas(done))
                   : fmt::format("{} of {} events written", with_commas(done), with_commas(all)));
    });
    for (const Note& note : converted.notes) bar.notice(note.to_text());
    print_result(fmt::format("{}: {} events\n", out.string(), with_commas(converted.events)));
  } catch (const Stopped&) {
    return kFailed;
  }
  return kSuccess;
}

}  // namespace

Command add_convert_command(CLI::App& program) {
  auto arguments = std::make_shared<ConvertArguments>();
  CLI::App* app = program.add_subcommand("convert", "Write a log in another format");
  app->add_option("files", arguments->files,
                  "Files of logged decisions, plain or gzipped (- is standard input), and the file "
                  "to write; gzipped where it ends in .gz")
      ->type_name("LOG... OUT")
      ->required()
      ->expected(2, 1 << 20);
  arguments->log.add_options_to(*app);
  app->add_option("--format", arguments->format, "Format of OUT: dsjson, vw or csv [by its name]")
      ->type_name("F");
  app->add_flag("--force", arguments->force, "Replace OUT where it is there");
  app->add_flag("--quiet", arguments->quiet, "No progress");
  add_examples(*app, "bandolier run --env wheel --agent uniform --trials 1 --log logs --force",
               "bandolier convert logs/wheel--uniform--trial-0.dsjson wheel.csv.gz --force");
  return {app, [arguments] { return run_convert(*arguments); }};
}

}  // namespace bandolier
