// Files for tests: small generated ones in the formats of the real data sets, and the real ones
// where they are at hand.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "testing/temporary.h"

namespace bandolier::testing {

// Writes a file in `folder`, making its folders, and returns its path.
std::filesystem::path write_file(const TemporaryFolder& folder, const std::string& name,
                                 std::string_view bytes);

std::string gzip(std::string_view bytes);

// $BANDOLIER_DATA, or ../shared/data from the project's root; nothing where neither is there.
std::optional<std::filesystem::path> real_data_folder();

// Fills `folder` with a small file for every data set, laid out as a data folder.
void write_generated_data(const TemporaryFolder& folder);

// An environment spec for a registered name that such a folder can serve.
std::string generated_spec(const std::string& name, const TemporaryFolder& folder);

}  // namespace bandolier::testing

// Sets BANDOLIER_DATA to the real data for this test, or skips it.
#define BANDOLIER_REAL_DATA_OR_SKIP()                                              \
  const auto real_data_path = ::bandolier::testing::real_data_folder();            \
  if (!real_data_path) {                                                           \
    GTEST_SKIP() << "no data: neither BANDOLIER_DATA nor ../shared/data is there"; \
  }                                                                                \
  const ::bandolier::testing::ScopedVariable real_data("BANDOLIER_DATA", real_data_path->string())
