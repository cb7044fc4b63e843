// A file that a subcommand is asked to write.
#pragma once

#include <filesystem>
#include <string>

namespace bandolier {

// Throws UsageError where it is a folder, is in none, or is there already and may not be replaced.
// `what` is the option: "--save".
void require_new_file(const std::string& what, const std::filesystem::path& file, bool force);

}  // namespace bandolier
