#include "bandolier/lab/env/input.h"

#include <poll.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <vector>

#include "bandolier/core/error.h"
#include "bandolier/core/stop.h"

namespace bandolier {
namespace {

constexpr const char* kStandardInput = "standard input";

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

// An unnamed temporary file with all that `read` gives, at its beginning.
template <class Read>
File spooled(Read read) {
  File file(std::tmpfile(), std::fclose);
  std::vector<char> buffer(std::size_t{1} << 16);
  for (std::size_t count; file != nullptr && (count = read(buffer)) > 0;) {
    if (std::fwrite(buffer.data(), 1, count, file.get()) < count) file = nullptr;
  }
  if (file == nullptr || std::fflush(file.get()) != 0) {
    fail("{} cannot be kept in a temporary file: {}; free some space", kStandardInput,
         std::strerror(errno));
  }
  std::rewind(file.get());
  return file;
}

// A file of its own, so that each input has its own position.
File copy_of_standard_input() {
  static const File whole = spooled(
      [](std::vector<char>& buffer) { return std::fread(buffer.data(), 1, buffer.size(), stdin); });
  return spooled([at = off_t{0}](std::vector<char>& buffer) mutable {
    const ssize_t count = ::pread(fileno(whole.get()), buffer.data(), buffer.size(), at);
    at += std::max<ssize_t>(count, 0);
    return static_cast<std::size_t>(std::max<ssize_t>(count, 0));
  });
}

class FileInput final : public Input {
 public:
  explicit FileInput(const std::filesystem::path& path) : name_(path.string()) {
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored))
      fail("{} is a folder: expected a file", name_);
    errno = 0;
    if (path == "-") {
      name_ = kStandardInput;
      file_ = gzdopen(::dup(fileno(copy_of_standard_input().get())), "rbe");
    } else {
      file_ = gzopen(path.c_str(), "rbe");
    }
    if (file_ == nullptr) {
      fail("{} cannot be read: {}", name_, std::strerror(errno != 0 ? errno : ENOMEM));
    }
    gzbuffer(file_, 1 << 17);
  }
  FileInput(const FileInput&) = delete;
  FileInput& operator=(const FileInput&) = delete;
  ~FileInput() override { gzclose(file_); }

  const std::string& name() const override { return name_; }

  std::size_t read(std::span<char> out) override {
    throw_if_stopped();
    std::size_t done = 0;
    while (done < out.size()) {
      const auto most = static_cast<unsigned>(std::min<std::size_t>(out.size() - done, 1u << 30));
      const int count = gzread(file_, out.data() + done, most);
      if (count <= 0) {
        check_end();
        break;
      }
      done += static_cast<std::size_t>(count);
    }
    return done;
  }

  void rewind() override {
    if (gzrewind(file_) != 0) fail("{} cannot be read a second time: expected a file", name_);
  }

 private:
  void check_end() {
    int error = Z_OK;
    const char* message = gzerror(file_, &error);
    if (error == Z_BUF_ERROR) {
      fail(
          "{} is cut: its gzip stream ends at byte {} of the unpacked text; fetch or copy it again",
          name_, gztell(file_));
    }
    if (error == Z_ERRNO) fail("{} cannot be read: {}", name_, std::strerror(errno));
    if (error != Z_OK && error != Z_STREAM_END) {
      fail("{} is damaged: its gzip stream breaks at byte {} of the unpacked text ({})", name_,
           gztell(file_), message);
    }
  }

  std::string name_;
  gzFile file_ = nullptr;
};

class StreamInput final : public Input {
 public:
  StreamInput(int descriptor, std::string name) : descriptor_(descriptor), name_(std::move(name)) {}

  const std::string& name() const override { return name_; }

  std::size_t read(std::span<char> out) override {
    for (;;) {
      throw_if_stopped();
      // Unlike read(2), poll(2) is never taken up again after a signal.
      pollfd ready{descriptor_, POLLIN, 0};
      if (::poll(&ready, 1, -1) < 0) {
        if (errno == EINTR) continue;
        broken();
      }
      const ssize_t count = ::read(descriptor_, out.data(), out.size());
      if (count >= 0) return static_cast<std::size_t>(count);
      if (errno != EINTR && errno != EAGAIN) broken();
    }
  }

  void rewind() override { fail("{} cannot be read a second time: expected a file", name_); }

 private:
  [[noreturn]] void broken() const { fail("{} cannot be read: {}", name_, std::strerror(errno)); }

  int descriptor_;
  std::string name_;
};

class TextInput final : public Input {
 public:
  TextInput(std::string text, std::string name) : text_(std::move(text)), name_(std::move(name)) {}

  const std::string& name() const override { return name_; }

  std::size_t read(std::span<char> out) override {
    const std::size_t count = text_.copy(out.data(), out.size(), position_);
    position_ += count;
    return count;
  }

  void rewind() override { position_ = 0; }

 private:
  std::string text_, name_;
  std::size_t position_ = 0;
};

}  // namespace

std::unique_ptr<Input> open_input(const std::filesystem::path& path) {
  return std::make_unique<FileInput>(path);
}

std::unique_ptr<Input> stream_input(int descriptor, std::string name) {
  return std::make_unique<StreamInput>(descriptor, std::move(name));
}

std::unique_ptr<Input> text_input(std::string text, std::string name) {
  return std::make_unique<TextInput>(std::move(text), std::move(name));
}

}  // namespace bandolier
