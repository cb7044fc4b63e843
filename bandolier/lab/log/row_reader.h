// What the readers of all formats share: rows that are wrong are refused or skipped, and what is
// left out is counted by reason.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "bandolier/lab/env/input.h"
#include "bandolier/lab/log/log_reader.h"

namespace bandolier {

// What is wrong with a row, and in which of its fields ("JSON" where it is none).
class LogFieldError : public Error {
 public:
  LogFieldError(std::string field, const std::string& what)
      : Error(what), field_(std::move(field)) {}
  const std::string& field() const { return field_; }

 private:
  std::string field_;
};

// Throws LogFieldError: the field, and what was found and expected.
template <class... Args>
[[noreturn]] void refuse_field(std::string_view field, fmt::format_string<Args...> format,
                               Args&&... args) {
  throw LogFieldError(
      std::string(field),
      fmt::format("{} {}", field, fmt::format(format, std::forward<Args>(args)...)));
}

// What the error of a propensity that is missing or wrong expects.
inline constexpr std::string_view kPropensityExpected =
    "a number above 0 and at most 1; --propensity uniform takes 1/actions instead";
inline void check_propensity(std::string_view field, double found) {
  if (!(found > 0 && found <= 1))
    refuse_field(field, "is {}: expected {}", found, kPropensityExpected);
}

class RowReader : public LogReader {
 public:
  bool next(LoggedEvent& event) final;
  const std::string& file() const final { return input_->name(); }
  Index events() const final { return events_; }
  std::vector<Note> notes() const final;

 protected:
  RowReader(std::unique_ptr<Input> input, bool lenient)
      : input_(std::move(input)), lenient_(lenient) {}

  Input& input() { return *input_; }

 private:
  // Goes to the next row; false at the end.
  virtual bool advance() = 0;
  // Reads that row: nothing, or why it is no decision, as a note says it. Throws LogFieldError
  // where it is one and a field is missing or wrong; `event` is then half filled.
  virtual std::string_view read(LoggedEvent& event) = 0;

  std::unique_ptr<Input> input_;
  bool lenient_;
  Index events_ = 0;
  std::map<std::string, std::int64_t> left_out_;
};

}  // namespace bandolier
