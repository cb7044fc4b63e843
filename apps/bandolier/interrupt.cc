#include "interrupt.h"

#include <csignal>

namespace bandolier {
namespace {

std::atomic<bool> stop{false};
static_assert(std::atomic<bool>::is_always_lock_free);

extern "C" void handle_stop(int signal) {
  stop = true;
  std::signal(signal, SIG_DFL);
}

}  // namespace

const std::atomic<bool>& stop_requested() {
  static const bool installed = [] {
    std::signal(SIGINT, handle_stop);
    std::signal(SIGTERM, handle_stop);
    return true;
  }();
  static_cast<void>(installed);
  return stop;
}

}  // namespace bandolier
