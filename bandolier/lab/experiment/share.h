// One process's share of an experiment's trials, where several run it: which trials are whose is
// known to all of them without a word between them.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "bandolier/core/types.h"

namespace bandolier {

struct Share {
  std::int64_t part = 1, of = 1;  // parts are counted from 1
  bool whole() const { return of == 1; }
  bool operator==(const Share&) const = default;
};
std::string to_text(const Share& share);  // "2/4"
void check(const Share& share);           // throws Error where there is no such part

// "2/4"; or "auto": what a Slurm array (SLURM_ARRAY_TASK_ID, _MIN, _STEP and _COUNT) or a
// Kubernetes Indexed Job (JOB_COMPLETION_INDEX, and JOB_COMPLETIONS, which the job's manifest has
// to set) says. Throws Error for anything else, arrays with gaps among them.
Share parse_share(const std::string& text);

// Trials dealt out to parts. Of every cell each part gets as many trials as any other, whatever
// they cost; the few that are left over go to where the expected cost is least, the dearest first.
class Deal {
 public:
  // `costs`: of a trial of each cell, in any unit. `first`: the part, from 0, that ties go to:
  // experiments dealt to the same parts by different ones put their odd trials in different places.
  Deal(const std::vector<std::int64_t>& costs, std::int64_t trials, std::int64_t parts,
       std::int64_t first = 0);

  std::int64_t part_of(Index cell, std::uint32_t trial) const;  // from 1

 private:
  std::int64_t parts_, first_;
  std::int64_t even_;                            // trials below it are dealt in turn
  std::vector<std::vector<std::int64_t>> left_;  // by cell: parts, from 0, of the others
};

// A share, and what it takes to know everybody's.
struct Dealing {
  Share share;
  std::vector<std::int64_t> costs = {};  // of a trial of each cell, environments outer
  std::int64_t first = 0;
  bool operator==(const Dealing&) const = default;
};

// Whether a trial, of so many of each cell, is one of the share's.
using InShare = std::function<bool(Index cell, std::uint32_t trial)>;
InShare in_share(const Dealing& dealing, std::int64_t trials);

}  // namespace bandolier
