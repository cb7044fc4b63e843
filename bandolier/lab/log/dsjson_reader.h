// A log in dsjson, one event at a time: memory is that of the longest line.
//
//   DsjsonReader reader(open_input(path));
//   for (LoggedEvent event; reader.next(event);) ...
#pragma once

#include "bandolier/lab/log/dsjson_event.h"
#include "bandolier/lab/log/line_reader.h"
#include "bandolier/lab/log/row_reader.h"

namespace bandolier {

class DsjsonReader final : public RowReader {
 public:
  explicit DsjsonReader(std::unique_ptr<Input> input, const LogOptions& options = {})
      : RowReader(std::move(input), options.lenient),
        lines_(RowReader::input()),
        uniform_(options.uniform()) {}

  Index line() const override { return lines_.line(); }

 private:
  bool advance() override { return lines_.next(text_); }
  std::string_view read(LoggedEvent& event) override { return read_dsjson(text_, event, uniform_); }

  LineReader lines_;
  std::string_view text_;
  bool uniform_;
};

}  // namespace bandolier
