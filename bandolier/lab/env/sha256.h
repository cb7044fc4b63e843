// SHA-256 of data files, by what is in them: a plain file and its gzipped copy have the same.
#pragma once

#include <filesystem>
#include <string>

#include "bandolier/lab/env/input.h"

namespace bandolier {

// In lower-case hex. Reads the input to its end.
std::string sha256_of(Input& input);

// Throws Error unless the unpacked bytes have the sum `expected`.
void check_sha256(Input& input, const std::string& expected);
void check_sha256(const std::filesystem::path& path, const std::string& expected);

}  // namespace bandolier
