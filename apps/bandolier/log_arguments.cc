#include "log_arguments.h"

#include <cctype>

#include "commands.h"

namespace bandolier {
namespace {

// --format is that of the output.
std::string option_name(const std::string& name) {
  return name == "format" ? "--log-format" : "--" + name;
}

}  // namespace

LogOptions LogArguments::options() const {
  try {
    LogOptions options = log_options().parse("log", texts);
    options.lenient = lenient;
    return options;
  } catch (const Error& error) {
    throw UsageError(error.what());
  }
}

std::string LogArguments::typed() const {
  std::string out;
  for (const auto& [name, text] : texts) out += fmt::format(" {} {}", option_name(name), text);
  return lenient ? out + " --lenient" : out;
}

void add_log_arguments(CLI::App& app, LogArguments& arguments) {
  app.add_option("log", arguments.files, "Logged decisions: dsjson, VW text, CSV, plain or gzipped")
      ->type_name("LOG")
      ->required();
  for (const OptionDoc& doc : log_options().docs()) {
    if (doc.name == "columns") continue;
    if (doc.name == "lenient") {
      app.add_flag("--lenient", arguments.lenient, "Skip rows that are wrong, and count them");
      continue;
    }
    std::string help = doc.help;
    help[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(help[0])));
    if (!doc.value.empty()) help += " [" + doc.value + "]";
    app.add_option_function<std::string>(
           option_name(doc.name),
           [&arguments, name = doc.name](const std::string& text) { arguments.texts[name] = text; },
           help)
        ->type_name(doc.name == "actions"  ? "N"
                    : doc.name == "format" ? "FORMAT"
                                           : "NAME");
  }
}

}  // namespace bandolier
