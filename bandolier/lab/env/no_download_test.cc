#include <gtest/gtest.h>

#include "bandolier/lab/env/fetch.h"
#include "testing/errors.h"
#include "testing/temporary.h"

namespace bandolier::no_download_test {
namespace {

using testing::error_of;

TEST(NoDownload, NamesTheSourceAndThePlaceOfTheFile) {
  const testing::ScopedVariable data("BANDOLIER_DATA", "/some/folder");
  const testing::ScopedVariable mirror("BANDOLIER_MIRROR", std::nullopt);
  DataFile file;
  file.file = "x/a.csv";
  file.url = "https://example.org/a.csv.Z";
  file.packing = Packing::kCompress;
  DataSet set;
  set.files = {file};
  EXPECT_EQ(
      error_of([&] { fetch(set, 0); }),
      "this build cannot download: fetch https://example.org/a.csv.Z yourself, unpack it with "
      "uncompress and put it at /some/folder/x/a.csv");
}

}  // namespace
}  // namespace bandolier::no_download_test
