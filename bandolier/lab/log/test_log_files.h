// Logs for tests, from text to events.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "bandolier/lab/env/test_data.h"
#include "bandolier/lab/log/log_reader.h"
#include "testing/errors.h"

namespace bandolier::testing {

struct TestLog {
  TemporaryFolder folder;

  std::filesystem::path write(const std::string& name, std::string_view text) const {
    return write_file(folder, name, text);
  }
};

inline std::vector<LoggedEvent> events_of(const std::vector<std::filesystem::path>& files,
                                          const LogOptions& options = {}) {
  const auto reader = open_log(files, options);
  std::vector<LoggedEvent> events;
  for (LoggedEvent event; reader->next(event);) events.push_back(event);
  return events;
}

// Of a log of one file, without its folder.
inline std::string error_of_log(const std::string& name, std::string_view text,
                                const LogOptions& options = {}) {
  const TestLog log;
  const auto path = log.write(name, text);
  const std::string error = error_of([&] { events_of({path}, options); });
  const auto at = error.find(path.string());
  return at == std::string::npos
             ? error
             : error.substr(0, at) + name + error.substr(at + path.string().size());
}

// "name=number" or "name=word" of each.
inline std::vector<std::string> shown(const NamedValues& values) {
  std::vector<std::string> out;
  for (Index i = 0; i < values.size(); ++i) {
    const NamedValues::Value value = values[i];
    out.push_back(value.kind == NamedValues::Kind::kWord
                      ? std::string(value.feature)
                      : fmt::format("{}:{}", value.feature, value.number));
  }
  return out;
}

}  // namespace bandolier::testing
