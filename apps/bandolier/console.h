// Standard output and error as the subcommands use them: results to stdout, everything else to
// stderr; a reader that has gone away is no error.
#pragma once

#include <string>
#include <string_view>

namespace bandolier {

// Keeps the numbers of standard input, output and error from files that are opened later, where the
// program was started without one of them: writing to it fails, and damages nothing.
void hold_standard_files();

// The reader of stdout closed its end: the program ends quietly with success.
struct ClosedPipe {};

// Writes to stdout at once. Throws ClosedPipe, or Error where the text cannot be written (disk
// full).
void print_result(std::string_view text);

// One line on stderr: "bandolier: MESSAGE". Never throws.
void print_notice(std::string_view message);

// Raw text to stderr, for a progress bar. Never throws.
void print_raw_notice(std::string_view text);

bool stderr_is_terminal();  // and not a dumb one
bool colour_allowed();      // it is, and NO_COLOR is unset or empty
int terminal_width();       // of stderr; 80 where unknown

}  // namespace bandolier
