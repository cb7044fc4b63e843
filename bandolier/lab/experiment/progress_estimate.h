// How far a set of trials is and how long the rest will take, from the trials that ended and those
// that run.
#pragma once

#include <chrono>
#include <vector>

#include "bandolier/lab/experiment/experiment.h"

namespace bandolier {

class ProgressEstimate {
 public:
  using Clock = std::chrono::steady_clock;

  // `cells[i]` is the (environment, agent) of job i: jobs of a cell take about the same time.
  ProgressEstimate(std::vector<Index> cells, Index already_done, int jobs);

  void start(Index job, Clock::time_point now);
  void advance(Index job, double fraction);
  void finish(Index job, Clock::time_point now);

  // A cell without a finished trial is taken to need what its running trial promises, or else the
  // mean of the others.
  Progress at(Clock::time_point now) const;

 private:
  struct Job {
    Index cell = 0;
    bool running = false, done = false;
    Clock::time_point started;
    double fraction = 0;
    double seconds = 0;  // taken, once done
  };
  std::vector<Job> jobs_;
  Index cells_ = 0;
  Index already_done_;
  int threads_;
};

}  // namespace bandolier
