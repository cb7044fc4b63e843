#include "bandolier/lab/env/sources.h"

#include <gtest/gtest.h>

#include "bandolier/lab/env/sha256.h"
#include "bandolier/lab/env/test_data.h"
#include "testing/errors.h"

namespace bandolier::sources_test {
namespace {

using testing::error_of;

TEST(DataSets, HaveSumsThatTheFilesAtHandHave) {
  BANDOLIER_REAL_DATA_OR_SKIP();
  int checked = 0;
  for (const DataSet& set : data_sets()) {
    for (std::size_t i = 0; i < set.files.size(); ++i) {
      if (set.find(i).empty() || set.files[i].sha256.empty()) continue;
      EXPECT_NO_THROW(check_sha256(set.find(i), set.files[i].sha256)) << set.files[i].file;
      ++checked;
    }
  }
  if (checked == 0) GTEST_SKIP() << "no data set with a known sum is in " << *real_data_path;
}

TEST(DataSets, SuggestTheNearestName) {
  EXPECT_NE(error_of([] { find_data_set("mnst"); }).find("did you mean 'mnist'?"),
            std::string::npos);
}

}  // namespace
}  // namespace bandolier::sources_test
