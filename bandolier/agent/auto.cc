#include "bandolier/agent/auto.h"

namespace bandolier {
namespace {

// c of the robust weight c²/(c² + e²): a reward 5 standard deviations off counts half.
constexpr double kRobust = 5;

}  // namespace

const OptionTable<AutoOptions>& auto_options() {
  static const OptionTable<AutoOptions> table = [] {
    OptionTable<AutoOptions> rows = {
        {"model", &AutoOptions::model, "the network: mlp:50, mlp:200x200, lenet5, linear"},
        {"encoding", &AutoOptions::encoding, "how context and action become its input",
         Choices{{"multi-head", "concat", "outer"}}},
        {"basis", &AutoOptions::basis, "directions of the body's subspace", random_basis_kinds()},
        {"dim", &AutoOptions::dim,
         "dimensions of the body's subspace, at most its number of parameters", at_least(1)},
        {"skip", &AutoOptions::skip,
         "feed the head from the input and every stage, not from the last hidden layer alone"},
        {"prior_predictive", &AutoOptions::prior_predictive,
         "one member each: prior variance of a reward's prediction over the noise variance",
         positive()},
        {"linear", &AutoOptions::linear, "a member that is the linear model"},
        {"forgetting", &AutoOptions::forgetting,
         "of one more member: what old evidence counts after each reward; 1: no such member",
         above_up_to(0, 1)},
        {"noise_a0", &AutoOptions::noise_a0,
         "prior of the noise variance, in units of the rewards' mean square: inverse gamma shape",
         positive()},
        {"noise_b0", &AutoOptions::noise_b0, "the same: inverse gamma scale", positive()},
        {"robust", &AutoOptions::robust, "weigh down rewards far from anything expected"},
        {"soft_clip", &AutoOptions::soft_clip,
         "features beyond twice their usual size grow by their logarithm only"},
        {"centre", &AutoOptions::centre,
         "subtract the warm-up's mean image from pixels, for networks without convolutions"},
        {"degrees", &AutoOptions::degrees,
         "members are weighed by a Student-t with at most so many degrees of freedom", positive()},
        {"share", &AutoOptions::share,
         "part of the weight that is dealt out anew to all members after each reward",
         between(0, 1)}};
    rows.include(policy_options());
    return rows;
  }();
  return table;
}

BankOptions bank_options(const AutoOptions& options) {
  BankOptions bank;
  bank.policy = options;
  bank.encoding = options.encoding;
  bank.share = options.share;
  bank.soft_clip = options.soft_clip;
  bank.centre = options.centre;
  bank.models.push_back({options.model, {options.skip, options.basis, options.dim}});

  HeadFilterOptions filter;
  filter.noise = {options.noise_a0, options.noise_b0};
  filter.robust = options.robust ? kRobust : 0;
  filter.degrees = options.degrees;
  for (const double scale : options.prior_predictive) {
    bank.members.push_back({fmt::format("prior_{}", scale), 0, scale, filter});
  }
  if (options.forgetting < 1) {
    HeadFilterOptions forgetful = filter;
    forgetful.forgetting = options.forgetting;
    bank.members.push_back({"forgetting", 0, options.prior_predictive.front(), forgetful});
  }
  if (options.linear) {
    // Weights as agent 'linear' believes them by default.
    bank.models.push_back({"linear", {}});
    HeadFilterOptions linear = filter;
    linear.prior_variance = 4;
    bank.members.push_back({"linear", 1, 0, linear});
  }
  return bank;
}

AgentEntry auto_agent() {
  return {"auto", "sets itself: filters over head and body, and the linear model, weighted by fit",
          [] { return auto_options().docs(); },
          [](const OptionTexts& texts, const ProblemShape& shape) -> std::unique_ptr<Agent> {
            return std::make_unique<BankAgent>(
                bank_options(auto_options().parse("agent 'auto'", texts)), shape);
          },
          true};
}

}  // namespace bandolier
