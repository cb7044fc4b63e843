// A bank of filters that all learn from every reward, weighted by the likelihood that each gave to
// a reward before seeing it (prequential Bayesian model averaging: mixture_weights.h). A decision
// samples a member by weight, then acts by it: Thompson sampling over models as well as over their
// parameters. A member that has lost its weight learns from one reward in four: it costs a quarter
// and can come back.
//
// Members share the network, its basis and the contraction of a context; a decision costs one
// member's, a reward all of theirs. Rewards are seen in units of their size (reward_unit.h).
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "bandolier/agent/agent.h"
#include "bandolier/agent/head_filter.h"
#include "bandolier/filter/mixture_weights.h"
#include "bandolier/policy/policy.h"
#include "bandolier/filter/reward_unit.h"
#include "bandolier/model/mean_image.h"
#include "bandolier/model/soft_clip.h"

namespace bandolier {

// One member as it is asked for. `prior_predictive` sets its prior so that the prior predictive
// variance of a reward, averaged over the warm-up's pulls, is that many times the noise variance;
// 0: filter.prior_variance as given.
struct BankMember {
  std::string name;
  std::size_t model = 0;  // which of the bank's models
  double prior_predictive = 3;
  HeadFilterOptions filter;
};

struct BankModel {
  std::string text;  // mlp:100, lenet5, linear
  HeadModelOptions options;
};

struct BankOptions {
  PolicyOptions policy;
  std::string encoding = "multi-head";
  std::vector<BankModel> models;
  std::vector<BankMember> members;
  double share = 1e-5;     // α
  bool soft_clip = false;  // of the features (soft_clip.h)
  bool centre = false;     // pixels, for models without convolutions (mean_image.h)
};

class BankAgent final : public Agent {
 public:
  BankAgent(const BankOptions& options, const ProblemShape& shape);

  void warm_up(std::span<const Experience> experience, Random& random) override;
  std::unique_ptr<Scratch> make_scratch() const override;
  Decision choose(const Context& context, Random& random, Scratch& scratch) const override;
  void observe(const Feedback& feedback, Random& random, Scratch& scratch) override;
  AgentReport report() const override;
  std::unique_ptr<Agent> clone() const override;
  void save(ArchiveWriter& out) const override;
  void load(ArchiveReader& in) override;

 private:
  struct Memory;
  struct Seen;
  class MemberScorer;

  Memory& memory(Scratch& scratch) const;
  void require_memory() const;
  void make_models();
  void make_filters();
  void bind(const Context& context, std::size_t model, HeadWork& work, Seen& seen) const;
  HeadWork& bound(std::size_t model, const Context& context, Memory& memory) const;
  void learn(const Experience& experience, Memory& memory);

  BankOptions options_;
  ProblemShape shape_;
  Policy policy_;
  RewardUnit scale_{RewardUnit::Of::kSize};
  SoftClip clip_;
  MeanImage mean_image_;
  std::vector<RewardModel> reward_models_;
  StreamKey random_key_;                                  // of the warm-up: makes the models again
  std::vector<std::shared_ptr<const HeadModel>> models_;  // empty until warm-up
  std::vector<double> prior_variances_;                   // of the members
  std::vector<HeadFilter> filters_;
  MixtureWeights weights_;
  std::int64_t steps_ = 0;
  std::int64_t refused_ = 0;
  double surprise_ = 1;         // running mean of the leader's e² over its expected value
  double recent_surprise_ = 1;  // the same over about 50 rewards
};

}  // namespace bandolier
