// A mixture of filters that all learn from every reward, weighted by the likelihood that each gave
// to a reward before seeing it (prequential Bayesian model averaging: mixture_weights.h). A
// decision draws a member by weight and acts by it: Thompson sampling over models as well as over
// their parameters. A member that has lost its weight learns from one reward in four: it costs a
// quarter and can come back. A mixture of one is a filter.
//
// A challenger, where one is asked for, is one more member for a world that changes. Every so many
// rewards, or sooner where the leader's errors tell of a change (challenger_term.h), it begins anew
// from the prior of the member that leads, with what that one knows of the noise, and with next to
// no weight. Where it has come to weigh more than all others by then, what they have learnt no
// longer holds: it takes the leader's place, and the others begin anew.
//
// Members share predictors, and so the contraction of a context; a decision costs one member's, a
// reward all of theirs. Many rewards at once cost less (mixture_batch.cc). Rewards are seen in
// units of their size or spread (reward_unit.h).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bandolier/filter/challenger_term.h"
#include "bandolier/filter/filter_scorer.h"
#include "bandolier/filter/mixture_weights.h"
#include "bandolier/model/reward_unit.h"

namespace bandolier {

struct MixtureMember {
  std::string name;
  std::size_t predictor = 0;  // which of the mixture's
  Filter<float> filter;
  double prior = 1;  // weight before any reward, beside the others'
};

// A caller's memory.
struct MixtureScratch {
  // One member's reward, between weighing and believing.
  struct Reward {
    Tangent tangent;
    Filter<float>::Step step;
    ParameterScratch<float> update;
  };

  std::vector<PredictorScratch> predictors;
  std::vector<bool> bound;           // predictors bound to the context at hand
  std::vector<ScorerScratch> draws;  // one per predictor: their sizes differ
  std::vector<Reward> members;
  std::vector<double> log_predictive;
  std::vector<bool> awake;

  // Of many rewards at once.
  struct Batch {
    struct Features {            // of a predictor
      std::vector<Index> heads;  // of each reward
      BatchGroups groups;        // by head
      Matrix<float> phi;         // a row per reward, grouped
    };
    std::vector<Features> predictors;
    std::vector<BatchUpdate<float>> members;
    BatchScratch<float> write;
  };
  Batch batch;
};

struct MixtureOptions {
  double share = 0;  // of the weight that is dealt out anew (mixture_weights.h)
  std::int64_t challenger =
      0;  // rewards after which it begins anew, at the latest; 0: there is none
};

class Mixture {
 public:
  // `unit` has taken in the rewards of the warm-up, if any.
  Mixture(std::vector<std::shared_ptr<const Predictor>> predictors,
          std::vector<MixtureMember> members, const MixtureOptions& options,
          const RewardUnit& unit);

  MixtureScratch make_scratch() const;

  // Another context is at hand: nothing is bound.
  void release(MixtureScratch& scratch) const;

  // The member to act by; the stream is drawn from only where there is a choice.
  std::size_t draw(Random& random) const;
  FilterScorer scorer(std::size_t member, const Context& context, MixtureScratch& scratch) const;

  // Learns from one reward; false, and nothing changed, if a member would not stay finite.
  bool learn(const Experience& one, MixtureScratch& scratch);
  // The same for a reward of the warm-up, which the unit knows already.
  bool learn_first(const Experience& one, MixtureScratch& scratch);

  // Whether many rewards at once cost less: features that nothing moves, heads of full covariance,
  // and no time that passes between rewards. Else one after the other is all that there is.
  bool learns_batches() const;
  // What learn does with each in turn, but for round-off; accepted[i] is what it returns.
  void learn_batch(std::span<const Experience> rewards, MixtureScratch& scratch,
                   std::span<bool> accepted);

  const std::vector<MixtureMember>& members() const { return members_; }
  const MixtureWeights& weights() const { return weights_; }
  const RewardUnit& unit() const { return unit_; }
  const Predictor& predictor(std::size_t index) const { return *predictors_[index]; }
  const std::vector<std::shared_ptr<const Predictor>>& predictors() const { return predictors_; }
  const MixtureMember& leader() const { return members_[weights_.leader()]; }
  // How often the challenger has taken the leader's place.
  std::int64_t restarts() const { return restarts_; }
  // Running means of the leader's e² over its expected value, 1 where it is calibrated: over about
  // 1,000 rewards, and over about 50.
  double innovation_ratio() const { return surprise_; }
  double recent_innovation_ratio() const { return recent_surprise_; }

  std::size_t bytes() const;
  // What learning writes. Predictors are the owner's to save.
  void save(ArchiveWriter& out) const;
  void load(const ArchiveReader& in);

 private:
  PredictorScratch& bound(std::size_t predictor, const Context& context,
                          MixtureScratch& scratch) const;
  // A reward, and its place in the batch at hand, if it is of one.
  struct Observed {
    const Context& context;
    Index action;
    float reward;
    float weight = 1;
    std::optional<std::size_t> place = {};
  };
  bool weigh(const Observed& observed, MixtureScratch& scratch) const;
  void believe(const Observed& observed, MixtureScratch& scratch);
  bool renewal_is_due() const { return term_.over(challenger_leads()); }

  // As many of the first rewards as one block takes, up to where the unit of rewards or the
  // challenger changes; how many.
  std::size_t learn_block(std::span<const Experience> rewards, MixtureScratch& scratch,
                          std::span<bool> accepted);
  std::span<const Experience> begin_block(std::span<const Experience> rewards,
                                          MixtureScratch& scratch) const;
  void begin_member(std::size_t member, std::size_t rewards, MixtureScratch& scratch) const;
  Filter<float>::Step weigh_in_batch(std::size_t member, std::size_t place, float y,
                                     MixtureScratch& scratch) const;
  void believe_in_batch(std::size_t member, std::size_t place, MixtureScratch& scratch);
  void end_block(MixtureScratch& scratch);

  std::size_t challenger() const { return members_.size() - 1; }
  bool challenger_leads() const;
  // The time of the challenger is over.
  void renew_challenger();
  // A member begins anew, with what `other` knows of the noise.
  void restart(std::size_t member, const Filter<float>& other);

  std::vector<std::shared_ptr<const Predictor>> predictors_;
  std::vector<MixtureMember> members_;
  MixtureWeights weights_;
  MixtureOptions options_;
  RewardUnit unit_;
  std::int64_t steps_ = 0;
  ChallengerTerm term_;
  std::size_t model_ = 0;  // the member whose prior the challenger began from
  std::int64_t restarts_ = 0;
  double surprise_ = 1, recent_surprise_ = 1;
};

}  // namespace bandolier
