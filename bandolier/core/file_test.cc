#include "bandolier/core/file.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <fstream>
#include <thread>
#include <vector>

#include "testing/errors.h"
#include "testing/temporary.h"

namespace bandolier::file_test {
namespace {

using testing::error_of;
using testing::TemporaryFolder;
using Names = std::vector<std::string>;

TEST(File, ReadsBackWhatWasWrittenByteForByte) {
  const TemporaryFolder folder;
  std::string bytes(300'000, '\0');
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i * i >> 3);
  write_file_atomically(folder / "a", bytes);
  EXPECT_EQ(read_file(folder / "a"), bytes);
  write_file_atomically(folder / "a", "");
  EXPECT_EQ(read_file(folder / "a"), "");
  EXPECT_EQ(folder.names(), Names{"a"});
}

TEST(File, SaysWhyItCannotBeRead) {
  const TemporaryFolder folder;
  const std::string name = (folder / "none").string();
  EXPECT_EQ(error_of([&] { read_file(name); }),
            name + " cannot be read: No such file or directory");
  EXPECT_EQ(error_of([&] { read_file(folder.path()); }),
            folder.path().string() + " is a folder: expected a file");
  EXPECT_EQ(error_of([] { read_file("/dev/zero"); }), "/dev/zero is a device: expected a file");
  EXPECT_NE(error_of([&] { read_file("/proc/self/mem"); }), "");  // opens, and fails to read
}

TEST(File, ReadsTheStartOfAFileAndOfNothingElse) {
  const TemporaryFolder folder;
  write_file_atomically(folder / "a", "abcdef");
  EXPECT_EQ(read_start(folder / "a", 4), "abcd");
  EXPECT_EQ(read_start(folder / "a", 100), "abcdef");
  const std::string pipe = (folder / "pipe").string();
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);  // nobody writes to it: it must not be waited for
  EXPECT_EQ(error_of([&] { read_start(pipe, 4); }),
            pipe + " is a device or a pipe: expected a file");
  EXPECT_EQ(error_of([] { read_start("/dev/zero", 4); }),
            "/dev/zero is a device or a pipe: expected a file");
  EXPECT_EQ(error_of([&] { read_start(folder.path(), 4); }),
            folder.path().string() + " is a folder: expected a file");
  EXPECT_EQ(error_of([&] { read_start(folder / "none", 4); }),
            (folder / "none").string() + " cannot be read: No such file or directory");
}

TEST(File, RefusesToReadWithoutPermission) {
  if (::geteuid() == 0) GTEST_SKIP() << "permissions do not bind the superuser";
  const TemporaryFolder folder;
  write_file_atomically(folder / "a", "secret");
  ::chmod((folder / "a").c_str(), 0);
  EXPECT_NE(error_of([&] { read_file(folder / "a"); }).find("Permission denied"),
            std::string::npos);
}

TEST(WriteFile, LeavesNothingBehindWhereTheFolderIsMissing) {
  const TemporaryFolder folder;
  const auto path = folder / "none" / "a";
  EXPECT_EQ(error_of([&] { write_file_atomically(path, "x"); }),
            path.string() + " cannot be written: No such file or directory");
  EXPECT_TRUE(folder.names().empty());
}

TEST(WriteFile, RefusesFoldersAndDevicesAndLeavesThemAsTheyWere) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "sub");
  EXPECT_NE(error_of([&] { write_file_atomically(folder / "sub", "x"); }), "");
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  EXPECT_NE(error_of([&] { write_file_atomically(folder / "pipe", "x"); }), "");
  EXPECT_EQ(folder.names(), (Names{"pipe", "sub"}));
  EXPECT_TRUE(std::filesystem::is_fifo(folder / "pipe"));
}

// The disk is full, as far as this process can tell: no file may grow beyond 1000 bytes.
TEST(WriteFile, KeepsTheOldFileAndNothingElseWhereTheDiskIsFull) {
  const TemporaryFolder folder;
  write_file_atomically(folder / "a", "old");
  rlimit old_limit{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &old_limit), 0);
  const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit limit = old_limit;
  limit.rlim_cur = 1000;
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &limit), 0);
  const std::string error =
      error_of([&] { write_file_atomically(folder / "a", std::string(5000, 'x')); });
  ::setrlimit(RLIMIT_FSIZE, &old_limit);
  std::signal(SIGXFSZ, old_handler);
  EXPECT_EQ(error, (folder / "a").string() + " cannot be written: File too large");
  EXPECT_EQ(read_file(folder / "a"), "old");
  EXPECT_EQ(folder.names(), Names{"a"});
}

TEST(WriteFile, ReadersSeeTheOldFileOrTheNewOneWhileManyWrite) {
  const TemporaryFolder folder;
  const auto path = folder / "a";
  write_file_atomically(path, std::string(50'000, 'a'));
  {
    std::vector<std::jthread> writers;
    for (const char c : {'b', 'c'}) {
      writers.emplace_back([&path, c] {
        for (int i = 0; i < 25; ++i) write_file_atomically(path, std::string(50'000, c));
      });
    }
    for (int i = 0; i < 50; ++i) {
      const std::string bytes = read_file(path);
      ASSERT_EQ(bytes.size(), 50'000u);
      ASSERT_EQ(bytes.find_first_not_of(bytes[0]), std::string::npos);
    }
  }
  EXPECT_EQ(folder.names(), Names{"a"});
}

TEST(File, HalfWrittenOnesOfProcessesThatAreGoneAreRemoved) {
  const TemporaryFolder folder;
  const std::string own = "a.tmp." + std::to_string(::getpid()) + ".0";
  // 4194304 is the largest number that Linux gives a process.
  for (const std::string name : {"a.tmp.4194305.0", "b.tmp.4194305.0", "a.tmp.x.0", own.c_str()}) {
    std::ofstream(folder / name) << "half";
  }
  remove_half_written(folder / "a");
  EXPECT_EQ(folder.names(), (Names{own, "a.tmp.x.0", "b.tmp.4194305.0"}));
}

TEST(WritableFolder, IsMadeWithItsParents) {
  const TemporaryFolder folder;
  require_writable_folder(folder / "a" / "b");
  EXPECT_TRUE(std::filesystem::is_directory(folder / "a" / "b"));
  require_writable_folder(folder / "a" / "b");
}

TEST(WritableFolder, RefusesAFileInItsPlaceOrOnTheWay) {
  const TemporaryFolder folder;
  write_file_atomically(folder / "a", "x");
  EXPECT_NE(error_of([&] { require_writable_folder(folder / "a"); }).find((folder / "a").string()),
            std::string::npos);
  EXPECT_NE(error_of([&] { require_writable_folder(folder / "a" / "b"); }), "");
  EXPECT_NE(error_of([&] { require_writable_folder(""); }), "");
}

TEST(WritableFolder, RefusesWhereNothingCanBeWritten) {
  EXPECT_NE(error_of([&] { require_writable_folder("/proc/none"); }).find("/proc/none"),
            std::string::npos);
  if (::geteuid() == 0) GTEST_SKIP() << "permissions do not bind the superuser";
  const TemporaryFolder folder;
  ::chmod(folder.path().c_str(), 0500);
  EXPECT_NE(error_of([&] { require_writable_folder(folder.path()); }), "");
  ::chmod(folder.path().c_str(), 0700);
}

}  // namespace
}  // namespace bandolier::file_test
