#include "bandolier/core/phase_fair_lock.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <chrono>
#include <mutex>
#include <shared_mutex>
#include <thread>
#include <vector>

namespace bandolier::phase_fair_lock_test {
namespace {

TEST(PhaseFairLockThreads, AReaderSeesNoHalfWrittenPairAndNoWriteIsLost) {
  constexpr int kWrites = 2000;
  PhaseFairLock lock;
  std::array<int, 2> pair{0, 0};
  std::atomic<int> torn{0};
  std::atomic<int> writers{2};
  std::vector<std::jthread> threads;
  for (int i = 0; i < 2; ++i) {
    threads.emplace_back([&] {
      for (int n = 0; n < kWrites; ++n) {
        const std::lock_guard write(lock);
        ++pair[0];
        ++pair[1];
      }
      --writers;
    });
    threads.emplace_back([&] {
      do {
        const std::shared_lock read(lock);
        torn += pair[0] != pair[1];
      } while (writers > 0);
    });
  }
  threads.clear();
  EXPECT_EQ(torn, 0);
  EXPECT_EQ(pair, (std::array{2 * kWrites, 2 * kWrites}));
}

TEST(PhaseFairLockThreads, ReadersAreInsideTogether) {
  PhaseFairLock lock;
  std::atomic<int> inside{0};
  const auto meet = [&] {
    const std::shared_lock read(lock);
    ++inside;
    while (inside < 2) std::this_thread::yield();
  };
  std::jthread other(meet);
  meet();
  EXPECT_EQ(inside, 2);
}

// With std::shared_mutex of glibc the writer does not come in while readers overlap.
TEST(PhaseFairLockThreads, AWriterComesInAlthoughThereIsAlwaysAReader) {
  using namespace std::chrono_literals;
  PhaseFairLock lock;
  std::atomic<bool> written{false};
  std::atomic<int> reading{0};
  std::vector<std::jthread> readers;
  for (int i = 0; i < 3; ++i) {
    readers.emplace_back([&] {
      while (!written) {
        const std::shared_lock read(lock);
        ++reading;
        // Leaves when another reader has come, or knocks and waits for its turn.
        const auto end = std::chrono::steady_clock::now() + 5ms;
        while (std::chrono::steady_clock::now() < end && !written) std::this_thread::sleep_for(1ms);
      }
    });
  }
  while (reading < 10) std::this_thread::yield();
  {
    const std::lock_guard write(lock);
    written = true;
  }
  readers.clear();
  EXPECT_TRUE(written);
}

}  // namespace
}  // namespace bandolier::phase_fair_lock_test
