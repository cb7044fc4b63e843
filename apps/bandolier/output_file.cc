#include "output_file.h"

#include <fmt/format.h>

#include "commands.h"

namespace bandolier {

void require_new_file(const std::string& what, const std::filesystem::path& file, bool force) {
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored)) {
    throw UsageError(fmt::format("{} {} is a folder: expected a file", what, file.string()));
  }
  if (std::filesystem::exists(file, ignored) && !force) {
    throw UsageError(
        fmt::format("{} {} is there already: give another name, or --force to replace it", what,
                    file.string()));
  }
  const auto folder = file.has_parent_path() ? file.parent_path() : ".";
  if (!std::filesystem::is_directory(folder, ignored)) {
    throw UsageError(
        fmt::format("{} {}: there is no folder {}", what, file.string(), folder.string()));
  }
}

}  // namespace bandolier
