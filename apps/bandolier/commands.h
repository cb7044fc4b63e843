// The subcommands, one file each: NAME_command.cc adds its options to the program and says what to
// run once they are parsed.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace bandolier {

// Exit codes of the program. A second Ctrl-C gives 130 (interrupt.h).
inline constexpr int kSuccess = 0, kFailed = 1, kWrongUsage = 2;

// An error in what was asked, found before anything was started: exit code 2. Any other Error that
// leaves `run` gives exit code 1.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct Command {
  CLI::App* app = nullptr;   // tells whether it was asked for, and its options
  std::function<int()> run;  // returns the exit code
};

Command add_run_command(CLI::App& program);
Command add_paper_command(CLI::App& program);
Command add_merge_command(CLI::App& program);
Command add_report_command(CLI::App& program);
Command add_list_command(CLI::App& program);
Command add_data_command(CLI::App& program);
Command add_inspect_command(CLI::App& program);
Command add_decide_command(CLI::App& program);
Command add_convert_command(CLI::App& program);
Command add_learn_command(CLI::App& program);
Command add_replay_command(CLI::App& program);
Command add_evaluate_command(CLI::App& program);
Command add_help_command(CLI::App& program);

// "bandolier data get", and its help. (CLI::App::help gives that of the command that was parsed.)
std::string full_name(const CLI::App& app);
std::string help_of(const CLI::App& app);

// --part I/N|auto
void add_part_option(CLI::App& app, std::optional<std::string>& part);

// Every help ends with two commands that run as they stand, one after the other.
void add_examples(CLI::App& app, std::string_view first, std::string_view second);

}  // namespace bandolier
