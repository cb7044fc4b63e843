// The options by which the subcommands read logs (lab/log/log_options.h).
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "bandolier/lab/log/log_options.h"

namespace bandolier {

class LogArguments {
 public:
  // The files, as `LOG...`, and the options but those named. The object must live as long as the
  // parser.
  void add_to(CLI::App& app, const std::vector<std::string>& without = {});
  // An option for each row of log_options(): --log-format, --action, ...
  void add_options_to(CLI::App& app, const std::vector<std::string>& without = {});

  const std::vector<std::filesystem::path>& files() const { return files_; }
  // Throws UsageError.
  LogOptions options() const;
  // The options as they can be typed again, each after a blank.
  std::string typed() const;

 private:
  std::vector<std::filesystem::path> files_;
  OptionTexts texts_;
  bool lenient_ = false;
};

}  // namespace bandolier
