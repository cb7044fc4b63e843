// `bandolier decide MODEL`: decisions of a saved agent, line by line, and what it learns from
// rewards.
#include <unistd.h>

#include <memory>
#include <optional>

#include "arguments.h"
#include "bandolier/core/error.h"
#include "bandolier/core/stop.h"
#include "bandolier/core/text.h"
#include "bandolier/lab/decide/decision_stream.h"
#include "bandolier/lab/decide/request_reader.h"
#include "bandolier/model/schema_encoder.h"
#include "commands.h"
#include "console.h"
#include "interrupt.h"
#include "output_file.h"

namespace bandolier {
namespace {

constexpr std::int64_t kMostShown = 10;  // lines that are wrong

struct DecideArguments {
  std::string model;
  std::optional<std::string> save, seed, pending;
  bool force = false;
};

std::string shown_names(std::vector<std::string> names) {
  constexpr std::size_t kMost = 5;
  const std::size_t more = names.size() > kMost ? names.size() - kMost : 0;
  names.resize(names.size() - more);
  for (std::string& name : names) name = fmt::format("'{}'", shorten(name));
  return join(names, ", ") + (more > 0 ? fmt::format(" and {} more", more) : "");
}

// Says once what the agent does not know. Names are learnt as they come where there is no schema.
class UnknownNames {
 public:
  explicit UnknownNames(const FeatureEncoder& encoder) : encoder_(encoder) {
    said_ = dynamic_cast<const SchemaEncoder*>(&encoder) == nullptr;
  }
  void look_at(const Request& request) {
    if (said_ || !request.has_context) return;
    say("names or words", encoder_.unknown(request.context));
  }
  void say(const char* what, const std::vector<std::string>& names) {
    if (names.empty() || said_) return;
    print_notice(
        fmt::format("{} that the agent does not know are ignored: {}", what, shown_names(names)));
    said_ = true;
  }

 private:
  const FeatureEncoder& encoder_;
  bool said_;
};

int run_decide(const DecideArguments& arguments) {
  DecisionStreamOptions options;
  try {
    require_name("--save", arguments.save);
    options.seed = static_cast<std::uint64_t>(whole_number("seed", arguments.seed).value_or(0));
    const std::int64_t pending = whole_number("pending", arguments.pending).value_or(10'000);
    if (pending < 0 || pending > 10'000'000) {
      fail("pending is {}: expected a whole number from 0 to 10000000", pending);
    }
    options.pending = static_cast<std::size_t>(pending);
  } catch (const Error& error) {
    throw UsageError(error.what());
  }
  if (arguments.save) require_new_file("--save", *arguments.save, arguments.force);
  NamedAgent agent = NamedAgent::load(arguments.model);
  const StopScope scope(&watch_for_interrupt(
      arguments.save ? "stopping: what was learnt is saved; Ctrl-C again ends at once"
                     : "stopping; Ctrl-C again ends at once"));
  DecisionStream stream(agent, options);
  std::int64_t wrong = 0;
  bool stopped = false;
  try {
    RequestReader reader(stream_input(STDIN_FILENO, "standard input"), agent.context_encoder());
    UnknownNames unknown(agent.context_encoder());
    unknown.say("columns", reader.unknown_columns());
    Request request;
    for (;;) {
      try {
        if (!reader.next(request)) break;
        unknown.look_at(request);
        const std::string answer = stream.take(request);
        if (!answer.empty()) print_result(answer + "\n");
      } catch (const Error& error) {
        if (wrong++ < kMostShown) print_notice(error.what());
        if (reader.broken()) break;
      }
    }
  } catch (const Stopped&) {
    stopped = true;
  } catch (const ClosedPipe&) {
    // Nobody reads the decisions: what was learnt is kept all the same.
  }
  if (wrong > kMostShown) print_notice(fmt::format("{} more lines were wrong", wrong - kMostShown));
  for (const Note& note : stream.notes()) print_notice(note.to_text());
  if (arguments.save) agent.save(*arguments.save);
  if (stream.learnt() > 0 && !arguments.save) {
    print_notice(fmt::format("{} rewards were learnt and not kept: --save FILE keeps the agent",
                             stream.learnt()));
  }
  return wrong > 0 || stopped ? kFailed : kSuccess;
}

}  // namespace

Command add_decide_command(CLI::App& program) {
  auto arguments = std::make_shared<DecideArguments>();
  CLI::App* app = program.add_subcommand(
      "decide", "Decide for contexts from standard input with a saved agent, and learn");
  app->add_option("model", arguments->model, "A file that --save wrote")
      ->type_name("MODEL")
      ->required();
  app->add_option("--save", arguments->save, "Keep the agent here when the input ends")
      ->type_name("FILE");
  app->add_flag("--force", arguments->force, "Let --save replace a file");
  app->add_option("--pending", arguments->pending,
                  "Decisions that may still be rewarded; the oldest are forgotten [10000]")
      ->type_name("N");
  app->add_option("--seed", arguments->seed, "Seed of the decisions [0]")->type_name("N");
  add_examples(*app, "bandolier run --env wheel --agent linear --trials 1 --save models --force",
               "bandolier decide models/wheel--linear.bndl < contexts.jsonl");
  return {app, [arguments] { return run_decide(*arguments); }};
}

}  // namespace bandolier
