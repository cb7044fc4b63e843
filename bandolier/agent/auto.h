// `auto`, the agent to take when in doubt: a bank (bank.h) of filters over a network's head and
// body that differ in how far they expect rewards to vary and in whether they forget, beside the
// linear model. It has no knob that a problem would need turned.
#pragma once

#include "bandolier/agent/bank.h"
#include "bandolier/agent/registry.h"

namespace bandolier {

struct AutoOptions : PolicyOptions {
  std::string model = "mlp:100";
  std::string encoding = "multi-head";
  BasisKind basis = BasisKind::kRankOne;
  std::int64_t dim = 200;
  bool skip = true;
  std::vector<double> prior_predictive = {3, 15, 90};  // one member each
  bool linear = true;
  double forgetting = 0.9995;
  double noise_a0 = 3;
  double noise_b0 = 0.3;
  bool robust = true;
  bool soft_clip = true;
  bool centre = true;
  double degrees = 8;
  double share = 1e-5;

  AutoOptions() {
    temperature_floor = 0.1;
    temperature_pulls = 5;
    optimism = 0.6;
  }
};
const OptionTable<AutoOptions>& auto_options();

BankOptions bank_options(const AutoOptions& options);

AgentEntry auto_agent();

}  // namespace bandolier
