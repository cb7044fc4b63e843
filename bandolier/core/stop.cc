#include "bandolier/core/stop.h"

#include <utility>

namespace bandolier {
namespace {

thread_local const std::atomic<bool>* current = nullptr;

}  // namespace

StopScope::StopScope(const std::atomic<bool>* stop) : outer_(std::exchange(current, stop)) {}
StopScope::~StopScope() { current = outer_; }

const std::atomic<bool>* current_stop() { return current; }

bool stop_requested() { return current != nullptr && current->load(std::memory_order_relaxed); }

void throw_if_stopped() {
  if (stop_requested()) throw Stopped{};
}

}  // namespace bandolier
