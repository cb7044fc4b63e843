// Linear bandit: one Bayesian linear regression an action on the context's features, exact
// (appendix A.1). Thompson sampling by default.
#pragma once

#include "bandolier/agent/registry.h"
#include "bandolier/belief/normal_inverse_gamma.h"
#include "bandolier/model/encoding.h"
#include "bandolier/model/soft_clip.h"
#include "bandolier/policy/policy.h"

namespace bandolier {

struct LinearOptions : PolicyOptions {
  LinearOptions() { temperature = 1; }  // classic Thompson sampling

  double lambda = 0.25;  // prior precision of a weight, in units of the noise precision
  double a0 = 6;         // prior of the noise variance: inverse gamma (a0, b0), in squared
  double b0 = 6;         // reward units
  std::optional<double> noise_variance;  // auto: inferred, one an action
  bool intercept = true;
  bool soft_clip = false;
};
const OptionTable<LinearOptions>& linear_options();

class LinearAgent final : public Agent {
 public:
  // Throws Error for a problem whose set of actions changes: there is one model an action.
  LinearAgent(const LinearOptions& options, const ProblemShape& shape);

  void warm_up(std::span<const Experience> experience, Random& random) override;
  std::unique_ptr<Scratch> make_scratch() const override;
  Decision choose(const Context& context, Random& random, Scratch& scratch) const override;
  void choose_batch(std::span<const Context> contexts, Random& random, Scratch& scratch,
                    std::span<Index> actions) const override;
  void observe(const Feedback& feedback, Random& random, Scratch& scratch) override;
  AgentReport report() const override;
  std::unique_ptr<Agent> clone() const override;
  void save(ArchiveWriter& out) const override;
  void load(ArchiveReader& in) override;

 private:
  // x = (s, 1): the context's features and the intercept's constant.
  void encode(const Context& context, Vector<float>& x) const;
  void learn(const Experience& experience, Vector<float>& x);

  Encoder encoder_;
  Index dim_;
  std::optional<SoftClip> clip_;
  Policy policy_;
  std::vector<NormalInverseGamma<float>> heads_;  // one an action
  std::int64_t steps_ = 0;
  std::int64_t refused_ = 0;  // rewards that would have made a belief non-finite
};

AgentEntry linear_agent();

}  // namespace bandolier
