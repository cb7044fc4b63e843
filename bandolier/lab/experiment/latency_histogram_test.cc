#include "bandolier/lab/experiment/latency_histogram.h"

#include <gtest/gtest.h>

namespace bandolier::latency_histogram_test {
namespace {

TEST(LatencyHistogram, QuantilesOfOneToAThousandMicrosecondsAreWithinOnePercent) {
  LatencyHistogram histogram;
  for (int i = 1; i <= 1000; ++i) histogram.add(i * 1e-6);
  EXPECT_NEAR(histogram.quantile(0.5), 500e-6, 5e-6);
  EXPECT_NEAR(histogram.quantile(0.99), 990e-6, 10e-6);
  EXPECT_EQ(histogram.count(), 1000);
}

TEST(LatencyHistogram, AnEmptyOneHasQuantileZero) {
  EXPECT_EQ(LatencyHistogram().quantile(0.5), 0);
}

TEST(LatencyHistogram, ValuesOutOfRangeFallIntoTheFirstAndLastBucket) {
  LatencyHistogram histogram;
  histogram.add(0);
  histogram.add(1e9);
  EXPECT_LT(histogram.quantile(0.5), 2e-8);
  EXPECT_GT(histogram.quantile(1), 900);
}

}  // namespace
}  // namespace bandolier::latency_histogram_test
