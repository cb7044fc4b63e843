// What produced a result: the version, the build and the machine.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace bandolier {

std::string version();                   // "0.1.0"
nlohmann::ordered_json build_facts();    // compiler, build type, tuning
nlohmann::ordered_json machine_facts();  // processor, cores, memory, system
std::string utc_time();                  // now, 2026-01-31T12:00:00Z

}  // namespace bandolier
