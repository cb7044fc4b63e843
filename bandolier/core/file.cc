#include "bandolier/core/file.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>

#include "bandolier/core/error.h"
#include "bandolier/core/text.h"

namespace bandolier {
namespace fs = std::filesystem;
namespace {

// Makes a rename in the folder last through a power cut, where the file system can.
void sync_folder(const fs::path& folder) {
  const int file =
      ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (file < 0) return;
  ::fsync(file);
  ::close(file);
}

}  // namespace

std::string read_file(const fs::path& path) {
  std::error_code ignored;
  if (fs::is_character_file(path, ignored)) {  // it may have no end
    fail("{} is a device: expected a file", path.string());
  }
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) fail("{} cannot be read: {}", path.string(), std::strerror(errno));
  std::string bytes;
  std::size_t size = 0;
  int error = 0;
  for (;;) {
    if (size == bytes.size()) bytes.resize(std::max<std::size_t>(2 * size, 1 << 16));
    const ssize_t count = ::read(file, bytes.data() + size, bytes.size() - size);
    if (count > 0) {
      size += static_cast<std::size_t>(count);
    } else if (count == 0 || errno != EINTR) {
      error = count == 0 ? 0 : errno;
      break;
    }
  }
  ::close(file);
  if (error == EISDIR) fail("{} is a folder: expected a file", path.string());
  if (error != 0) fail("{} cannot be read: {}", path.string(), std::strerror(error));
  bytes.resize(size);
  return bytes;
}

std::string read_start(const fs::path& path, std::size_t count) {
  // O_NONBLOCK: a pipe that nobody writes to is opened at once.
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) fail("{} cannot be read: {}", path.string(), std::strerror(errno));
  struct stat status {};
  std::string bytes(count, '\0');
  ssize_t size = ::fstat(file, &status);
  if (size == 0 && S_ISREG(status.st_mode)) size = ::pread(file, bytes.data(), count, 0);
  const int error = errno;
  ::close(file);
  if (size < 0) fail("{} cannot be read: {}", path.string(), std::strerror(error));
  if (S_ISDIR(status.st_mode)) fail("{} is a folder: expected a file", path.string());
  if (!S_ISREG(status.st_mode)) fail("{} is a device or a pipe: expected a file", path.string());
  bytes.resize(static_cast<std::size_t>(size));
  return bytes;
}

int write_all(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(file, bytes.data(), bytes.size());
    if (count >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(count));
    } else if (errno != EINTR) {
      return errno;
    }
  }
  return 0;
}

void write_file_atomically(const fs::path& path, std::string_view bytes) {
  static std::atomic<unsigned> counter{0};
  std::error_code ignored;
  if (fs::exists(path, ignored) && !fs::is_regular_file(path, ignored)) {
    fail("{} is not a regular file: expected a new or an ordinary file", path.string());
  }
  const std::string beside = fmt::format("{}.tmp.{}.{}", path.string(), ::getpid(), counter++);
  const int file = ::open(beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (file < 0) fail("{} cannot be written: {}", path.string(), std::strerror(errno));
  int error = write_all(file, bytes);
  if (error == 0 && ::fsync(file) != 0) error = errno;
  if (::close(file) != 0 && error == 0) error = errno;
  if (error == 0 && ::rename(beside.c_str(), path.c_str()) != 0) error = errno;
  if (error != 0) {
    ::unlink(beside.c_str());
    fail("{} cannot be written: {}", path.string(), std::strerror(error));
  }
  sync_folder(path.parent_path());
}

void remove_half_written(const fs::path& path) {
  const std::string beginning = path.filename().string() + ".tmp.";
  const fs::path folder = path.parent_path();
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder.empty() ? "." : folder, ignored)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(beginning)) continue;
    const auto process =
        parse_integer(name.substr(beginning.size(), name.rfind('.') - beginning.size()));
    if (!process || *process <= 0) continue;
    const bool alive = ::kill(static_cast<pid_t>(*process), 0) == 0 || errno != ESRCH;
    if (!alive) fs::remove(entry.path(), ignored);
  }
}

void require_writable_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) fail("folder {} cannot be made: {}", folder.string(), error.message());
  if (!fs::is_directory(folder, error)) fail("{} is not a folder", folder.string());
  if (::access(folder.c_str(), W_OK | X_OK) != 0) {
    fail("folder {} cannot be written to: {}", folder.string(), std::strerror(errno));
  }
}

}  // namespace bandolier
