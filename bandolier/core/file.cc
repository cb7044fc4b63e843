#include "bandolier/core/file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include "bandolier/core/error.h"

namespace bandolier {
namespace fs = std::filesystem;

std::string read_file(const fs::path& path) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) fail("{} is a folder: expected a file", path.string());
  std::ifstream in(path, std::ios::binary);
  if (!in) fail("{} cannot be read: {}", path.string(), std::strerror(errno));
  std::ostringstream bytes;
  bytes << in.rdbuf();
  if (in.bad()) fail("{} cannot be read to its end: {}", path.string(), std::strerror(errno));
  return std::move(bytes).str();
}

void write_file_atomically(const fs::path& path, std::string_view bytes) {
  const fs::path beside = path.string() + fmt::format(".tmp.{}", ::getpid());
  const int file = ::open(beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (file < 0) fail("{} cannot be written: {}", path.string(), std::strerror(errno));
  int error = 0;
  while (!bytes.empty() && error == 0) {
    const ssize_t count = ::write(file, bytes.data(), bytes.size());
    if (count >= 0) {
      bytes.remove_prefix(static_cast<std::size_t>(count));
    } else if (errno != EINTR) {
      error = errno;
    }
  }
  if (error == 0 && ::fsync(file) != 0) error = errno;
  if (::close(file) != 0 && error == 0) error = errno;
  if (error == 0 && ::rename(beside.c_str(), path.c_str()) != 0) error = errno;
  if (error != 0) {
    ::unlink(beside.c_str());
    fail("{} cannot be written: {}", path.string(), std::strerror(error));
  }
}

void require_writable_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) fail("folder {} cannot be made: {}", folder.string(), error.message());
  if (!fs::is_directory(folder)) fail("{} is not a folder", folder.string());
  if (::access(folder.c_str(), W_OK | X_OK) != 0) {
    fail("folder {} cannot be written to: {}", folder.string(), std::strerror(errno));
  }
}

}  // namespace bandolier
