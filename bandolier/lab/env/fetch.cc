#include "bandolier/lab/env/fetch.h"

#include <cstdlib>

#include "bandolier/lab/env/data_folder.h"

namespace bandolier {
namespace fs = std::filesystem;

fs::path fetch(const DataSet& set, std::size_t i, const DownloadOptions& options) {
  const DataFile& file = set.files[i];
  const char* mirror = std::getenv("BANDOLIER_MIRROR");
  const std::string base = mirror == nullptr ? "" : mirror;
  if (base.empty() || !set.folder.empty()) {
    if (file.url.empty()) fail("'{}' cannot be downloaded: {}", set.name, set.how);
    download({file.url, set.place(i), file.packing, file.sha256}, options);
    return set.place(i);
  }
  const std::string url = base + (base.ends_with('/') ? "" : "/") + file.file;
  const fs::path plain = data_folder() / file.file;
  try {
    download({url, plain, Packing::kNone, file.sha256}, options);
    return plain;
  } catch (const NotFound&) {
    const fs::path gzipped = plain.string() + ".gz";
    download({url + ".gz", gzipped, Packing::kGzip, file.sha256}, options);
    return gzipped;
  }
}

}  // namespace bandolier
