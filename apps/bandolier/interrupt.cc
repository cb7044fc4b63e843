#include "interrupt.h"

#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstddef>

#include "console.h"

namespace bandolier {
namespace {

// All that the handler reads: lock-free, as a handler must have it.
std::atomic<bool> stop{false}, terminal{false};
std::atomic<const char*> said{""};
std::atomic<std::int64_t> done{0};
static_assert(std::atomic<bool>::is_always_lock_free);
static_assert(std::atomic<const char*>::is_always_lock_free);
static_assert(std::atomic<std::int64_t>::is_always_lock_free);

// A line put together in fixed memory: a handler may neither allocate nor format.
class Line {
 public:
  void add(char c) {
    if (size_ < sizeof text_) text_[size_++] = c;
  }
  void add(const char* text) {
    for (; *text != '\0'; ++text) add(*text);
  }
  void add_number(std::int64_t number) {
    if (number >= 10) add_number(number / 10);
    add(static_cast<char>('0' + number % 10));
  }
  // The rest of a line that cannot be written is nobody's loss.
  void write() const { static_cast<void>(!::write(STDERR_FILENO, text_, size_)); }

 private:
  char text_[512] = {};
  std::size_t size_ = 0;
};

extern "C" void handle_interrupt(int) {
  const int saved = errno;
  Line line;
  if (terminal) line.add("\r\033[K");  // where a progress bar may stand
  if (stop.exchange(true)) {
    line.write();
    ::_exit(130);
  }
  line.add("bandolier: ");
  for (const char* at = said; *at != '\0'; ++at) {
    if (*at == '#') {
      line.add_number(done);
    } else {
      line.add(*at);
    }
  }
  line.add('\n');
  line.write();
  errno = saved;
}

}  // namespace

const std::atomic<bool>& watch_for_interrupt(const char* message) {
  said = message;
  terminal = stderr_is_terminal();
  std::signal(SIGINT, handle_interrupt);
  std::signal(SIGTERM, handle_interrupt);
  return stop;
}

void count_done(std::int64_t count) { done = count; }

}  // namespace bandolier
