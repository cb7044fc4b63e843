// The policies that a log can be asked about: the probabilities that each gives to the actions of a
// logged decision.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "bandolier/lab/log/logged_player.h"

namespace bandolier {

class Target {
 public:
  virtual ~Target() = default;

  // One per action of the event; a view until the next call. Empty: they are the log's own, which
  // does not tell them all.
  virtual std::span<const double> probabilities(const LoggedEvent& event, std::int64_t row) = 0;

  // What the log did, and what it earned: after the row was evaluated.
  virtual void learn(const LoggedEvent&, std::int64_t /*row*/) {}
  virtual bool learns() const { return false; }
  virtual bool is_logging_policy() const { return false; }
  // What a reader of its figures must know.
  virtual std::vector<std::string> notes() const { return {}; }
};

// Prefixes of the columns that are read with a log (LogOptions::columns), each once.
class ColumnPrefixes {
 public:
  std::size_t place(const std::string& prefix);  // in LoggedEvent::columns
  std::string text() const;                      // as LogOptions::columns has it

 private:
  std::vector<std::string> prefixes_;
};

// A policy as typed: logged, uniform, fixed:ACTION, columns:PREFIX, table:FILE, an agent by name or
// a saved one. Throws Error for what is none of them.
class TargetSpec {
 public:
  TargetSpec(const std::string& text, ColumnPrefixes& columns);

  const std::string& text() const { return text_; }
  bool needs_survey() const { return kind_ == Kind::kAgent || kind_ == Kind::kSaved; }
  bool learns() const { return kind_ == Kind::kAgent; }
  std::unique_ptr<Target> make(const LogSurvey& log, const LoggedPlayerOptions& agents) const;

 private:
  enum class Kind { kLogged, kUniform, kFixed, kColumns, kTable, kAgent, kSaved };

  std::string text_, argument_;
  Kind kind_;
  std::size_t column_ = 0;
};

}  // namespace bandolier
