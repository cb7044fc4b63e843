// Every environment by name: one line each in registry.cc.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "bandolier/core/options.h"
#include "bandolier/lab/env/environment.h"

namespace bandolier {

struct EnvironmentEntry {
  std::string name;
  std::string usage;    // "wheel", "csv:PATH,label=COLUMN", ...
  std::string summary;  // one line
  std::vector<OptionDoc> (*options)();
  std::unique_ptr<Environment> (*make)(const Spec& spec);
};

const std::vector<EnvironmentEntry>& environments();
// Throws Error with the nearest name or, where it is the path of a table, with what to type for it.
const EnvironmentEntry& find_environment(const std::string& name);

// From `NAME`, `NAME:key=value,...`, `csv:PATH,...` or `idx:IMAGES,LABELS,...`; wrappers that
// change rewards over time (drift, reward_noise, outliers, delay) are options of every environment.
std::unique_ptr<Environment> make_environment(const std::string& spec);

}  // namespace bandolier
