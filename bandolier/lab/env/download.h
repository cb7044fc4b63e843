// Files fetched over HTTP(S) with libcurl: resumed after a cut, checked, and renamed into place, so
// that the target is absent or whole. A build with BANDOLIER_DOWNLOADS off has no_download.cc
// instead.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "bandolier/core/error.h"
#include "bandolier/lab/env/sources.h"

namespace bandolier {

struct Download {
  std::string url;
  std::filesystem::path target;
  Packing packing = Packing::kNone;
  std::string sha256;  // of the unpacked bytes; empty: not checked
};

struct DownloadOptions {
  int attempts = 4;                           // in all, where the connection fails or is cut
  std::chrono::milliseconds first_wait{500};  // before the second; doubled each time
  // Called now and then with bytes so far and in all (0: unknown); false stops the download.
  std::function<bool(std::int64_t done, std::int64_t total)> progress = {};
};

// Fetches into TARGET.part, checks it and renames it. A .part left by an earlier run is carried on
// where the whole can be checked (a known sum, or gzip), else started again. Proxies come from the
// usual variables (https_proxy, no_proxy, ...). Throws Error where the source answers anything but
// the file, the disk is full, or the sum differs; after a cut the .part stays, otherwise nothing.
void download(const Download& what, const DownloadOptions& options = {});

// The source answered that it has no such file.
class NotFound : public Error {
 public:
  using Error::Error;
};

}  // namespace bandolier
