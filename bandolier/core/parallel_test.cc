#include "bandolier/core/parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <limits>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

#include "bandolier/core/stop.h"

namespace bandolier::parallel_test {
namespace {

class ParallelFor : public ::testing::TestWithParam<int> {};

// Jobs after the one that ends a loop take their time: threads could run through any number of
// empty jobs while that one waits for a core.
constexpr Index kJobs = 100'000;
void take_time() { std::this_thread::sleep_for(std::chrono::milliseconds(1)); }

TEST_P(ParallelFor, CallsEveryIndexOnce) {
  for (const Index count : {0, 1, 2, 3, 1000}) {
    std::vector<std::atomic<int>> calls(static_cast<std::size_t>(count));
    parallel_for(count, GetParam(), [&](Index i) { ++calls.at(static_cast<std::size_t>(i)); });
    for (const auto& n : calls) EXPECT_EQ(n, 1);
  }
}

TEST_P(ParallelFor, RethrowsTheFirstExceptionAndStartsNoMore) {
  std::atomic<int> started{0};
  try {
    parallel_for(kJobs, GetParam(), [&](Index i) {
      ++started;
      if (i == 10) throw std::runtime_error("job 10");
      if (i > 10) take_time();
    });
    FAIL() << "no exception";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "job 10");
  }
  EXPECT_GE(started, 11);
  EXPECT_LT(started, kJobs);
}

TEST_P(ParallelFor, StartsNoMoreOnceStopIsTrue) {
  std::atomic<bool> stop{false};
  const StopScope scope(&stop);
  std::atomic<int> started{0};
  parallel_for(kJobs, GetParam(), [&](Index i) {
    ++started;
    EXPECT_EQ(current_stop(), &stop);
    if (i == 5) stop = true;
    if (i > 5) take_time();
  });
  EXPECT_GE(started, 6);
  EXPECT_LT(started, kJobs);
  parallel_for(10, GetParam(), [](Index) { FAIL() << "a job started"; });
}

INSTANTIATE_TEST_SUITE_P(Threads, ParallelFor, ::testing::Values(-1, 1, 2, 7));

TEST(ParallelForThreads, OneThreadIsTheCallersAndGoesInOrder) {
  const auto caller = std::this_thread::get_id();
  std::vector<Index> order;
  parallel_for(5, 1, [&](Index i) {
    EXPECT_EQ(std::this_thread::get_id(), caller);
    order.push_back(i);
  });
  EXPECT_EQ(order, (std::vector<Index>{0, 1, 2, 3, 4}));
}

TEST(ParallelForThreads, NeverExceedTheirBound) {
  std::mutex mutex;
  std::set<std::thread::id> ids;
  std::atomic<int> running{0}, most{0};
  parallel_for(200, 3, [&](Index) {
    const int now = ++running;
    for (int seen = most; now > seen && !most.compare_exchange_weak(seen, now);) {
    }
    {
      const std::lock_guard lock(mutex);
      ids.insert(std::this_thread::get_id());
    }
    std::this_thread::yield();
    --running;
  });
  EXPECT_LE(ids.size(), 3u);
  EXPECT_LE(most, 3);
}

TEST(ParallelForThreads, TwoJobsMeetOnTwoThreads) {
  std::atomic<int> arrived{0};
  parallel_for(2, 2, [&](Index) {
    ++arrived;
    while (arrived < 2) std::this_thread::yield();
  });
  EXPECT_EQ(arrived, 2);
}

TEST(AvailableCores, AreAtLeastOne) { EXPECT_GE(available_cores(), 1); }

// The smallest normal float, halved.
float half_of_the_smallest() {
  volatile float smallest = std::numeric_limits<float>::min();
  return smallest * 0.5f;
}

TEST(FlushDenormals, FlushesWhileAliveAndNoLonger) {
#if !defined(__SSE__)
  GTEST_SKIP() << "this processor's denormals are left as they are";
#endif
  EXPECT_GT(half_of_the_smallest(), 0);
  {
    const FlushDenormals outer;
    EXPECT_EQ(half_of_the_smallest(), 0);
    { const FlushDenormals inner; }
    EXPECT_EQ(half_of_the_smallest(), 0);
  }
  EXPECT_GT(half_of_the_smallest(), 0);
}

TEST(FlushDenormals, HoldsOnEveryThreadOfAParallelLoop) {
#if !defined(__SSE__)
  GTEST_SKIP() << "this processor's denormals are left as they are";
#endif
  parallel_for(50, 3, [](Index) { EXPECT_EQ(half_of_the_smallest(), 0); });
  EXPECT_GT(half_of_the_smallest(), 0);
}

}  // namespace
}  // namespace bandolier::parallel_test
