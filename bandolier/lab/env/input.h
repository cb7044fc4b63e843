// Bytes of a file, plain or gzipped, in one pass with little memory; as they come through a pipe;
// and of a text in memory, for tests and fuzzing.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <string>

namespace bandolier {

class Input {
 public:
  virtual ~Input() = default;

  // What errors call it: the path.
  virtual const std::string& name() const = 0;

  // Fills as much of `out` as is at hand, at least one byte; 0 at the end.
  virtual std::size_t read(std::span<char> out) = 0;

  // Starts again from the beginning.
  virtual void rewind() = 0;
};

// The file, or standard input where the path is `-`. Since tables are read twice, and a run may
// make its environments more than once, standard input is copied to an unnamed temporary file when
// it is first opened; every input of it reads all of it. Throws Error where the file is missing, a
// folder or unreadable; read() throws where a gzipped file is cut or damaged, and looks whether to
// stop (core/stop.h).
std::unique_ptr<Input> open_input(const std::filesystem::path& path);

// What comes through an open file, which stays its owner's: read() waits, and gives what is there.
// A signal ends the wait where it asks to stop (core/stop.h). It has no second pass.
std::unique_ptr<Input> stream_input(int descriptor, std::string name);

std::unique_ptr<Input> text_input(std::string text, std::string name);

}  // namespace bandolier
