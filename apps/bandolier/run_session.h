// A planned experiment run from the command line: progress, Ctrl-C, results folder, saved agents.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "bandolier/lab/experiment/experiment.h"

namespace bandolier {

struct RunSession {
  int jobs = 1;
  bool quiet = false;
  bool overwrite = false;                // agents in `save` may be replaced
  std::filesystem::path out, save, log;  // empty: nothing is written
  Share share = {};
  std::int64_t first = 0;  // of a share, as in Deal
};

Dealing dealing_of(const Plan& plan, const RunSession& session);

struct RunOutcome {
  Results results;
  int exit_code = 0;  // 1 where a trial failed or the run was stopped
};

// Throws Error (a folder that cannot be used, a disk that is full).
RunOutcome run_session(const Plan& plan, const RunSession& session);

// Throws Error where run_session would be refused its folders; writes nothing.
void check_session(const Plan& plan, const RunSession& session);

// What run_session would do, in a few lines.
std::string describe_plan(const Plan& plan, const RunSession& session);

// All cores where nothing is given. Throws Error unless from 1 to 1024.
int checked_jobs(const std::optional<std::int64_t>& jobs);

}  // namespace bandolier
