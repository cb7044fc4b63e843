#include "bandolier/lab/experiment/cell_names.h"

#include <fmt/format.h>

#include <cctype>
#include <set>

namespace bandolier {
namespace {

// File systems take 255 bytes: some are left for the hash, the ending and what a file is called
// while it is written.
constexpr std::size_t kLongestFileName = 200;

std::string plain(std::string name) {
  for (char& c : name) {
    const bool taken = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '.' ||
                       c == '=' || c == '_';
    if (!taken) c = '_';
  }
  return name;
}

// FNV-1a.
std::uint32_t hash_of(const std::string& text) {
  std::uint32_t hash = 2166136261U;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
  return hash;
}

}  // namespace

std::vector<std::string> cell_names(const ExperimentSettings& settings) {
  std::vector<std::string> names;
  std::set<std::string> taken;
  for (const auto& environment : settings.environments) {
    for (const auto& agent : settings.agents) {
      const std::string whole = environment.spec + "--" + agent.spec;
      std::string name = plain(whole);
      if (name.size() > kLongestFileName || taken.contains(name)) {
        name = fmt::format("{}-{:08x}", name.substr(0, kLongestFileName), hash_of(whole));
      }
      // Two names whose 32-bit hashes agree.
      while (!taken.insert(name).second) name += '_';
      names.push_back(name);
    }
  }
  return names;
}

}  // namespace bandolier
