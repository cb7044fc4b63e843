#include "bandolier/filter/mixture.h"

#include <algorithm>

namespace bandolier {

Mixture::Mixture(std::vector<std::shared_ptr<const Predictor>> predictors,
                 std::vector<MixtureMember> members, double share, const RewardUnit& unit)
    : predictors_(std::move(predictors)),
      members_(std::move(members)),
      weights_(members_.size(), share),
      unit_(unit) {}

MixtureScratch Mixture::make_scratch() const {
  MixtureScratch scratch;
  for (const auto& predictor : predictors_) scratch.predictors.push_back(predictor->make_scratch());
  scratch.bound.assign(predictors_.size(), false);
  scratch.draws.resize(predictors_.size());
  scratch.members.resize(members_.size());
  scratch.log_predictive.resize(members_.size());
  scratch.awake.resize(members_.size());
  return scratch;
}

void Mixture::release(MixtureScratch& scratch) const {
  std::fill(scratch.bound.begin(), scratch.bound.end(), false);
}

PredictorScratch& Mixture::bound(std::size_t predictor, const Context& context,
                                 MixtureScratch& scratch) const {
  if (!scratch.bound[predictor]) {
    predictors_[predictor]->bind(context, scratch.predictors[predictor]);
    scratch.bound[predictor] = true;
  }
  return scratch.predictors[predictor];
}

std::size_t Mixture::draw(Random& random) const {
  return members_.size() > 1 ? weights_.draw(random.uniform()) : 0;
}

FilterScorer Mixture::scorer(std::size_t member, const Context& context,
                             MixtureScratch& scratch) const {
  const std::size_t p = members_[member].predictor;
  return {*predictors_[p], members_[member].filter, unit_.unit(), bound(p, context, scratch),
          scratch.draws[p]};
}

bool Mixture::weigh(const Context& context, Index action, float reward,
                    MixtureScratch& scratch) const {
  const float y = unit_.in_units(reward);
  bool accepted = true;
  for (std::size_t i = 0; i < members_.size(); ++i) {
    scratch.awake[i] = weights_.awake(i, steps_);
    if (!scratch.awake[i]) continue;
    const auto& [name, p, filter] = members_[i];
    auto& [tangent, step, update] = scratch.members[i];
    predictors_[p]->linearise(filter.belief(), action, bound(p, context, scratch), tangent);
    step = filter.weigh(tangent.view(), y, update);
    scratch.log_predictive[i] = step.log_predictive;
    accepted = accepted && step.accepted;
  }
  return accepted;
}

// The last member that was weighed is the first to believe: it is still in the cache. One that
// sleeps forgets as the others do.
void Mixture::believe(MixtureScratch& scratch) {
  const std::size_t leader = weights_.leader();
  if (scratch.awake[leader]) {
    const auto& step = scratch.members[leader].step;
    const auto follow = [&](double& mean, double horizon) {
      mean += (step.error * step.error / step.variance - mean) /
              std::min(static_cast<double>(steps_) + 1, horizon);
    };
    follow(surprise_, 1000);
    follow(recent_surprise_, 50);
  }
  for (std::size_t i = members_.size(); i-- > 0;) {
    auto& [tangent, step, update] = scratch.members[i];
    if (scratch.awake[i]) members_[i].filter.believe(step, tangent.view(), update);
    members_[i].filter.advance(update);
  }
  ++steps_;
  weights_.update(scratch.log_predictive, scratch.awake);
}

bool Mixture::learn_first(const Context& context, Index action, float reward,
                          MixtureScratch& scratch) {
  const bool accepted = weigh(context, action, reward, scratch);
  if (accepted) believe(scratch);
  release(scratch);
  return accepted;
}

bool Mixture::learn(const Context& context, Index action, float reward, MixtureScratch& scratch) {
  const auto y = static_cast<double>(reward);
  if (!unit_.plausible(y)) {
    release(scratch);
    return false;
  }
  const RewardUnit old_unit = unit_;
  const double factor = unit_.add(y);
  if (factor == 1) {
    const bool accepted = learn_first(context, action, reward, scratch);
    if (!accepted) unit_ = old_unit;
    return accepted;
  }
  // A new unit, now and then: beliefs are put into it before the reward is weighed.
  std::vector<MixtureMember> before = members_;
  for (auto& member : members_) member.filter.rescale(factor);
  const bool accepted = learn_first(context, action, reward, scratch);
  if (!accepted) {
    unit_ = old_unit;
    members_ = std::move(before);
  }
  return accepted;
}

std::size_t Mixture::bytes() const {
  std::size_t total = sizeof unit_ + weights_.size() * sizeof(double);
  for (const auto& member : members_) total += member.filter.bytes();
  return total;
}

void Mixture::save(ArchiveWriter& out) const {
  out.write("steps", steps_);
  out.write("innovation_ratio", surprise_);
  out.write("recent_innovation_ratio", recent_surprise_);
  unit_.save_section(out);
  {
    const auto section = out.section("weights");
    weights_.save(out);
  }
  for (std::size_t i = 0; i < members_.size(); ++i) {
    const auto section = out.section("filter", i);
    members_[i].filter.save(out);
  }
}

void Mixture::load(const ArchiveReader& in) {
  steps_ = in.read_count("steps");
  constexpr Bounds kRatios{0, 1e300};
  surprise_ = in.read_double("innovation_ratio", kRatios);
  recent_surprise_ = in.read_double("recent_innovation_ratio", kRatios);
  unit_.load_section(in);
  weights_.load(in.section("weights"));
  for (std::size_t i = 0; i < members_.size(); ++i) {
    members_[i].filter.load(in.section("filter", i));
  }
}

}  // namespace bandolier
