// A user's own data: `csv:PATH,label=COLUMN` or `csv:PATH,rewards=PREFIX`; PATH `-` is standard
// input.
#pragma once

#include <filesystem>

#include "bandolier/core/options.h"
#include "bandolier/lab/env/environment.h"
#include "bandolier/lab/env/rows.h"
#include "bandolier/lab/env/table.h"

namespace bandolier {

enum class Separator { kAuto, kComma, kSemicolon, kTab, kBlank };
inline Words words_of(Separator) {
  static constexpr std::string_view kWords[] = {"auto", "comma", "semicolon", "tab", "blank"};
  return kWords;
}

struct CsvOptions : RowsOptions, StandardiseOptions {
  std::string label;
  std::string rewards;
  Header header = Header::kAuto;
  Separator separator = Separator::kAuto;
  // Columns or words, joined by +.
  std::string categorical;
  std::string drop;
  std::string keep;
  std::string missing;
  std::string actions;
};
const OptionTable<CsvOptions>& csv_options();

std::unique_ptr<Environment> make_csv(const std::filesystem::path& path, const CsvOptions& options);

}  // namespace bandolier
