#include "bandolier/lab/experiment/provenance.h"

#include <fmt/chrono.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cmath>
#include <ctime>
#include <fstream>

#include "bandolier/core/parallel.h"
#include "bandolier/core/text.h"

namespace bandolier {
namespace {

std::string processor() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("model name")) return std::string(trim(line.substr(line.find(':') + 1)));
  }
  return "unknown";
}

}  // namespace

std::string version() { return BANDOLIER_VERSION; }

nlohmann::ordered_json build_facts() {
#if defined(__clang__)
  const std::string compiler = fmt::format("clang {}", __clang_version__);
#else
  const std::string compiler = fmt::format("g++ {}", __VERSION__);
#endif
  return {{"compiler", compiler}, {"type", BANDOLIER_BUILD_TYPE}, {"arch", BANDOLIER_ARCH}};
}

nlohmann::ordered_json machine_facts() {
  utsname system{};
  ::uname(&system);
  const double bytes = static_cast<double>(::sysconf(_SC_PHYS_PAGES)) *
                       static_cast<double>(::sysconf(_SC_PAGE_SIZE));
  return {{"processor", processor()},
          {"cores", available_cores()},
          {"memory_gb", std::round(bytes / 1e8) / 10},
          {"system", fmt::format("{} {}", system.sysname, system.release)}};
}

std::string utc_time() {
  return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
}

}  // namespace bandolier
