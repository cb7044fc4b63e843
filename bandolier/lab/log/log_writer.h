// Logged decisions as a file of another format: dsjson, text of Vowpal Wabbit, or CSV; gzipped
// where the name ends in .gz. Numbers are the shortest that read back as the same.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "bandolier/core/note.h"
#include "bandolier/lab/log/log_options.h"
#include "bandolier/lab/log/logged_event.h"

namespace bandolier {

// One event as text, and what of it the format cannot hold.
class EventFormat {
 public:
  virtual ~EventFormat() = default;

  // What must be known of all events before the first is written: every event is shown once.
  virtual void look_at(const LoggedEvent& /*event*/) {}
  // What stands before all events; once they have been shown.
  virtual void begin(std::string& /*out*/) {}
  // Throws Error where the event cannot be told in this format.
  virtual void append(const LoggedEvent& event, std::string& out) = 0;
  // What was lost, by reason.
  virtual std::vector<Note> notes() const { return {}; }
};

// By the file's name (.dsjson, .json, .jsonl; .vw, .ldf; .csv; each with .gz), where `format`
// is auto. Throws Error where the name says none, and for obd.
LogFormat format_to_write(const std::filesystem::path& path, LogFormat format);

// `options`: those that the log is read by.
std::unique_ptr<EventFormat> make_event_format(LogFormat format, const LogOptions& options);

struct Converted {
  Index events = 0;
  std::vector<Note> notes;  // what was left out, and what was lost
};

// Reads the log twice. `progress` is told events done of all; 0 of all in the first pass.
Converted convert_log(std::span<const std::filesystem::path> files, const LogOptions& options,
                      const std::filesystem::path& out, LogFormat format,
                      const std::function<void(Index done, Index all)>& progress = {});

}  // namespace bandolier
