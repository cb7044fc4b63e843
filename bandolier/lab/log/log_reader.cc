#include "bandolier/lab/log/log_reader.h"

#include "bandolier/core/text.h"
#include "bandolier/lab/env/fields.h"
#include "bandolier/lab/env/input.h"
#include "bandolier/lab/log/csv_log.h"
#include "bandolier/lab/log/dsjson_reader.h"
#include "bandolier/lab/log/obd_log.h"
#include "bandolier/lab/log/vw_reader.h"

namespace bandolier {
namespace {

using Path = std::filesystem::path;

// What a file begins with: its first line that is not blank, or as much as fits.
std::string first_line(Input& input) {
  std::string text(4096, '\0');
  std::size_t size = 0;
  for (std::size_t count = 1; count > 0 && size < text.size(); size += count) {
    count = input.read(std::span(text).subspan(size));
  }
  text.resize(size);
  if (text.starts_with("\xef\xbb\xbf")) text.erase(0, 3);
  const auto begin = text.find_first_not_of(" \t\r\n");
  if (begin == std::string::npos) fail("{} is empty: expected logged decisions", input.name());
  input.rewind();
  return text.substr(begin, text.find('\n', begin) - begin);
}

LogFormat format_of_text(std::string_view line) {
  if (line.starts_with('{')) return LogFormat::kDsjson;
  for (std::size_t bar = line.find('|'); bar != line.npos; bar = line.find('|', bar + 1)) {
    if (bar == 0 || line[bar - 1] == ' ' || line[bar - 1] == '\t') return LogFormat::kVw;
  }
  const auto has = [&](std::string_view column) { return line.find(column) != line.npos; };
  return has("item_id") && has("click") && has("propensity_score") ? LogFormat::kObd
                                                                   : LogFormat::kCsv;
}

LogFormat find_format(const Path& path, Input& input) {
  const std::string line = first_line(input);
  const LogFormat found = format_of_text(line);
  const auto named = format_of_name(path);
  const bool same = named == found || (named == LogFormat::kCsv && found == LogFormat::kObd);
  if (named && !same) {
    fail(
        "{} begins with '{}', which is {}: expected {}, as its name says; --log-format {} reads it",
        input.name(), shorten(line), to_word(found), to_word(*named), to_word(found));
  }
  return found;
}

class LogFiles final : public LogReader {
 public:
  LogFiles(std::span<const Path> files, const LogOptions& options)
      : files_(files.begin(), files.end()), options_(options) {
    if (files_.empty()) fail("no log is given: expected at least one file");
    open();
  }

  bool next(LoggedEvent& event) override {
    while (!reader_->next(event)) {
      if (opened_ == files_.size()) {
        if (events() == 0) refuse_nothing();
        return false;
      }
      const auto notes = reader_->notes();
      done_notes_.insert(done_notes_.end(), notes.begin(), notes.end());
      done_events_ += reader_->events();
      open();
    }
    return true;
  }

  const std::string& file() const override { return reader_->file(); }
  Index line() const override { return reader_->line(); }
  Index events() const override { return done_events_ + reader_->events(); }
  std::vector<Note> notes() const override {
    std::vector<Note> all = done_notes_;
    const auto notes = reader_->notes();
    all.insert(all.end(), notes.begin(), notes.end());
    return merge_notes(all);
  }

 private:
  void open() {
    const Path& path = files_[opened_];
    auto input = open_input(path);
    const LogFormat format =
        options_.format == LogFormat::kAuto ? find_format(path, *input) : options_.format;
    switch (format) {
      case LogFormat::kVw:
        if (is_vw_adf(*input)) {
          reader_ = std::make_unique<VwAdfReader>(std::move(input), options_);
        } else {
          if (vw_actions_ == 0) vw_actions_ = find_vw_actions(files_, options_);
          reader_ = std::make_unique<VwCbReader>(std::move(input), options_, vw_actions_);
        }
        break;
      case LogFormat::kCsv:
        if (csv_actions_ == nullptr) {
          csv_actions_ = std::make_shared<const CsvActions>(find_csv_actions(files_, options_));
        }
        reader_ = std::make_unique<CsvLogReader>(std::move(input), options_, csv_actions_);
        break;
      case LogFormat::kObd:
        reader_ = std::make_unique<ObdReader>(std::move(input), options_, read_obd_items(path));
        break;
      default:
        reader_ = std::make_unique<DsjsonReader>(std::move(input), options_);
    }
    check_columns(format);
    ++opened_;
  }

  void check_columns(LogFormat format) const {
    if (format == LogFormat::kCsv || options_.columns.empty()) return;
    fail("{} is {}, which has no columns that begin with '{}': expected a CSV", file(),
         to_word(format), options_.columns);
  }

  [[noreturn]] void refuse_nothing() const {
    std::vector<std::string> reasons = to_texts(notes());
    fail("{} holds no decision{}{}: expected at least one", file(), reasons.empty() ? "" : "; ",
         join(reasons, "; "));
  }

  std::vector<Path> files_;
  LogOptions options_;
  Index vw_actions_ = 0;
  std::shared_ptr<const CsvActions> csv_actions_;
  std::unique_ptr<LogReader> reader_;
  std::size_t opened_ = 0;
  Index done_events_ = 0;
  std::vector<Note> done_notes_;
};

}  // namespace

std::optional<LogFormat> format_of_name(Path path) {
  if (path.extension() == ".gz") path.replace_extension();
  const std::string end = path.extension().string();
  if (end == ".dsjson" || end == ".json" || end == ".jsonl") return LogFormat::kDsjson;
  if (end == ".vw" || end == ".ldf") return LogFormat::kVw;
  if (end == ".csv" || end == ".tsv") return LogFormat::kCsv;
  return std::nullopt;
}

std::unique_ptr<LogReader> open_log(std::span<const Path> files, const LogOptions& options) {
  return std::make_unique<LogFiles>(files, options);
}

}  // namespace bandolier
