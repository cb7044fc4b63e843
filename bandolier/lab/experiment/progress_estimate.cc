#include "bandolier/lab/experiment/progress_estimate.h"

#include <algorithm>
#include <optional>

namespace bandolier {

ProgressEstimate::ProgressEstimate(std::vector<Index> cells, Index already_done, int jobs)
    : already_done_(already_done), threads_(std::max(jobs, 1)) {
  for (const Index cell : cells) {
    jobs_.push_back({});
    jobs_.back().cell = cell;
    cells_ = std::max(cells_, cell + 1);
  }
}

void ProgressEstimate::start(Index job, Clock::time_point now) {
  Job& j = jobs_[static_cast<std::size_t>(job)];
  j.running = true;
  j.started = now;
}

void ProgressEstimate::advance(Index job, double fraction) {
  jobs_[static_cast<std::size_t>(job)].fraction = fraction;
}

void ProgressEstimate::finish(Index job, Clock::time_point now) {
  Job& j = jobs_[static_cast<std::size_t>(job)];
  j.running = false;
  j.done = true;
  j.seconds = std::chrono::duration<double>(now - j.started).count();
}

Progress ProgressEstimate::at(Clock::time_point now) const {
  struct Sum {
    double seconds = 0;
    int count = 0;
  };
  std::vector<Sum> done(static_cast<std::size_t>(cells_)), running(done.size());
  Progress progress;
  progress.trials = already_done_ + static_cast<Index>(jobs_.size());
  progress.trials_done = already_done_;
  const auto add = [](Sum& sum, double seconds) {
    sum.seconds += seconds;
    ++sum.count;
  };
  for (const Job& job : jobs_) {
    const auto cell = static_cast<std::size_t>(job.cell);
    const double elapsed = std::chrono::duration<double>(now - job.started).count();
    if (job.done) add(done[cell], job.seconds);
    if (job.running && job.fraction > 0) add(running[cell], elapsed / job.fraction);
    progress.trials_done += job.done ? 1 : 0;
  }
  std::vector<std::optional<double>> expected;  // seconds of a job of the cell
  Sum known;
  for (std::size_t c = 0; c < done.size(); ++c) {
    const Sum& best = done[c].count > 0 ? done[c] : running[c];
    if (best.count == 0) {
      expected.emplace_back();
    } else {
      expected.emplace_back(best.seconds / best.count);
      add(known, *expected.back());
    }
  }
  if (known.count == 0) return progress;
  double total = 0, left = 0;
  for (const Job& job : jobs_) {
    const auto& own = expected[static_cast<std::size_t>(job.cell)];
    const double seconds = own ? *own : known.seconds / known.count;
    const double elapsed =
        job.running ? std::chrono::duration<double>(now - job.started).count() : 0;
    total += seconds;
    if (!job.done) left += std::max(0.0, seconds - elapsed);
  }
  progress.fraction = total > 0 ? 1 - left / total : 1;
  progress.seconds_left = left / threads_;
  return progress;
}

}  // namespace bandolier
