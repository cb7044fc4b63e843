#include "bandolier/agent/auto.h"

#include "bandolier/agent/filter_agent.h"

namespace bandolier {
namespace {

struct AutoOptions : FilterAgentOptions {
  AutoOptions() {
    model = "auto";
    inputs = InputKind::kAuto;
    head = HeadKind::kFull;
    skip = true;
    body = BodyKind::kNone;
    units = UnitKind::kAuto;
    dim = 200;
    soft_clip = true;
    centre_image = true;
    prior_predictive = {3, 15, 90};
    challenger = 250;
    near_linear = true;
    robust = true;
    temperature_floor = 0.1;
    temperature_pulls = 5;
    optimism = 0.6;
  }
};

// All but what belongs to a predictor without heads.
const OptionTable<AutoOptions>& auto_options() {
  static const OptionTable<AutoOptions> table = [] {
    OptionTable<FilterAgentOptions> rows = filter_agent_options().without(
        {"head", "precision", "thinning", "offset", "centre", "filter_warmup"});
    for (const auto& row : training_options().rows()) rows = rows.without({row.name});
    return OptionTable<AutoOptions>({}).include(rows);
  }();
  return table;
}

}  // namespace

AgentEntry auto_agent() {
  AgentEntry entry = agent_entry<FilterAgent>(
      "auto", "sets itself: filters over features that suit the inputs, weighted by fit",
      auto_options, true);
  entry.before = {{"inputs", "raw"},
                  {"body", "subspace"},
                  {"units", "dense"},
                  {"challenger", "0"},
                  {"near_linear", "false"}};
  return entry;
}

}  // namespace bandolier
