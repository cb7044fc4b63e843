// The entry of a registry that has a name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "bandolier/core/error.h"
#include "bandolier/core/text.h"

namespace bandolier {

// Throws Error, with the nearest name, where no entry has that name. `kind` is what entries are:
// "agent", "data set".
template <class Entry>
const Entry& find_named(const std::vector<Entry>& entries, const std::string& name,
                        std::string_view kind) {
  std::vector<std::string> known;
  for (const Entry& entry : entries) {
    if (entry.name == name) return entry;
    known.push_back(entry.name);
  }
  fail("no {} is called '{}'{}", kind, name, suggestion(name, known));
}

}  // namespace bandolier
