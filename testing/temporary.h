// What a test changes around it and puts back: a folder of its own, an environment variable.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace bandolier::testing {

// Removed with all that is in it.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

  // Names of what is in it, sorted.
  std::vector<std::string> names() const;

 private:
  std::filesystem::path path_;
};

// Sets an environment variable while alive; nothing: unsets it.
class ScopedVariable {
 public:
  ScopedVariable(std::string name, std::optional<std::string> value);
  ~ScopedVariable();
  ScopedVariable(const ScopedVariable&) = delete;
  ScopedVariable& operator=(const ScopedVariable&) = delete;

 private:
  std::string name_;
  std::optional<std::string> before_;
};

}  // namespace bandolier::testing
