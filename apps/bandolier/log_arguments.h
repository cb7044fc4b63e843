// What the commands that read logs ask of them.
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "bandolier/lab/log/log_options.h"

namespace bandolier {

struct LogArguments {
  std::vector<std::filesystem::path> files;
  OptionTexts texts;  // of log_options(), as typed
  bool lenient = false;

  // Throws UsageError where a value is not what it should be.
  LogOptions options() const;
  std::string typed() const;  // the options, each after a blank
};

// LOG... and an option per row of log_options(), but for `columns`. `arguments` must outlive the
// parsing.
void add_log_arguments(CLI::App& app, LogArguments& arguments);

}  // namespace bandolier
