// A web server of a test's own on 127.0.0.1, which can fail in the ways that real ones do.
#pragma once

#include <atomic>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace bandolier::testing {

class HttpServer {
 public:
  struct Page {
    std::string body;
    bool ranges = true;      // honours Range: bytes=N-
    int cuts = 0;            // how many answers are cut ...
    std::size_t cut_at = 0;  // ... after this many bytes of the body
    int status = 200;
  };

  explicit HttpServer(std::map<std::string, Page> pages);  // by path: "/a.csv"
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  std::string url(const std::string& path) const;
  // Each request so far: "GET /a.csv" or "GET /a.csv from 100".
  std::vector<std::string> requests() const;

 private:
  void serve();
  void answer(int connection);

  std::map<std::string, Page> pages_;
  int socket_ = -1;
  int port_ = 0;
  mutable std::mutex mutex_;
  std::vector<std::string> requests_;
  std::atomic<bool> stop_ = false;
  std::thread thread_;
};

}  // namespace bandolier::testing
