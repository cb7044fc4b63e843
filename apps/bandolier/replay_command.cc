// `bandolier replay LOG --agent AGENT...`: what agents would have earned, by rejection.
#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "arguments.h"
#include "bandolier/agent/registry.h"
#include "bandolier/core/stop.h"
#include "bandolier/core/text.h"
#include "bandolier/lab/env/csv.h"
#include "bandolier/lab/log/json_text.h"
#include "bandolier/lab/log/replay_log.h"
#include "bandolier/lab/report/text_table.h"
#include "commands.h"
#include "console.h"
#include "interrupt.h"
#include "log_arguments.h"
#include "output_format.h"
#include "progress_bar.h"

namespace bandolier {
namespace {

struct ReplayArguments {
  LogArguments log;
  std::vector<std::string> agents;
  std::optional<std::string> seed, bound;
  std::string format = "table";
  bool quiet = false;
};

struct Row {
  std::string agent;
  Replayed replayed;
};

std::string number_or(double value, const char* nothing) {
  return std::isfinite(value) ? fmt::format("{:.6g}", value) : nothing;
}

std::string as_table(const std::vector<Row>& rows) {
  using enum TextTable::Align;
  TextTable table({{"agent", kLeft},
                   {"rows"},
                   {"matched"},
                   {"accepted"},
                   {"mean reward"},
                   {"95 % from"},
                   {"to"}});
  for (const auto& [agent, r] : rows) {
    table.add_row({agent, with_commas(r.rows), with_commas(r.matched), with_commas(r.accepted),
                   number_or(r.mean, "–"), number_or(r.low, "–"), number_or(r.high, "–")});
  }
  return table.str();
}

std::string as_json(const std::vector<Row>& rows) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  const auto number = [](double value) {
    return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json();
  };
  for (const auto& [agent, r] : rows) {
    all.push_back({{"agent", agent},
                   {"rows", r.rows},
                   {"matched", r.matched},
                   {"accepted", r.accepted},
                   {"bound", r.bound},
                   {"mean", number(r.mean)},
                   {"low", number(r.low)},
                   {"high", number(r.high)},
                   {"level", 0.95}});
  }
  return json_text(all, 1) + "\n";
}

std::string as_csv(const std::vector<Row>& rows) {
  std::string out =
      csv_line({"agent", "rows", "matched", "accepted", "bound", "mean", "low", "high"});
  for (const auto& [agent, r] : rows) {
    const auto text = [](double value) {
      return std::isfinite(value) ? to_text(value) : std::string();
    };
    out += csv_line({agent, fmt::format("{}", r.rows), fmt::format("{}", r.matched),
                     fmt::format("{}", r.accepted), to_text(r.bound), text(r.mean), text(r.low),
                     text(r.high)});
  }
  return out;
}

int run_replay(const ReplayArguments& arguments) {
  const LogOptions options = arguments.log.options();
  ReplayLogOptions replay;
  OutputFormat format = OutputFormat::kTable;
  try {
    format = parse_word<OutputFormat>("format", arguments.format);
    replay.seed = static_cast<std::uint64_t>(whole_number("seed", arguments.seed).value_or(0));
    if (arguments.bound) {
      replay.bound = parse_double(*arguments.bound);
      if (!replay.bound || !(*replay.bound > 0 && *replay.bound <= 1)) {
        fail("bound is '{}': expected a number above 0 and at most 1", *arguments.bound);
      }
    }
    for (const std::string& agent : arguments.agents) {
      if (!is_saved_agent(agent)) find_agent(parse_spec(agent).name);
    }
  } catch (const Error& error) {
    throw UsageError(error.what());
  }
  const StopScope scope(&watch_for_interrupt("stopping; Ctrl-C again ends at once"));
  ProgressBar bar(arguments.quiet);
  std::vector<Row> rows;
  try {
    const LogSurvey survey = survey_log(arguments.log.files(), options);
    for (const Note& note : survey.notes) bar.notice(note.to_text());
    const auto agents = static_cast<double>(arguments.agents.size());
    for (const std::string& agent : arguments.agents) {
      const auto before = static_cast<double>(rows.size());
      const auto progress = [&](Index done) {
        const double share = static_cast<double>(done) / static_cast<double>(survey.events);
        bar.show((before + share) / agents,
                 fmt::format("{}: {} of {} events", agent, with_commas(done),
                             with_commas(survey.events)));
      };
      rows.push_back(
          {agent, replay_log(arguments.log.files(), options, survey, agent, replay, progress)});
      if (const Index above = rows.back().replayed.above; above > 0) {
        bar.notice(fmt::format("{}: {} rows had a propensity below the bound: the mean is biased",
                               agent, with_commas(above)));
      }
    }
  } catch (const Stopped&) {
    return kFailed;
  }
  print_result(format == OutputFormat::kJson  ? as_json(rows)
               : format == OutputFormat::kCsv ? as_csv(rows)
                                              : as_table(rows));
  return kSuccess;
}

}  // namespace

Command add_replay_command(CLI::App& program) {
  auto arguments = std::make_shared<ReplayArguments>();
  CLI::App* app = program.add_subcommand(
      "replay", "What agents would have earned on a log, by rejection of what they would not do");
  arguments->log.add_to(*app);
  app->add_option("--agent", arguments->agents,
                  "NAME or NAME:key=value,..., or a saved agent, which goes on")
      ->type_name("AGENT")
      ->required();
  app->add_option("--bound", arguments->bound,
                  "The c of acceptance c/propensity [the log's least probability]")
      ->type_name("C");
  app->add_option("--seed", arguments->seed, "Seed of the agents and of acceptance [0]")
      ->type_name("N");
  app->add_option("--format", arguments->format, "table, json or csv [table]")->type_name("F");
  app->add_flag("--quiet", arguments->quiet, "No progress");
  add_examples(*app, "bandolier run --env wheel --agent uniform --trials 1 --log logs --force",
               "bandolier replay logs/wheel--uniform--trial-0.dsjson --agent linear uniform");
  return {app, [arguments] { return run_replay(*arguments); }};
}

}  // namespace bandolier
