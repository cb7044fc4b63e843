// Logs of Vowpal Wabbit as text: vw_text.h. Memory is that of one line, or of one block.
#pragma once

#include "bandolier/lab/log/line_reader.h"
#include "bandolier/lab/log/row_reader.h"
#include "bandolier/lab/log/vw_text.h"

namespace bandolier {

// Whether the log consists of blocks (cb_adf), by its first 1,000 lines: one is `shared`, labels an
// action 0, or follows an empty line. The input is at its beginning again.
bool is_vw_adf(Input& input);

// The number of actions of logs of type cb: from LogOptions::actions, else the highest in any
// label.
Index find_vw_actions(std::span<const std::filesystem::path> files, const LogOptions& options);

class VwCbReader final : public RowReader {
 public:
  VwCbReader(std::unique_ptr<Input> input, const LogOptions& options, Index actions);
  Index line() const override { return lines_.line(); }

 private:
  bool advance() override { return lines_.next(text_); }
  std::string_view read(LoggedEvent& event) override;

  LineReader lines_;
  bool uniform_;
  Index actions_;
  std::vector<std::string> names_;
  std::string_view text_;
};

class VwAdfReader final : public RowReader {
 public:
  VwAdfReader(std::unique_ptr<Input> input, const LogOptions& options);
  Index line() const override { return line_; }  // where the block begins

 private:
  bool advance() override;
  std::string_view read(LoggedEvent& event) override;
  // Reads the line that the block goes on with; false at its end.
  bool next_of_block();
  void read_line(LoggedEvent& event, bool first, std::optional<VwLabel>& label);

  LineReader lines_;
  bool uniform_;
  bool have_ = false;  // text_ is the next line, not yet read
  bool more_ = true;
  Index line_ = 0;
  Index last_ = -1;  // the last line read
  std::string_view text_;
};

}  // namespace bandolier
