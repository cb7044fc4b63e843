#include "testing/golden.h"

#include <zlib.h>

#include <filesystem>
#include <stdexcept>

namespace bandolier::testing {

nlohmann::json golden(const std::string& name) {
  const auto path =
      std::filesystem::path(BANDOLIER_SOURCE_DIR) / "testing" / "golden" / (name + ".json.gz");
  gzFile file = gzopen(path.c_str(), "rb");
  if (file == nullptr) throw std::runtime_error("no file " + path.string());
  std::string text;
  char buffer[1 << 16];
  for (int count = 0; (count = gzread(file, buffer, sizeof buffer)) > 0;) {
    text.append(buffer, static_cast<std::size_t>(count));
  }
  gzclose(file);
  return nlohmann::json::parse(text);
}

}  // namespace bandolier::testing
