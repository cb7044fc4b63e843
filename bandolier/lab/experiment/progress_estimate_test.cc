#include "bandolier/lab/experiment/progress_estimate.h"

#include <gtest/gtest.h>

namespace bandolier::progress_estimate_test {
namespace {

using std::chrono::seconds;

TEST(ProgressEstimate, KnowsNothingBeforeTheFirstStep) {
  const ProgressEstimate estimate({0, 0}, 3, 1);
  const Progress progress = estimate.at(ProgressEstimate::Clock::now());
  EXPECT_EQ(progress.trials_done, 3);
  EXPECT_EQ(progress.trials, 5);
  EXPECT_FALSE(progress.seconds_left.has_value());
}

TEST(ProgressEstimate, ARunningTrialAtAQuarterAfterTenSecondsLeavesThirty) {
  const auto start = ProgressEstimate::Clock::now();
  ProgressEstimate estimate({0}, 0, 1);
  estimate.start(0, start);
  estimate.advance(0, 0.25);
  EXPECT_NEAR(*estimate.at(start + seconds(10)).seconds_left, 30, 1e-6);
  EXPECT_NEAR(estimate.at(start + seconds(10)).fraction, 0.25, 1e-6);
}

TEST(ProgressEstimate, FinishedTrialsOfACellForetellTheOthersOnTwoThreads) {
  const auto start = ProgressEstimate::Clock::now();
  ProgressEstimate estimate({0, 1, 0, 1}, 0, 2);
  estimate.start(0, start);
  estimate.finish(0, start + seconds(4));
  estimate.start(1, start);
  estimate.finish(1, start + seconds(20));
  const Progress progress = estimate.at(start + seconds(20));
  EXPECT_EQ(progress.trials_done, 2);
  EXPECT_NEAR(*progress.seconds_left, (4.0 + 20.0) / 2, 1e-6);
  EXPECT_NEAR(progress.fraction, 0.5, 1e-6);
}

}  // namespace
}  // namespace bandolier::progress_estimate_test
