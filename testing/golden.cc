#include "testing/golden.h"

#include <zlib.h>

#include <cstdlib>

namespace bandolier::testing {

std::filesystem::path golden_folder() {
  if (const char* folder = std::getenv("BANDOLIER_GOLDEN")) return folder;
  return std::filesystem::path(BANDOLIER_SOURCE_DIR) / ".." / "shared" / "golden";
}

std::optional<nlohmann::json> golden(const std::string& name) {
  gzFile file = gzopen((golden_folder() / (name + ".json.gz")).c_str(), "rb");
  if (file == nullptr) return std::nullopt;
  std::string text;
  char buffer[1 << 16];
  for (int count = 0; (count = gzread(file, buffer, sizeof buffer)) > 0;) {
    text.append(buffer, static_cast<std::size_t>(count));
  }
  gzclose(file);
  return nlohmann::json::parse(text);
}

}  // namespace bandolier::testing
