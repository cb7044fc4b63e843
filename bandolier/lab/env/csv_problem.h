// A user's own data: `csv:PATH,label=COLUMN` or `csv:PATH,rewards=PREFIX`.
#pragma once

#include <filesystem>

#include "bandolier/core/options.h"
#include "bandolier/lab/env/environment.h"
#include "bandolier/lab/env/rows.h"

namespace bandolier {

struct CsvOptions : RowsOptions, StandardiseOptions {
  std::string label;
  std::string rewards;
  std::string header = "auto";
  std::string separator = "auto";
  std::string categorical;
  std::string drop;
  std::string actions;
};
const OptionTable<CsvOptions>& csv_options();

std::unique_ptr<Environment> make_csv(const std::filesystem::path& path, const CsvOptions& options);

}  // namespace bandolier
