// Requests from JSON lines or from a table with a header, one at a time, as they come.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bandolier/lab/decide/request.h"
#include "bandolier/lab/env/fields.h"
#include "bandolier/lab/env/input.h"
#include "bandolier/lab/env/records.h"
#include "bandolier/lab/log/json_parser.h"
#include "bandolier/lab/log/line_reader.h"

namespace bandolier {

class RequestReader {
 public:
  // JSON lines if the first byte that is no blank is '{', else a table; waits for it. `input` must
  // outlive the reader. Throws Error for a table whose header names a column twice.
  explicit RequestReader(std::unique_ptr<Input> input, const FeatureEncoder& of_context);
  ~RequestReader();

  // The next one; false at the end. Throws Error, with the line, on one that is wrong; the next
  // call goes on behind it, unless the text itself is broken (an open quote, a binary file).
  bool next(Request& request);
  bool broken() const { return broken_; }

  // Columns of the table that the agent does not know.
  const std::vector<std::string>& unknown_columns() const { return unknown_; }

 private:
  enum class Role { kFeature, kIgnored, kId, kAction, kReward };

  void read_header(const FeatureEncoder& of_context);
  void read_json(std::string_view line, Request& request);
  void read_row(Request& request) const;

  std::unique_ptr<Input> input_;
  std::unique_ptr<LineReader> lines_;      // of JSON
  std::unique_ptr<RecordReader> records_;  // or of a table
  JsonParser parser_;
  bool words_;  // of a schema: it tells numbers from words itself
  std::vector<std::string> columns_, unknown_;
  std::vector<Role> roles_;
  std::vector<std::string_view> fields_;
  bool broken_ = false;
  MissingWords missing_;
};

}  // namespace bandolier
