// Whole files: read at once, written beside and renamed, so that a reader sees the old file or the
// new one and a crash leaves nothing half-written.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace bandolier {

// Throws Error if the file is missing, a folder or a device, or cannot be read.
std::string read_file(const std::filesystem::path& path);

// The first `count` bytes, or all where there are fewer. Throws Error, without waiting, if it is
// not a regular file: a folder, a device, a pipe.
std::string read_start(const std::filesystem::path& path, std::size_t count);

// The whole text to an open file descriptor. Returns the error number, or 0.
int write_all(int file, std::string_view bytes);

// Writes a file beside PATH (PATH.tmp.PID.N), syncs it, renames it to PATH and syncs the folder; on
// failure removes it and throws Error. PATH must be new or a regular file. Threads may write the
// same path: the last rename wins.
void write_file_atomically(const std::filesystem::path& path, std::string_view bytes);

// Removes what write_file_atomically(path) had begun in processes that are gone.
void remove_half_written(const std::filesystem::path& path);

// Creates the folder and its parents if need be. Throws Error, naming the folder, where that fails
// or it is not writable.
void require_writable_folder(const std::filesystem::path& folder);

}  // namespace bandolier
