#include "bandolier/lab/log/log_writer.h"

#include "bandolier/core/error.h"
#include "bandolier/lab/log/csv_format.h"
#include "bandolier/lab/log/dsjson_writer.h"
#include "bandolier/lab/log/log_reader.h"
#include "bandolier/lab/log/vw_format.h"

namespace bandolier {
namespace {

class DsjsonEvents final : public EventFormat {
 public:
  void append(const LoggedEvent& event, std::string& out) override { format_.append(event, out); }

 private:
  DsjsonFormat format_;
};

}  // namespace

LogFormat format_to_write(const std::filesystem::path& path, LogFormat format) {
  if (format == LogFormat::kAuto) {
    const auto named = format_of_name(path);
    if (!named) {
      fail(
          "{}: the name says no format: expected one that ends in .dsjson, .vw or .csv (and .gz), "
          "or --format FORMAT",
          path.string());
    }
    format = *named;
  }
  if (format == LogFormat::kObd) fail("obd is read and not written: expected dsjson, vw or csv");
  return format;
}

std::unique_ptr<EventFormat> make_event_format(LogFormat format, const LogOptions& options) {
  switch (format) {
    case LogFormat::kVw:
      return std::make_unique<VwFormat>();
    case LogFormat::kCsv:
      return std::make_unique<CsvFormat>(options);
    default:
      return std::make_unique<DsjsonEvents>();
  }
}

Converted convert_log(std::span<const std::filesystem::path> files, const LogOptions& options,
                      const std::filesystem::path& out, LogFormat format,
                      const std::function<void(Index done, Index all)>& progress) {
  const auto writer = make_event_format(format_to_write(out, format), options);
  LoggedEvent event;
  Index all = 0;
  {
    const auto reader = open_log(files, options);
    for (; reader->next(event); ++all) {
      at_event(*reader, [&] { writer->look_at(event); });
      if (progress) progress(all, 0);
    }
  }
  LogFile file(out);
  writer->begin(file.text());
  const auto reader = open_log(files, options);
  for (Index done = 0; reader->next(event); ++done) {
    at_event(*reader, [&] { writer->append(event, file.text()); });
    file.written();
    if (progress) progress(done, all);
  }
  file.finish();
  Converted converted{all, reader->notes()};
  for (Note& note : writer->notes()) converted.notes.push_back(std::move(note));
  return converted;
}

}  // namespace bandolier
