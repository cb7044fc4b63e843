// A file of text that appears when it is finished: until then it is PATH.part, which is removed
// where it never is. Gzipped where the name ends in .gz.
#pragma once

#include <zlib.h>

#include <filesystem>
#include <string>
#include <string_view>

namespace bandolier {

class LogFile {
 public:
  // Throws Error where the file cannot be made, and later where it cannot be written.
  explicit LogFile(std::filesystem::path path);
  ~LogFile();
  LogFile(const LogFile&) = delete;
  LogFile& operator=(const LogFile&) = delete;

  // What is appended to it will be written, now or later.
  std::string& text() { return text_; }
  void written();  // after each append
  void finish();

 private:
  [[noreturn]] void refuse(const std::filesystem::path& path) const;
  void flush();
  void close();

  std::filesystem::path path_, part_;
  int file_ = -1;  // the same as in gzip_, to be synced
  gzFile gzip_ = nullptr;
  std::string text_;
};

}  // namespace bandolier
