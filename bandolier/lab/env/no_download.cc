// download() of a build without libcurl: says what to do by hand.
#include "bandolier/lab/env/download.h"

namespace bandolier {

void download(const Download& what, const DownloadOptions& /*options*/) {
  fail("this build cannot download: fetch {} yourself{} and put it at {}", what.url,
       what.packing == Packing::kCompress ? ", unpack it with uncompress" : "",
       what.target.string());
}

}  // namespace bandolier
