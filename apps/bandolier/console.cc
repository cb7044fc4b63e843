#include "console.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "bandolier/core/error.h"

namespace bandolier {
namespace {

// The whole text to a file descriptor; the error number, or 0.
int write_all(int file, std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(file, text.data(), text.size());
    if (count >= 0) {
      text.remove_prefix(static_cast<std::size_t>(count));
    } else if (errno != EINTR) {
      return errno;
    }
  }
  return 0;
}

}  // namespace

void print_result(std::string_view text) {
  const int error = write_all(STDOUT_FILENO, text);
  if (error == EPIPE) throw ClosedPipe{};
  if (error != 0) fail("standard output cannot be written: {}", std::strerror(error));
}

void print_notice(std::string_view message) {
  write_all(STDERR_FILENO, fmt::format("bandolier: {}\n", message));
}

void print_raw_notice(std::string_view text) { write_all(STDERR_FILENO, text); }

bool stderr_is_terminal() {
  const char* term = std::getenv("TERM");
  return ::isatty(STDERR_FILENO) == 1 && (term == nullptr || std::strcmp(term, "dumb") != 0);
}

bool colour_allowed() {
  const char* no_colour = std::getenv("NO_COLOR");
  return stderr_is_terminal() && (no_colour == nullptr || *no_colour == '\0');
}

int terminal_width() {
  winsize size{};
  if (::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
  return 80;
}

}  // namespace bandolier
