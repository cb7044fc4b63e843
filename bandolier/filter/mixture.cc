#include "bandolier/filter/mixture.h"

#include <algorithm>

namespace bandolier {
namespace {

// Of a challenger that begins: a change must be seen against odds of so many to one, and a world
// that stays as it is is left once in 10⁵ rewards at most.
constexpr double kFirstWeight = 1e-9;
// A reward so many deviations from what the leader expected wakes all members.
constexpr double kSurprise = 3;

// A challenger of less weight neither decides nor takes a place: one that few rewards have taught
// is right now and then by chance.
constexpr double kLead = 0.5;

std::vector<MixtureMember> with_challenger(std::vector<MixtureMember> members, bool asked_for) {
  if (asked_for) {
    members.push_back(members.front());
    members.back().name = "challenger";
    members.back().prior = kFirstWeight;
  }
  return members;
}

std::vector<double> priors(const std::vector<MixtureMember>& members) {
  std::vector<double> prior;
  for (const MixtureMember& member : members) prior.push_back(member.prior);
  return prior;
}

}  // namespace

Mixture::Mixture(std::vector<std::shared_ptr<const Predictor>> predictors,
                 std::vector<MixtureMember> members, const MixtureOptions& options,
                 const RewardUnit& unit)
    : predictors_(std::move(predictors)),
      members_(with_challenger(std::move(members), options.challenger > 0)),
      weights_(priors(members_), options.share),
      options_(options),
      unit_(unit),
      term_(options.challenger) {
  if (options_.challenger > 0) weights_.begin(challenger(), kFirstWeight);
}

MixtureScratch Mixture::make_scratch() const {
  MixtureScratch scratch;
  for (const auto& predictor : predictors_) scratch.predictors.push_back(predictor->make_scratch());
  scratch.bound.assign(predictors_.size(), false);
  scratch.draws.resize(predictors_.size());
  scratch.members.resize(members_.size());
  scratch.log_predictive.resize(members_.size());
  scratch.awake.resize(members_.size());
  scratch.batch.predictors.resize(predictors_.size());
  scratch.batch.members.resize(members_.size());
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
  if (members_.size() == 1) return 0;
  const double u = random.uniform();
  if (options_.challenger == 0) return weights_.draw(u);
  return challenger_leads() ? challenger() : weights_.draw(u * (1 - weights_[challenger()]));
}

bool Mixture::challenger_leads() const {
  return options_.challenger > 0 && weights_[challenger()] > kLead;
}

FilterScorer Mixture::scorer(std::size_t member, const Context& context,
                             MixtureScratch& scratch) const {
  const std::size_t p = members_[member].predictor;
  return {*predictors_[p], members_[member].filter, unit_.unit(), bound(p, context, scratch),
          scratch.draws[p]};
}

bool Mixture::weigh(const Observed& observed, MixtureScratch& scratch) const {
  const float y = unit_.in_units(observed.reward);
  const auto weigh_one = [&](std::size_t i) {
    const auto& [name, p, filter, prior] = members_[i];
    auto& [tangent, step, update] = scratch.members[i];
    if (observed.place) {
      step = weigh_in_batch(i, *observed.place, y, scratch);
    } else {
      predictors_[p]->linearise(filter.belief(), observed.action,
                                bound(p, observed.context, scratch), tangent);
      step = filter.weigh(tangent.view(), y, update, observed.weight);
    }
    scratch.log_predictive[i] = step.log_predictive;
    return step.accepted;
  };
  const std::size_t leader = weights_.leader();
  bool accepted = weigh_one(leader);
  const auto& expected = scratch.members[leader].step;
  const bool surprising =
      expected.error * expected.error > kSurprise * kSurprise * expected.variance;
  for (std::size_t i = 0; i < members_.size(); ++i) {
    scratch.awake[i] = i == leader || surprising || weights_.awake(i, steps_);
    if (scratch.awake[i] && i != leader) accepted = weigh_one(i) && accepted;
  }
  return accepted;
}

// The last member that was weighed is the first to believe: it is still in the cache. One that
// sleeps forgets as the others do.
void Mixture::believe(const Observed& observed, MixtureScratch& scratch) {
  const auto& expected = scratch.members[weights_.leader()].step;
  const double squared = expected.error * expected.error / expected.variance;
  const auto follow = [&](double& mean, double horizon) {
    mean += (squared - mean) / std::min(static_cast<double>(steps_) + 1, horizon);
  };
  term_.pass(squared);
  follow(surprise_, 1000);
  follow(recent_surprise_, 50);
  for (std::size_t i = members_.size(); i-- > 0;) {
    auto& [tangent, step, update] = scratch.members[i];
    if (scratch.awake[i]) {
      if (observed.place) {
        believe_in_batch(i, *observed.place, scratch);
      } else {
        members_[i].filter.believe(step, tangent.view(), update);
      }
    }
    members_[i].filter.advance(update);
  }
  ++steps_;
  weights_.update(scratch.log_predictive, scratch.awake);
}

void Mixture::renew_challenger() {
  term_.begin();
  if (challenger_leads()) {
    std::swap(members_[model_].filter, members_[challenger()].filter);
    weights_.swap(model_, challenger());
    for (std::size_t i = 0; i < challenger(); ++i) {
      if (i != model_) restart(i, members_[model_].filter);
    }
    ++restarts_;
  }
  const std::size_t leader = weights_.leader();
  if (leader != model_) {
    members_[challenger()].predictor = members_[leader].predictor;
    members_[challenger()].filter = members_[leader].filter;
    model_ = leader;
  }
  restart(challenger(), members_[leader].filter);
  weights_.begin(challenger(), kFirstWeight);
}

void Mixture::restart(std::size_t member, const Filter<float>& other) {
  auto& [name, predictor, filter, prior] = members_[member];
  filter.restart(predictors_[predictor]->head_means(), other);
}

bool Mixture::learn_first(const Experience& one, MixtureScratch& scratch) {
  const Observed observed{one.context, one.action, one.reward, one.weight};
  const bool accepted = weigh(observed, scratch);
  if (accepted) {
    believe(observed, scratch);
    if (renewal_is_due()) renew_challenger();
  }
  release(scratch);
  return accepted;
}

bool Mixture::learn(const Experience& one, MixtureScratch& scratch) {
  const auto y = static_cast<double>(one.reward);
  if (!unit_.plausible(y)) {
    release(scratch);
    return false;
  }
  const RewardUnit old_unit = unit_;
  const double factor = unit_.add(y);
  if (factor == 1) {
    const bool accepted = learn_first(one, scratch);
    if (!accepted) unit_ = old_unit;
    return accepted;
  }
  // A new unit, now and then: beliefs are put into it before the reward is weighed.
  std::vector<MixtureMember> before = members_;
  for (auto& member : members_) member.filter.rescale(factor);
  const bool accepted = learn_first(one, scratch);
  if (!accepted) {
    unit_ = old_unit;
    members_ = std::move(before);
  }
  return accepted;
}

std::size_t Mixture::bytes() const {
  std::size_t total = sizeof unit_ + weights_.size() * sizeof(double), largest = 0;
  for (const auto& member : members_) {
    total += member.filter.bytes();
    largest = std::max(largest, member.filter.bytes());
  }
  // A challenger may be of any member's size.
  if (options_.challenger > 0) total += largest - members_.back().filter.bytes();
  return total;
}

void Mixture::save(ArchiveWriter& out) const {
  out.write("steps", steps_);
  if (options_.challenger > 0) {
    out.write("challenged", static_cast<std::int64_t>(model_));
    out.write("restarts", restarts_);
    const auto section = out.section("term");
    term_.save(out);
  }
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
  if (options_.challenger > 0) {
    const auto last = static_cast<std::int64_t>(challenger()) - 1;
    model_ = static_cast<std::size_t>(in.read_integer("challenged", 0, last));
    restarts_ = in.read_count("restarts");
    term_.load(in, steps_);
    members_[challenger()].predictor = members_[model_].predictor;
    members_[challenger()].filter = members_[model_].filter;
  }
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
