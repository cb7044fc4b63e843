// The subcommands, one file each: NAME_command.cc adds its options to the program and says what to
// run once they are parsed.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

namespace bandolier {

// Exit codes of the program.
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
Command add_report_command(CLI::App& program);
Command add_list_command(CLI::App& program);
Command add_data_command(CLI::App& program);
Command add_inspect_command(CLI::App& program);

}  // namespace bandolier
