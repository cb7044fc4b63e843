#include "console.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "bandolier/core/error.h"
#include "bandolier/core/file.h"
#include "bandolier/core/text.h"

namespace bandolier {
namespace {

// Whatever a name or a library put into a message, it stays one line that a terminal can show.
std::string one_line(std::string_view text) {
  std::string line;
  for (const char c : trim(text)) {
    if (c == '\n' || c == '\t') {
      line += ' ';
    } else if (static_cast<unsigned char>(c) >= ' ' && c != '\x7f') {
      line += c;
    }
  }
  return line;
}

}  // namespace

void hold_standard_files() {
  for (const int file : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(file, F_GETFD) != -1) continue;
    // The lowest free number is this one. Opened the wrong way round, so that no use succeeds.
    static_cast<void>(::open("/dev/null", file == STDIN_FILENO ? O_WRONLY : O_RDONLY));
  }
}

void print_result(std::string_view text) {
  const int error = write_all(STDOUT_FILENO, text);
  if (error == EPIPE) throw ClosedPipe{};
  if (error != 0) fail("standard output cannot be written: {}", std::strerror(error));
}

void print_notice(std::string_view message) {
  write_all(STDERR_FILENO, fmt::format("bandolier: {}\n", one_line(message)));
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
