// What is to be known of a log beside its files.
#pragma once

#include <cstdint>
#include <string>

#include "bandolier/core/options.h"
#include "bandolier/core/words.h"

namespace bandolier {

enum class LogFormat { kAuto, kDsjson, kVw, kCsv, kObd };
inline Words words_of(LogFormat) {
  static constexpr std::string_view kWords[] = {"auto", "dsjson", "vw", "csv", "obd"};
  return kWords;
}

// The word that stands in the place of a column of propensities: 1/actions in every row.
inline constexpr std::string_view kUniformPropensity = "uniform";

inline constexpr std::int64_t kMostLoggedActions = 100'000;

struct LogOptions {
  LogFormat format = LogFormat::kAuto;  // of all files; auto: by the first bytes
  // Columns of a CSV.
  std::string action = "action", reward = "reward";
  std::string propensity = "propensity";  // or kUniformPropensity, in a log of any format
  std::string position = {};              // empty: none
  // Prefixes, or names, joined by +.
  std::string columns = {};      // one number per action: LoggedEvent::columns, in this order
  std::string drop = {};         // no features
  std::string categorical = {};  // read as words, whatever they hold
  std::int64_t actions = 0;      // of a CSV or a VW log of type cb; 0: found
  bool lenient = false;          // rows that are wrong are skipped and counted

  bool uniform() const { return propensity == kUniformPropensity; }
};
const OptionTable<LogOptions>& log_options();

}  // namespace bandolier
