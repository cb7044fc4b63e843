#include "log_arguments.h"

#include <algorithm>

#include "commands.h"

namespace bandolier {
namespace {

// --format is that of the output.
std::string option_name(const std::string& row) {
  return row == "format" ? "--log-format" : "--" + row;
}

}  // namespace

void LogArguments::add_to(CLI::App& app, const std::vector<std::string>& without) {
  app.add_option("log", files_, "Files of logged decisions, plain or gzipped; - is standard input")
      ->type_name("LOG")
      ->required();
  add_options_to(app, without);
}

void LogArguments::add_options_to(CLI::App& app, const std::vector<std::string>& without) {
  for (const OptionDoc& doc : log_options().docs()) {
    if (std::find(without.begin(), without.end(), doc.name) != without.end()) continue;
    std::string help = doc.help;
    help[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(help[0])));
    if (doc.name == "lenient") {
      app.add_flag("--lenient", lenient_, help);
      continue;
    }
    app.add_option_function<std::string>(
           option_name(doc.name),
           [this, row = doc.name](const std::string& text) { texts_[row] = text; },
           help + (doc.value.empty() ? "" : " [" + doc.value + "]"))
        ->type_name(doc.name == "format"                          ? "F"
                    : doc.name == "actions"                       ? "N"
                    : doc.name == "columns" || doc.name == "drop" ? "PREFIX"
                                                                  : "COLUMN");
  }
}

LogOptions LogArguments::options() const {
  try {
    LogOptions options = log_options().parse("the log", texts_);
    options.lenient = lenient_;
    return options;
  } catch (const Error& error) {
    throw UsageError(error.what());
  }
}

std::string LogArguments::typed() const {
  std::string out;
  for (const auto& [row, text] : texts_) out += fmt::format(" {} {}", option_name(row), text);
  return lenient_ ? out + " --lenient" : out;
}

}  // namespace bandolier
