#include "bandolier/core/copy_on_write.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace bandolier::copy_on_write_test {
namespace {

TEST(CopyOnWrite, CopiesShareTheirValueUntilOneWrites) {
  CopyOnWrite<int> first(1);
  CopyOnWrite<int> second = first;
  EXPECT_EQ(&*first, &*second);
  first.write() = 2;
  EXPECT_NE(&*first, &*second);
  EXPECT_EQ(*first, 2);
  EXPECT_EQ(*second, 1);
}

TEST(CopyOnWrite, AnOnlyOwnerWritesInPlace) {
  CopyOnWrite<int> first(0);
  const int* before = &*first;
  { const CopyOnWrite<int> gone = first; }
  first.write() = 3;
  EXPECT_EQ(&*first, before);
}

TEST(CopyOnWrite, ThreadsReadAndLetGoOfCopiesWhileTheOwnerWrites) {
  CopyOnWrite<int> owner(0);
  for (int round = 0; round < 200; ++round) {
    std::vector<std::thread> readers;
    for (int i = 0; i < 3; ++i) {
      readers.emplace_back([copy = owner, round] { EXPECT_EQ(*copy, round); });
    }
    owner.write() = round + 1;
    for (auto& reader : readers) reader.join();
  }
}

}  // namespace
}  // namespace bandolier::copy_on_write_test
