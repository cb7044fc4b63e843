#include "bandolier/lab/env/test_http_server.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <stdexcept>

namespace bandolier::testing {

HttpServer::HttpServer(std::map<std::string, Page> pages) : pages_(std::move(pages)) {
  socket_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  auto* const generic = reinterpret_cast<sockaddr*>(&address);
  if (::bind(socket_, generic, size) != 0 || ::listen(socket_, 8) != 0 ||
      ::getsockname(socket_, generic, &size) != 0) {
    ::close(socket_);
    throw std::runtime_error("no port on 127.0.0.1");
  }
  port_ = ntohs(address.sin_port);
  thread_ = std::thread([this] { serve(); });
}

HttpServer::~HttpServer() {
  stop_ = true;
  thread_.join();
  ::close(socket_);
}

std::string HttpServer::url(const std::string& path) const {
  return fmt::format("http://127.0.0.1:{}{}", port_, path);
}

std::vector<std::string> HttpServer::requests() const {
  const std::lock_guard lock(mutex_);
  return requests_;
}

void HttpServer::serve() {
  while (!stop_) {
    pollfd waiting{socket_, POLLIN, 0};
    if (::poll(&waiting, 1, 20) <= 0) continue;
    const int connection = ::accept(socket_, nullptr, nullptr);
    if (connection < 0) continue;
    answer(connection);
    ::close(connection);
  }
}

void HttpServer::answer(int connection) {
  std::string request;
  char buffer[4096];
  while (request.find("\r\n\r\n") == std::string::npos) {
    const ssize_t count = ::recv(connection, buffer, sizeof buffer, 0);
    if (count <= 0) return;
    request.append(buffer, static_cast<std::size_t>(count));
  }
  const std::string path = request.substr(4, request.find(' ', 4) - 4);
  std::size_t from = 0;
  if (const auto range = request.find("Range: bytes="); range != std::string::npos) {
    from = std::stoul(request.substr(range + 13));
  }
  {
    const std::lock_guard lock(mutex_);
    requests_.push_back("GET " + path + (from > 0 ? fmt::format(" from {}", from) : ""));
  }
  const auto send = [&](std::string_view text) {
    while (!text.empty()) {
      const ssize_t count = ::send(connection, text.data(), text.size(), MSG_NOSIGNAL);
      if (count <= 0) return;
      text.remove_prefix(static_cast<std::size_t>(count));
    }
  };
  const auto found = pages_.find(path);
  if (found == pages_.end() || found->second.status != 200) {
    const int status = found == pages_.end() ? 404 : found->second.status;
    send(fmt::format("HTTP/1.1 {} No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n", status));
    return;
  }
  Page& page = found->second;
  if (!page.ranges) from = 0;
  if (from > page.body.size() || (from > 0 && from == page.body.size())) {
    send("HTTP/1.1 416 Range\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    return;
  }
  std::string_view body = std::string_view(page.body).substr(from);
  std::string head = from > 0
                         ? fmt::format("HTTP/1.1 206 Part\r\nContent-Range: bytes {}-{}/{}\r\n",
                                       from, page.body.size() - 1, page.body.size())
                         : "HTTP/1.1 200 OK\r\n";
  head += fmt::format("Content-Length: {}\r\nConnection: close\r\n\r\n", body.size());
  send(head);
  if (page.cuts > 0) {
    --page.cuts;
    body = body.substr(0, page.cut_at);
  }
  send(body);
}

}  // namespace bandolier::testing
