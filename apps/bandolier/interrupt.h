// Ctrl-C and SIGTERM as a flag: the first asks the run to stop, the second ends the program.
#pragma once

#include <atomic>

namespace bandolier {

// Becomes true once the user asks to stop. Installs the handlers on the first call.
const std::atomic<bool>& stop_requested();

}  // namespace bandolier
