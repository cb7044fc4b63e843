// `bandolier learn LOG... --agent AGENT --save FILE`: an agent that starts from a log.
#include <memory>
#include <optional>

#include "arguments.h"
#include "bandolier/agent/registry.h"
#include "bandolier/core/stop.h"
#include "bandolier/core/text.h"
#include "bandolier/lab/log/learn_log.h"
#include "commands.h"
#include "console.h"
#include "interrupt.h"
#include "log_arguments.h"
#include "output_file.h"
#include "progress_bar.h"

namespace bandolier {
namespace {

struct LearnArguments {
  LogArguments log;
  std::string agent = "auto", save, weights = "none";
  std::optional<std::string> seed, slots;
  bool force = false, quiet = false;
};

int run_learn(const LearnArguments& arguments) {
  const LogOptions options = arguments.log.options();
  LoggedPlayerOptions player_options;
  LogWeights weights = LogWeights::kNone;
  try {
    weights = parse_word<LogWeights>("weights", arguments.weights);
    player_options.seed =
        static_cast<std::uint64_t>(whole_number("seed", arguments.seed).value_or(0));
    player_options.slots = checked_slots(arguments.slots);
    if (!is_saved_agent(arguments.agent)) find_agent(parse_spec(arguments.agent).name);
  } catch (const Error& error) {
    throw UsageError(error.what());
  }
  require_new_file("--save", arguments.save, arguments.force);
  const StopScope scope(
      &watch_for_interrupt("stopping: nothing is saved; Ctrl-C again ends at once"));
  ProgressBar bar(arguments.quiet);
  try {
    const LogSurvey survey = survey_log(arguments.log.files(), options);
    LoggedPlayer player(arguments.agent, survey, player_options);
    const Learnt learnt =
        learn_log(arguments.log.files(), options, player, weights, [&](Index done) {
          bar.show(static_cast<double>(done) / static_cast<double>(survey.events),
                   fmt::format("{} of {} events", with_commas(done), with_commas(survey.events)));
        });
    for (const Note& note : learnt.notes) bar.notice(note.to_text());
    if (learnt.skipped > 0) {
      bar.notice(fmt::format("{} events are marked as not to be learnt from", learnt.skipped));
    }
    for (const Note& note : player.report().notes) bar.notice(note.to_text());
    player.save(arguments.save);
    print_result(fmt::format("{}: learnt from {} of {} events\n", arguments.save,
                             with_commas(learnt.events - learnt.skipped - learnt.refused),
                             with_commas(learnt.events)));
  } catch (const Stopped&) {
    return kFailed;
  }
  return kSuccess;
}

}  // namespace

Command add_learn_command(CLI::App& program) {
  auto arguments = std::make_shared<LearnArguments>();
  CLI::App* app = program.add_subcommand("learn", "Start an agent from a log, and save it");
  arguments->log.add_to(*app);
  app->add_option("--agent", arguments->agent,
                  "NAME or NAME:key=value,...; or a saved agent that goes on [auto]")
      ->type_name("AGENT");
  app->add_option("--save", arguments->save, "Keep the agent here")->type_name("FILE")->required();
  app->add_option("--weights", arguments->weights,
                  "none, dropped (1/(1 - pdrop)) or ips (1/propensity, 1 on average) [none]")
      ->type_name("W");
  app->add_option("--slots", arguments->slots,
                  "Features for a context by name [twice the log's names, 16 to 1024]")
      ->type_name("N");
  app->add_option("--seed", arguments->seed, "Seed of the agent [0]")->type_name("N");
  app->add_flag("--force", arguments->force, "Let --save replace a file");
  app->add_flag("--quiet", arguments->quiet, "No progress");
  add_examples(*app, "bandolier run --env wheel --agent uniform --trials 1 --log logs --force",
               "bandolier learn logs/wheel--uniform--trial-0.dsjson --agent linear --save "
               "wheel.bndl --force");
  return {app, [arguments] { return run_learn(*arguments); }};
}

}  // namespace bandolier
