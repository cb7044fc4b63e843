// Ctrl-C and SIGTERM: the first asks the work to stop and says at once what will happen, the second
// ends the program with exit code 130.
#pragma once

#include <atomic>
#include <cstdint>

namespace bandolier {

// From now on the first signal sets the flag that is returned, and says `message` on stderr: a
// literal, in which # becomes the number that count_done was last told. Before the first call a
// signal ends the program, as the system has it.
const std::atomic<bool>& watch_for_interrupt(const char* message);

void count_done(std::int64_t count);

}  // namespace bandolier
