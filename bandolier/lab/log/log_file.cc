#include "bandolier/lab/log/log_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "bandolier/core/error.h"

namespace bandolier {
namespace {

constexpr std::size_t kBuffer = std::size_t{1} << 16;

}  // namespace

LogFile::LogFile(std::filesystem::path path)
    : path_(std::move(path)), part_(path_.string() + ".part") {
  file_ = ::open(part_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file_ < 0) refuse(part_);
  // T: as it is, without gzip.
  gzip_ = gzdopen(::dup(file_), path_.extension() == ".gz" ? "wb6" : "wbT");
  if (gzip_ == nullptr) refuse(part_);
  gzbuffer(gzip_, 2 * kBuffer);
}

LogFile::~LogFile() {
  if (file_ < 0) return;
  close();
  std::error_code ignored;
  std::filesystem::remove(part_, ignored);
}

void LogFile::close() {
  if (gzip_ != nullptr) gzclose(gzip_);
  ::close(file_);
  gzip_ = nullptr;
  file_ = -1;
}

void LogFile::refuse(const std::filesystem::path& path) const {
  fail("log {} cannot be written: {}", path.string(), std::strerror(errno));
}

void LogFile::written() {
  if (text_.size() >= kBuffer) flush();
}

void LogFile::flush() {
  if (!text_.empty() && gzfwrite(text_.data(), text_.size(), 1, gzip_) != 1) refuse(part_);
  text_.clear();
}

void LogFile::finish() {
  flush();
  const int closed = gzclose(gzip_);
  gzip_ = nullptr;
  if (closed != Z_OK || ::fsync(file_) != 0) refuse(part_);
  if (std::rename(part_.c_str(), path_.c_str()) != 0) refuse(path_);
  close();
}

}  // namespace bandolier
