// The paper's tabular problems, UCI's Statlog (Shuttle), Covertype and Adult: an action is a class,
// and the right one pays 1.
#pragma once

#include "bandolier/core/options.h"
#include "bandolier/lab/env/environment.h"
#include "bandolier/lab/env/rows.h"

namespace bandolier {

// UCI's own file, or the 5,000 rows of the paper's code.
enum class UciSample { kUci, kPaper };
inline Words words_of(UciSample) {
  static constexpr std::string_view kWords[] = {"uci", "paper"};
  return kWords;
}

struct UciOptions : RowsOptions, StandardiseOptions {
  UciSample sample = UciSample::kUci;
};
const OptionTable<UciOptions>& uci_options();

std::unique_ptr<Environment> make_shuttle(const UciOptions& options);
std::unique_ptr<Environment> make_covertype(const UciOptions& options);
std::unique_ptr<Environment> make_adult(const UciOptions& options);

}  // namespace bandolier
