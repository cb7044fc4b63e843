// A log in dsjson, one event at a time: memory is that of the longest line.
//
//   DsjsonReader reader(open_input(path));
//   for (LoggedEvent event; reader.next(event);) ...
#pragma once

#include "bandolier/lab/log/dsjson_event.h"
#include "bandolier/lab/log/feature_kinds.h"
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
  std::string_view read(LoggedEvent& event) override {
    const std::string_view reason = read_dsjson(parser_, text_, event, uniform_);
    if (!reason.empty() || event.dense) return reason;
    kinds_.check(event.shared, line());
    for (Index a = 0; a < event.actions; ++a) {
      own_kinds_.check(event.own[static_cast<std::size_t>(a)], line());
    }
    return reason;
  }

  LineReader lines_;
  JsonParser parser_;
  std::string_view text_;
  bool uniform_;
  FeatureKinds kinds_, own_kinds_;
};

}  // namespace bandolier
