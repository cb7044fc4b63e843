#include "bandolier/lab/env/download.h"

#include <curl/curl.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

#include "bandolier/core/file.h"
#include "bandolier/lab/env/input.h"
#include "bandolier/lab/env/lzw.h"
#include "bandolier/lab/env/sha256.h"

namespace bandolier {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kMostUnpacked = std::size_t{1} << 30;  // of a .Z file, held in memory

// TARGET.part, open for appending and locked against a second download.
class PartFile {
 public:
  explicit PartFile(fs::path path) : path_(std::move(path)) {
    file_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (file_ < 0) fail("{} cannot be written: {}", path_.string(), std::strerror(errno));
    if (::flock(file_, LOCK_EX | LOCK_NB) != 0) {
      ::close(file_);
      fail("{} is being written by another download: wait for it to end", path_.string());
    }
  }
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;
  ~PartFile() { ::close(file_); }

  const fs::path& path() const { return path_; }

  std::int64_t size() const {
    struct stat status {};
    ::fstat(file_, &status);
    return status.st_size;
  }

  void empty() {
    if (::ftruncate(file_, 0) != 0) refuse(errno);
  }

  // False, with the reason kept, where the disk takes no more.
  bool append(const char* data, std::size_t count) {
    error_ = write_all(file_, {data, count});
    return error_ == 0;
  }

  int error() const { return error_; }
  void sync() {
    if (::fsync(file_) != 0) refuse(errno);
  }
  void remove() { ::unlink(path_.c_str()); }
  [[noreturn]] void refuse(int error) {
    remove();
    fail("{} cannot be written: {}; free some space, or set BANDOLIER_DATA to another folder",
         path_.string(), std::strerror(error));
  }

 private:
  fs::path path_;
  int file_ = -1;
  int error_ = 0;
};

// What one transfer needs to see.
struct Transfer {
  PartFile& part;
  const DownloadOptions& options;
  std::int64_t resumed_at = 0;
  bool stopped = false;
};

std::size_t on_data(char* data, std::size_t size, std::size_t count, void* user) {
  auto& transfer = *static_cast<Transfer*>(user);
  return transfer.part.append(data, size * count) ? size * count : 0;
}

int on_progress(void* user, curl_off_t total, curl_off_t done, curl_off_t, curl_off_t) {
  auto& transfer = *static_cast<Transfer*>(user);
  if (!transfer.options.progress) return 0;
  const std::int64_t all = total > 0 ? total + transfer.resumed_at : 0;
  transfer.stopped = !transfer.options.progress(done + transfer.resumed_at, all);
  return transfer.stopped ? 1 : 0;
}

struct Answer {
  CURLcode code = CURLE_OK;
  long status = 0;  // HTTP's
  std::string text;
};

// One request, from where the part file ends.
Answer transfer_once(const std::string& url, Transfer& transfer) {
  static const CURLcode started = curl_global_init(CURL_GLOBAL_DEFAULT);
  const std::unique_ptr<CURL, decltype(&curl_easy_cleanup)> curl(curl_easy_init(),
                                                                 curl_easy_cleanup);
  if (started != CURLE_OK || !curl) fail("libcurl cannot start: {}", curl_easy_strerror(started));
  char message[CURL_ERROR_SIZE] = "";
  transfer.resumed_at = transfer.part.size();
  const bool secure = url.starts_with("https:");
  const auto set = [&](CURLoption option, auto value) {
    curl_easy_setopt(curl.get(), option, value);
  };
  set(CURLOPT_URL, url.c_str());
  set(CURLOPT_USERAGENT, "bandolier");
  set(CURLOPT_PROTOCOLS_STR, "http,https,file");
  set(CURLOPT_REDIR_PROTOCOLS_STR, secure ? "https" : "http,https");
  set(CURLOPT_FOLLOWLOCATION, 1L);
  set(CURLOPT_MAXREDIRS, 8L);
  set(CURLOPT_FAILONERROR, 1L);
  set(CURLOPT_NOSIGNAL, 1L);
  set(CURLOPT_CONNECTTIMEOUT, 30L);
  set(CURLOPT_LOW_SPEED_LIMIT, 1L);  // bytes per second, for a minute: the line is dead
  set(CURLOPT_LOW_SPEED_TIME, 60L);
  set(CURLOPT_RESUME_FROM_LARGE, static_cast<curl_off_t>(transfer.resumed_at));
  set(CURLOPT_WRITEFUNCTION, &on_data);
  set(CURLOPT_WRITEDATA, static_cast<void*>(&transfer));
  set(CURLOPT_NOPROGRESS, 0L);
  set(CURLOPT_XFERINFOFUNCTION, &on_progress);
  set(CURLOPT_XFERINFODATA, static_cast<void*>(&transfer));
  set(CURLOPT_ERRORBUFFER, message);
  Answer answer;
  answer.code = curl_easy_perform(curl.get());
  answer.text = message[0] != '\0' ? message : curl_easy_strerror(answer.code);
  curl_easy_getinfo(curl.get(), CURLINFO_RESPONSE_CODE, &answer.status);
  return answer;
}

// Whether trying again can help.
bool passing(const Answer& answer) {
  switch (answer.code) {
    case CURLE_PARTIAL_FILE:
    case CURLE_RECV_ERROR:
    case CURLE_SEND_ERROR:
    case CURLE_GOT_NOTHING:
    case CURLE_OPERATION_TIMEDOUT:
    case CURLE_COULDNT_CONNECT:
    case CURLE_HTTP2:
    case CURLE_HTTP2_STREAM:
      return true;
    case CURLE_HTTP_RETURNED_ERROR:
      return answer.status == 429 || answer.status >= 500;
    default:
      return false;
  }
}

// Whether the whole can be checked, so that a part of unknown age may be carried on.
bool resumable(const Download& what) {
  return !what.sha256.empty() || what.packing == Packing::kGzip;
}

// After a cut or a stop the part stays if the next download can carry on from it.
[[noreturn]] void give_up(const Download& what, PartFile& part, const std::string& why) {
  if (!resumable(what) || part.size() == 0) {
    part.remove();
    fail("{}", why);
  }
  fail("{}: the next download carries on from {}", why, part.path().string());
}

void transfer_all(const Download& what, const DownloadOptions& options, PartFile& part) {
  Transfer transfer{part, options};
  auto wait = options.first_wait;
  for (int attempt = 1;;) {
    const Answer answer = transfer_once(what.url, transfer);
    if (answer.code == CURLE_OK) return;
    if (transfer.stopped) {
      give_up(what, part, fmt::format("the download of {} was stopped", what.url));
    }
    if (part.error() != 0) part.refuse(part.error());
    const bool no_ranges = answer.code == CURLE_RANGE_ERROR || answer.status == 416;
    if (no_ranges && transfer.resumed_at > 0) {
      part.empty();
      continue;
    }
    if (passing(answer) && attempt < options.attempts) {
      std::this_thread::sleep_for(wait);
      wait *= 2;
      ++attempt;
      continue;
    }
    if (passing(answer)) {
      give_up(what, part,
              fmt::format("{} failed after {} bytes and {} attempts ({})", what.url, part.size(),
                          attempt, answer.text));
    }
    part.remove();
    if (answer.status == 404 || answer.code == CURLE_FILE_COULDNT_READ_FILE) {
      throw NotFound(
          fmt::format("{} has no such file (404): expected it there; if it has moved, set "
                      "BANDOLIER_MIRROR to the address of a copy",
                      what.url));
    }
    fail("{} cannot be fetched: {}", what.url, answer.text);
  }
}

void check_gzip(const fs::path& path) {
  char magic[2] = {};
  if (FILE* file = std::fopen(path.c_str(), "rb")) {
    const std::size_t count = std::fread(magic, 1, 2, file);
    std::fclose(file);
    if (count == 2 && magic[0] == '\x1f' && magic[1] == '\x8b') {
      const auto input = open_input(path);
      std::vector<char> buffer(std::size_t{1} << 18);
      while (input->read(buffer) == buffer.size()) {
      }
      return;
    }
  }
  fail("{} is no gzip file: expected one", path.string());
}

// Unpacks what is stored unpacked and checks what can be; returns what is wrong, or nothing.
std::string problem_with(const Download& what, PartFile& part) {
  std::string text;
  try {
    if (what.packing == Packing::kGzip) check_gzip(part.path());
    if (what.packing == Packing::kCompress) {
      text = unpack_lzw(read_file(part.path()), part.path().string(), kMostUnpacked);
      const auto unpacked = text_input(text, what.target.string());
      if (!what.sha256.empty()) check_sha256(*unpacked, what.sha256);
    } else if (!what.sha256.empty()) {
      check_sha256(*open_input(part.path()), what.sha256);
    }
  } catch (const Error& error) {
    return error.what();
  }
  if (what.packing == Packing::kCompress) {
    part.empty();
    if (!part.append(text.data(), text.size())) part.refuse(part.error());
  }
  part.sync();
  return {};
}

}  // namespace

void download(const Download& what, const DownloadOptions& options) {
  require_writable_folder(what.target.parent_path());
  PartFile part(what.target.string() + ".part");
  if (!resumable(what)) part.empty();
  const bool resumed = part.size() > 0;
  transfer_all(what, options, part);
  std::string problem = problem_with(what, part);
  if (!problem.empty() && resumed) {  // the part was of another edition, or damaged
    part.empty();
    transfer_all(what, options, part);
    problem = problem_with(what, part);
  }
  if (!problem.empty()) {
    part.remove();
    fail("what {} sent is not the file, and was removed: {}", what.url, problem);
  }
  if (::rename(part.path().c_str(), what.target.c_str()) != 0) part.refuse(errno);
}

}  // namespace bandolier
