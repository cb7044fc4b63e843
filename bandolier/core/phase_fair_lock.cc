#include "bandolier/core/phase_fair_lock.h"

namespace bandolier {
namespace {

// readers_in_ counts readers above two bits: whether a writer is there, and which phase it is.
constexpr std::uint32_t kReader = 4, kWriter = 2, kPhase = 1, kWriterBits = kWriter | kPhase;

// Returns once done(value) holds.
template <class Done>
void wait_until(const std::atomic<std::uint32_t>& value, Done done) {
  for (auto seen = value.load(std::memory_order_acquire); !done(seen);
       seen = value.load(std::memory_order_acquire)) {
    value.wait(seen, std::memory_order_acquire);
  }
}

}  // namespace

void PhaseFairLock::lock_shared() {
  const std::uint32_t writer =
      readers_in_.fetch_add(kReader, std::memory_order_acquire) & kWriterBits;
  if (writer == 0) return;
  // The next writer has another phase, so that its arrival lets this reader in too.
  wait_until(readers_in_, [&](std::uint32_t now) { return (now & kWriterBits) != writer; });
}

void PhaseFairLock::unlock_shared() {
  readers_out_.fetch_add(kReader, std::memory_order_release);
  readers_out_.notify_one();
}

void PhaseFairLock::lock() {
  const std::uint32_t ticket = next_writer_.fetch_add(1, std::memory_order_relaxed);
  wait_until(writer_, [&](std::uint32_t now) { return now == ticket; });
  const std::uint32_t inside =
      readers_in_.fetch_add(kWriter | (ticket & kPhase), std::memory_order_acquire) & ~kWriterBits;
  wait_until(readers_out_, [&](std::uint32_t now) { return now == inside; });
}

void PhaseFairLock::unlock() {
  readers_in_.fetch_and(~kWriterBits, std::memory_order_release);
  readers_in_.notify_all();
  writer_.fetch_add(1, std::memory_order_release);
  writer_.notify_all();
}

}  // namespace bandolier
