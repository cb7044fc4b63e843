// How a subcommand prints its results.
#pragma once

#include "bandolier/core/words.h"

namespace bandolier {

enum class OutputFormat { kTable, kJson, kCsv };
inline Words words_of(OutputFormat) {
  static constexpr std::string_view kWords[] = {"table", "json", "csv"};
  return kWords;
}

}  // namespace bandolier
