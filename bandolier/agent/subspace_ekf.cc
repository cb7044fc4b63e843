#include "bandolier/agent/subspace_ekf.h"

#include <algorithm>
#include <cmath>

#include "bandolier/agent/ekf_batch.h"
#include "bandolier/agent/subspace_head.h"

namespace bandolier {

// One caller's memory. While `ticket` is not 0 it is bound to that decision's context.
struct SubspaceEkfAgent::Memory final : Scratch {
  std::unique_ptr<BoundScratch> bound;
  Vector<float> z, noise, gradient, work;
  Vector<float> rewards, mean_rewards;  // one an action, in the filter's units
  std::vector<float> buffer;
  EkfBatch batch;
};

// What the belief says of the bound context. Scores are expected rewards in the user's units.
class SubspaceEkfAgent::BeliefScorer final : public Scorer {
 public:
  BeliefScorer(const SubspaceEkfAgent& agent, Memory& memory) : agent_(agent), memory_(memory) {}

  void mean(std::span<float> out) override {
    agent_.model().predict(filter().mean(), *memory_.bound, memory_.mean_rewards);
    write(memory_.mean_rewards, out);
  }

  // f_a(μ + τ S ε) where all temperatures are the same. Otherwise the network is evaluated at the
  // smallest, and an action's deviation from f_a(μ) is enlarged by its own temperature over that:
  // exact for a predictor that is linear in z, and two passes whatever the number of actions.
  void sample(Random& random, std::span<const float> temperature, std::span<float> out) override {
    const auto [low, high] = std::minmax_element(temperature.begin(), temperature.end());
    filter().sample(random, *low, memory_.noise, memory_.z);
    agent_.model().predict(memory_.z, *memory_.bound, memory_.rewards);
    if (*high > *low && *low > 0) {
      agent_.model().predict(filter().mean(), *memory_.bound, memory_.mean_rewards);
      for (std::size_t a = 0; a < out.size(); ++a) {
        const auto i = static_cast<Index>(a);
        memory_.rewards[i] = memory_.mean_rewards[i] +
                             temperature[a] / *low * (memory_.rewards[i] - memory_.mean_rewards[i]);
      }
    }
    write(memory_.rewards, out);
  }

  // √(gᵀPg), times the slope of the mean reward in its predictor.
  void deviation(std::span<float> out) override {
    for (std::size_t a = 0; a < out.size(); ++a) {
      const float eta = agent_.model().linearise(filter().mean(), static_cast<Index>(a),
                                                 *memory_.bound, memory_.gradient);
      const bool gaussian = filter().likelihood().family() == Likelihood::Family::kGaussian;
      const float slope = gaussian ? 1 : filter().likelihood().observe(eta, 0.0f).curvature;
      out[a] = unit() * slope * filter().deviation(memory_.gradient, memory_.work);
    }
  }

 private:
  const EkfFilter<float>& filter() const { return *agent_.filter_; }
  float unit() const { return static_cast<float>(agent_.scale_.unit()); }

  void write(const Vector<float>& eta, std::span<float> out) const {
    for (std::size_t a = 0; a < out.size(); ++a) {
      const auto value = static_cast<double>(eta[static_cast<Index>(a)]);
      out[a] = unit() * static_cast<float>(filter().likelihood().response(value));
    }
  }

  const SubspaceEkfAgent& agent_;
  Memory& memory_;
};

namespace {

double fixed_unit(const SubspaceEkfOptions& options) {
  if (options.likelihood != Likelihood::Family::kGaussian) return 1;
  if (options.reward_unit) return *options.reward_unit;
  return options.noise_variance ? 1 : 0;
}

const SubspaceEkfOptions& checked(const SubspaceEkfOptions& options) {
  check(options);
  return options;
}

}  // namespace

SubspaceEkfAgent::SubspaceEkfAgent(const SubspaceEkfOptions& options, const ProblemShape& shape)
    : options_(checked(options)),
      reward_model_(options.model, parse_encoding(options.encoding), shape),
      policy_(options, shape.actions),
      scale_(RewardUnit::Of::kSpread, fixed_unit(options)) {
  if (options.basis == BasisKind::kIdentity) {
    require_ekf_memory(options, reward_model_, reward_model_.parameters());
  } else if (options.dim && *options.dim >= 1) {
    const auto dim = static_cast<Index>(*options.dim);
    check_dim(dim, reward_model_.parameters());
    require_ekf_memory(options, reward_model_, dim);
  }
}

void SubspaceEkfAgent::warm_up(std::span<const Experience> experience, Random& random) {
  const Likelihood likelihood = Likelihood::make(options_.likelihood);
  std::vector<float> rewards;
  for (const Experience& one : experience) {
    check(one, reward_model_.encoder().shape());
    likelihood.check(static_cast<double>(one.reward));
    rewards.push_back(one.reward);
  }
  scale_.start(rewards);
  std::vector<Experience> seen(experience.begin(), experience.end());
  for (Experience& one : seen) {
    one.reward = static_cast<float>(static_cast<double>(one.reward) / scale_.unit());
  }
  setup_ = set_up_ekf(options_, reward_model_, seen, scale_.unit(), random);
  filter_ = make_ekf_filter(options_, setup_, scale_.unit());

  const auto scratch = make_scratch();
  Memory& own = memory(*scratch);
  for (const Experience& one : seen) {
    if (options_.filter_warmup) {
      model().bind(one.context, *own.bound);
      learn(one.action, one.reward, own);
    }
    policy_.count(one.context, one.action, one.reward);
  }
}

std::unique_ptr<Scratch> SubspaceEkfAgent::make_scratch() const {
  return std::make_unique<Memory>();
}

SubspaceEkfAgent::Memory& SubspaceEkfAgent::memory(Scratch& scratch) const {
  if (!filter_) fail("this agent has not warmed up: call warm_up, with an empty list if need be");
  auto& own = static_cast<Memory&>(scratch);
  if (own.bound == nullptr) {
    own.bound = model().make_scratch();
    own.z.resize(model().dim());
    own.gradient.resize(model().dim());
  }
  return own;
}

Decision SubspaceEkfAgent::choose(const Context& context, Random& random, Scratch& scratch) const {
  check(context, reward_model_.encoder().shape());
  Memory& own = memory(scratch);
  own.ticket = 0;
  model().bind(context, *own.bound);
  own.rewards.resize(context.actions);
  own.mean_rewards.resize(context.actions);
  BeliefScorer scorer(*this, own);
  Decision decision = policy_.choose(scorer, context, random, scratch, own.buffer);
  decision.ticket = own.ticket = own.new_ticket();
  return decision;
}

void SubspaceEkfAgent::choose_batch(std::span<const Context> contexts, Random& random,
                                    Scratch& scratch, std::span<Index> actions) const {
  EkfBatch& batch = memory(scratch).batch;
  if (batch.bound == nullptr) batch.bound = model().make_batch_scratch();
  if (batch.bound == nullptr || policy_.asks_for_deviations()) {
    Agent::choose_batch(contexts, random, scratch, actions);
    return;
  }
  check_batch(contexts, actions);
  for (const Context& context : contexts) check(context, reward_model_.encoder().shape());
  EkfBatchScorer scorer(model(), *filter_, static_cast<float>(scale_.unit()), batch);
  for (std::size_t first = 0; first < contexts.size(); first += kBatchRows) {
    const auto some = contexts.subspan(first, std::min(kBatchRows, contexts.size() - first));
    model().bind_batch(some, *batch.bound);
    policy_.choose_batch(scorer, some, random, static_cast<std::uint32_t>(first), batch.scores,
                         actions.subspan(first, some.size()));
  }
}

void SubspaceEkfAgent::observe(const Feedback& feedback, Random&, Scratch& scratch) {
  check(feedback, reward_model_.encoder().shape());
  const auto reward = static_cast<double>(feedback.reward);
  Memory& own = memory(scratch);
  filter_->likelihood().check(reward);
  policy_.count(feedback.context, feedback.action, feedback.reward);
  if (!scale_.plausible(reward)) {
    ++refused_;
    return;
  }
  if (feedback.ticket == 0 || feedback.ticket != own.ticket) {
    own.ticket = 0;
    model().bind(feedback.context, *own.bound);
  }
  const auto factor = static_cast<float>(scale_.add(reward));
  if (factor != 1) filter_->rescale(factor);
  learn(feedback.action, static_cast<float>(reward / scale_.unit()), own);
}

void SubspaceEkfAgent::learn(Index action, float reward, Memory& own) {
  const float eta = model().linearise(filter_->mean(), action, *own.bound, own.gradient);
  const double noise = filter_->noise() ? filter_->noise()->mean() : 1;
  const auto step = filter_->update(eta, own.gradient, reward);
  if (!step.accepted) {
    ++refused_;
    return;
  }
  ++steps_;
  const auto error = static_cast<double>(step.error), variance = static_cast<double>(step.variance);
  const double weight = 1 / static_cast<double>(std::min<std::int64_t>(steps_, 1000));
  surprise_ += weight * (error * error / (noise * variance) - surprise_);
}

AgentReport SubspaceEkfAgent::report() const {
  AgentReport report;
  report.parameters = reward_model_.parameters();
  report.steps = steps_;
  report.belief_bytes = policy_.bytes() + sizeof(RewardUnit);
  if (!filter_) return report;
  report.belief_bytes += filter_->bytes();
  if (options_.basis != BasisKind::kIdentity) report.subspace_dim = model().dim();
  report.notes = setup_.notes;
  if (refused_ > 0) {
    report.notes.push_back(
        fmt::format("{} rewards were refused: they would have made the belief infinite", refused_));
  }
  report.signals["reward_unit"] = scale_.unit();
  report.signals["innovation_ratio"] = surprise_;
  report.signals["prior_variance"] = setup_.prior_variance;
  if (filter_->noise()) {
    report.signals["noise_variance"] = filter_->noise()->mean() * scale_.unit() * scale_.unit();
  }
  return report;
}

std::unique_ptr<Agent> SubspaceEkfAgent::clone() const {
  return std::make_unique<SubspaceEkfAgent>(*this);
}

void SubspaceEkfAgent::save(ArchiveWriter& out) const {
  if (!filter_) fail("this agent has not warmed up: there is nothing to save");
  save_size(reward_model_, out);
  out.write("steps", steps_);
  out.write("refused", refused_);
  out.write("innovation_ratio", surprise_);
  policy_.save(out);
  scale_.save(out);
  setup_.save(out);
  filter_->save(out);
}

void SubspaceEkfAgent::load(ArchiveReader& in) {
  check_size(reward_model_, in);
  steps_ = in.read_integer("steps");
  refused_ = in.read_integer("refused");
  surprise_ = in.read_double("innovation_ratio");
  policy_.load(in);
  scale_.load(in);
  setup_ = EkfSetup::load(reward_model_, in);
  filter_ = make_ekf_filter(options_, setup_, scale_.unit());
  filter_->load(in);
}

AgentEntry subspace_ekf_agent() {
  return {"subspace-ekf", "extended Kalman filter over all weights, in a subspace (the paper's)",
          [] { return subspace_ekf_options().docs(); },
          [](const OptionTexts& texts, const ProblemShape& shape) -> std::unique_ptr<Agent> {
            const auto options = subspace_ekf_options().parse("agent 'subspace-ekf'", texts);
            if (options.head == "full") {
              return std::make_unique<BankAgent>(subspace_head_bank(options), shape);
            }
            return std::make_unique<SubspaceEkfAgent>(options, shape);
          },
          true};
}

}  // namespace bandolier
