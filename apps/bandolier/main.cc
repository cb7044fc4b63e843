// The command line: parses, runs one subcommand, and turns errors into one line and an exit code.
#include <csignal>
#include <exception>
#include <filesystem>
#include <new>

#include "bandolier/core/error.h"
#include "bandolier/core/text.h"
#include "bandolier/lab/experiment/provenance.h"
#include "commands.h"
#include "console.h"

namespace bandolier {
namespace {

// The command that was asked for, as far as it was understood: `data get`, or the program itself.
const CLI::App& asked_for(const CLI::App& program) {
  const auto parsed = program.get_subcommands();
  return parsed.empty() ? program : asked_for(*parsed.front());
}

// Every name that may stand where `word` stood in `app`.
std::vector<std::string> known_words(const CLI::App& app, const std::string& word) {
  std::vector<std::string> known;
  if (word.starts_with("-")) {
    for (const auto* option : app.get_options()) {
      for (const auto& name : option->get_lnames()) known.push_back("--" + name);
    }
  } else {
    for (const auto* command : app.get_subcommands({})) known.push_back(command->get_name());
  }
  return known;
}

// What was wrong with the arguments, in one line.
std::string explain(const CLI::App& program, const CLI::ParseError& error) {
  const CLI::App& app = asked_for(program);
  std::string what = error.what();
  if (error.get_name() == "RequiredError" && !app.get_subcommands({}).empty()) {
    what = fmt::format("a command is missing: expected {}", join(known_words(app, ""), ", "));
  }
  if (const auto rest = program.remaining(true); !rest.empty()) {
    const auto known = known_words(app, rest.front());
    what = fmt::format("'{}' was not expected{}", rest.front(),
                       known.empty() ? "" : suggestion(rest.front(), known));
  }
  const std::string below = full_name(app).substr(program.get_name().size());
  return fmt::format("{} (see bandolier help{})", what, below);
}

int run_program(int argc, char** argv) {
  CLI::App program("Bandolier makes decisions and learns from every reward.", "bandolier");
  program.set_version_flag("--version", fmt::format("bandolier {}", version()));
  program.require_subcommand(1);
  const std::vector<Command> commands = {
      add_run_command(program),     add_paper_command(program),  add_merge_command(program),
      add_report_command(program),  add_list_command(program),   add_data_command(program),
      add_inspect_command(program), add_decide_command(program), add_convert_command(program),
      add_learn_command(program),   add_replay_command(program), add_evaluate_command(program),
      add_help_command(program)};
  add_examples(program, "bandolier run --env wheel --agent linear uniform --trials 5",
               "bandolier help run");
  try {
    program.parse(argc, argv);
  } catch (const CLI::CallForVersion& request) {
    print_result(std::string(request.what()) + "\n");
    return kSuccess;
  } catch (const CLI::CallForHelp&) {
    print_result(help_of(asked_for(program)));
    return kSuccess;
  } catch (const CLI::ParseError& error) {
    throw UsageError(explain(program, error));
  }
  for (const Command& command : commands) {
    if (command.app->parsed()) return command.run();
  }
  throw UsageError("no command: see bandolier help");
}

}  // namespace
}  // namespace bandolier

int main(int argc, char** argv) {
  using namespace bandolier;
  std::signal(SIGPIPE, SIG_IGN);
  hold_standard_files();
  try {
    return run_program(argc, argv);
  } catch (const ClosedPipe&) {
    return kSuccess;
  } catch (const UsageError& error) {
    print_notice(error.what());
    return kWrongUsage;
  } catch (const std::bad_alloc&) {
    print_notice("out of memory");
    return kFailed;
  } catch (const std::filesystem::filesystem_error& error) {
    print_notice(
        fmt::format("{} cannot be used: {}", error.path1().string(), error.code().message()));
    return kFailed;
  } catch (const std::exception& error) {
    print_notice(error.what());
    return kFailed;
  }
}
