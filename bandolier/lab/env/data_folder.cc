#include "bandolier/lab/env/data_folder.h"

#include <cstdlib>

#include "bandolier/core/error.h"

namespace bandolier {
namespace fs = std::filesystem;

fs::path data_folder() {
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return std::string(value == nullptr ? "" : value);
  };
  if (const auto folder = variable("BANDOLIER_DATA"); !folder.empty()) return folder;
  if (const auto cache = variable("XDG_CACHE_HOME"); !cache.empty()) {
    return fs::path(cache) / "bandolier";
  }
  if (const auto home = variable("HOME"); !home.empty()) {
    return fs::path(home) / ".cache" / "bandolier";
  }
  fail(
      "no data folder: neither BANDOLIER_DATA, XDG_CACHE_HOME nor HOME is set; set BANDOLIER_DATA "
      "to a folder");
}

fs::path find_plain_or_gzipped(const fs::path& folder, const std::string& file) {
  std::error_code ignored;
  const fs::path plain = folder / file;
  if (fs::exists(plain, ignored)) return plain;
  const fs::path gzipped = plain.string() + ".gz";
  if (fs::exists(gzipped, ignored)) return gzipped;
  return {};
}

fs::path require_data_file(const std::string& data_set, const std::string& file) {
  fs::path found = find_plain_or_gzipped(data_folder(), file);
  if (found.empty()) {
    fail(
        "{} is missing (plain or .gz): `bandolier data get {}` brings it, or set BANDOLIER_DATA to "
        "the folder that holds {}",
        (data_folder() / file).string(), data_set, file);
  }
  return found;
}

}  // namespace bandolier
