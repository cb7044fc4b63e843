// Tables in a folder of their own, as environments, for tests.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "bandolier/lab/env/registry.h"
#include "bandolier/lab/env/test_data.h"
#include "testing/errors.h"

namespace bandolier::testing {

class CsvTest : public ::testing::Test {
 protected:
  // Writes `text` and makes `csv:PATH,options`.
  std::unique_ptr<Environment> make(const std::string& text, const std::string& options) {
    return make_environment("csv:" + write("a.csv", text) + "," + options);
  }
  std::string write(const std::string& name, const std::string& text) {
    return write_file(folder_, name, text).string();
  }
  // The message without the folder.
  std::string refusal(const std::string& text, const std::string& options) {
    std::string message = error_of([&] { make(text, options); });
    const std::string folder = folder_.path().string() + "/";
    for (std::size_t at; (at = message.find(folder)) != std::string::npos;) {
      message.erase(at, folder.size());
    }
    return message;
  }

  TemporaryFolder folder_;
};

}  // namespace bandolier::testing
