// The command line: parses, runs one subcommand, and turns errors into one line and an exit code.
#include <csignal>
#include <exception>
#include <new>

#include "bandolier/core/error.h"
#include "bandolier/core/text.h"
#include "bandolier/lab/experiment/provenance.h"
#include "commands.h"
#include "console.h"

namespace bandolier {
namespace {

// Every name that may stand where `word` stood.
std::vector<std::string> known_words(const CLI::App& program, const std::string& word) {
  std::vector<std::string> known;
  const auto parsed = program.get_subcommands();
  const CLI::App& app = parsed.empty() ? program : *parsed.front();
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
  for (const auto& word : program.remaining(true)) {
    const auto known = known_words(program, word);
    if (known.empty()) return fmt::format("'{}' was not expected", word);
    return fmt::format("'{}' was not expected{}", word, suggestion(word, known));
  }
  return error.what();
}

int run_program(int argc, char** argv) {
  CLI::App program("Bandolier makes decisions and learns from every reward.", "bandolier");
  program.set_version_flag("--version", fmt::format("bandolier {}", version()));
  program.require_subcommand(1);
  const std::vector<Command> commands = {add_run_command(program),    add_paper_command(program),
                                         add_report_command(program), add_list_command(program),
                                         add_data_command(program),   add_inspect_command(program)};
  try {
    program.parse(argc, argv);
  } catch (const CLI::CallForVersion& request) {
    print_result(std::string(request.what()) + "\n");
    return kSuccess;
  } catch (const CLI::CallForHelp&) {
    const auto parsed = program.get_subcommands();
    print_result((parsed.empty() ? program : *parsed.front()).help());
    return kSuccess;
  } catch (const CLI::ParseError& error) {
    throw UsageError(explain(program, error) + " (see bandolier --help)");
  }
  for (const Command& command : commands) {
    if (command.app->parsed()) return command.run();
  }
  throw UsageError("no command: see bandolier --help");
}

}  // namespace
}  // namespace bandolier

int main(int argc, char** argv) {
  using namespace bandolier;
  std::signal(SIGPIPE, SIG_IGN);
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
  } catch (const std::exception& error) {
    print_notice(error.what());
    return kFailed;
  }
}
