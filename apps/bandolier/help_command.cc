// `bandolier help [COMMAND]`: what --help says, for those who ask in words.
#include <memory>

#include "bandolier/core/error.h"
#include "bandolier/core/text.h"
#include "commands.h"
#include "console.h"

namespace bandolier {
namespace {

// The command that `words` name, one within the other: "data get".
const CLI::App& find_command(const CLI::App& program, const std::vector<std::string>& words) {
  const CLI::App* app = &program;
  for (const auto& word : words) {
    const CLI::App* next = nullptr;
    std::vector<std::string> known;
    for (const CLI::App* command : app->get_subcommands({})) {
      known.push_back(command->get_name());
      if (known.back() == word) next = command;
    }
    if (next == nullptr) {
      const std::string what = fmt::format("there is no help on '{}'", word);
      throw UsageError(what + (known.empty() ? "" : suggestion(word, known)));
    }
    app = next;
  }
  return *app;
}

}  // namespace

std::string full_name(const CLI::App& app) {
  const CLI::App* above = app.get_parent();
  return above == nullptr ? app.get_name() : full_name(*above) + " " + app.get_name();
}

std::string help_of(const CLI::App& app) {
  return app.get_formatter()->make_help(&app, full_name(app), CLI::AppFormatMode::Normal);
}

void add_examples(CLI::App& app, std::string_view first, std::string_view second) {
  app.footer(fmt::format("Examples:\n  {}\n  {}", first, second));
}

Command add_help_command(CLI::App& program) {
  auto words = std::make_shared<std::vector<std::string>>();
  CLI::App* app = program.add_subcommand("help", "How to use a command");
  app->add_option("command", *words, "A command; none: all in one line each")->type_name("COMMAND");
  add_examples(*app, "bandolier help run", "bandolier help data get");
  return {app, [&program, words] {
            print_result(help_of(find_command(program, *words)));
            return kSuccess;
          }};
}

}  // namespace bandolier
