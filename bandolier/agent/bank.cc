#include "bandolier/agent/bank.h"

#include <algorithm>
#include <cmath>

#include "bandolier/filter/probes.h"
#include "bandolier/core/memory_limit.h"

namespace bandolier {

// A context as the models see it.
struct BankAgent::Seen {
  ContextBuffer clipped;
  ContextBuffer centred;
};

struct BankAgent::Memory final : Scratch {
  std::vector<HeadWork> models;
  std::vector<HeadFilterWork> filters;  // one a model: their sizes differ
  std::vector<bool> bound;              // models bound to the context of `ticket`
  Seen seen;
  std::vector<float> buffer;
  std::vector<double> log_predictive;  // of the members that are awake
  std::vector<bool> awake;
};

// What one member says of the bound context, in the user's units.
class BankAgent::MemberScorer final : public Scorer {
 public:
  MemberScorer(const HeadFilter& filter, HeadWork& model_work, HeadFilterWork& work, double unit)
      : filter_(filter), model_work_(model_work), work_(work), unit_(static_cast<float>(unit)) {}

  void mean(std::span<float> out) override {
    filter_.mean(model_work_, out);
    scale(out);
  }
  void sample(Random& random, std::span<const float> temperature, std::span<float> out) override {
    filter_.sample(random, temperature, model_work_, work_, out);
    scale(out);
  }
  void deviation(std::span<float> out) override {
    filter_.deviation(model_work_, work_, out);
    scale(out);
  }

 private:
  void scale(std::span<float> out) const {
    for (float& value : out) value *= unit_;
  }

  const HeadFilter& filter_;
  HeadWork& model_work_;
  HeadFilterWork& work_;
  float unit_;
};

BankAgent::BankAgent(const BankOptions& options, const ProblemShape& shape)
    : options_(options),
      shape_(shape),
      policy_(options.policy, shape.actions),
      weights_(options.members.size(), options.share) {
  for (const BankModel& model : options.models) {
    reward_models_.emplace_back(model.text, parse_encoding(options.encoding), shape);
  }
  require_memory();
}

// Covariances are most of what a bank holds; forgetting needs two more of each (square_root.h).
void BankAgent::require_memory() const {
  double floats = 0;
  Index widest = 0;
  for (const BankMember& member : options_.members) {
    const HeadSize size =
        head_size(reward_models_[member.model], options_.models[member.model].options);
    const auto d = static_cast<double>(size.dim), h = static_cast<double>(size.features);
    const auto heads = static_cast<double>(size.heads);
    const double covariances =
        member.filter.joint ? std::pow(d + heads * h, 2) : d * d + heads * h * h;
    floats += (member.filter.forgetting < 1 ? 3 : 1) * covariances;
    widest = std::max(widest, size.features);
  }
  require_available_memory(
      sizeof(float) * floats,
      fmt::format("an agent with full covariances of heads over {} features", widest),
      "use fewer features or a smaller model, or subspace-ekf with head=subspace, whose belief "
      "does "
      "not grow with them");
}

void BankAgent::make_models() {
  models_.clear();
  const Random random(random_key_);
  for (std::size_t m = 0; m < reward_models_.size(); ++m) {
    models_.push_back(
        std::make_shared<HeadModel>(reward_models_[m], options_.models[m].options,
                                    random.fork(static_cast<std::uint32_t>(m)).key()));
  }
}

void BankAgent::make_filters() {
  filters_.clear();
  for (std::size_t i = 0; i < options_.members.size(); ++i) {
    HeadFilterOptions options = options_.members[i].filter;
    options.prior_variance = prior_variances_[i];
    filters_.emplace_back(models_[options_.members[i].model], options);
  }
}

void BankAgent::warm_up(std::span<const Experience> experience, Random& random) {
  std::vector<float> rewards;
  for (const Experience& one : experience) {
    check(one, shape_);
    rewards.push_back(one.reward);
  }
  scale_.start(rewards);
  if (options_.soft_clip) clip_.start(experience);
  if (options_.centre) mean_image_.start(experience, shape_);
  random_key_ = random.key();
  make_models();

  // Mean ‖∂f/∂(z, w)‖² at the start, over the pulls.
  std::vector<double> squared_gradients;
  Seen seen;
  for (std::size_t m = 0; m < models_.size(); ++m) {
    const auto& model = models_[m];
    HeadWork work = model->make_work();
    const Vector<float> z = Vector<float>::Zero(model->dim());
    Vector<float> phi(model->features()), gradient = z;
    const auto squared_gradient = [&](const Context& context, Index action) {
      bind(context, m, work, seen);
      model->linearise(z, action, model->head_offset().row(model->head_of(action)).transpose(),
                       work, phi, gradient);
      return static_cast<double>(phi.squaredNorm() + gradient.squaredNorm());
    };
    squared_gradients.push_back(mean_over_probes(
        shape_, experience, random.fork(static_cast<std::uint32_t>(models_.size())),
        squared_gradient));
  }
  prior_variances_.clear();
  for (const BankMember& member : options_.members) {
    prior_variances_.push_back(member.prior_predictive > 0
                                   ? member.prior_predictive / squared_gradients[member.model]
                                   : member.filter.prior_variance);
  }
  make_filters();

  const auto scratch = make_scratch();
  for (const Experience& one : experience) learn(one, memory(*scratch));
}

std::unique_ptr<Scratch> BankAgent::make_scratch() const { return std::make_unique<Memory>(); }

BankAgent::Memory& BankAgent::memory(Scratch& scratch) const {
  if (filters_.empty()) {
    fail("this agent has not warmed up: call warm_up, with an empty list if need be");
  }
  auto& own = static_cast<Memory&>(scratch);
  if (own.models.empty()) {
    for (const auto& model : models_) own.models.push_back(model->make_work());
    own.filters.resize(models_.size());
    own.bound.assign(models_.size(), false);
    own.log_predictive.resize(filters_.size());
    own.awake.resize(filters_.size());
  }
  return own;
}

void BankAgent::bind(const Context& context, std::size_t model, HeadWork& work, Seen& seen) const {
  Context own = options_.soft_clip ? clip_.apply(context, seen.clipped) : context;
  if (options_.centre && !reward_models_[model].network().has_convolution()) {
    own = mean_image_.apply(own, seen.centred);
  }
  models_[model]->bind(own, work);
}

HeadWork& BankAgent::bound(std::size_t model, const Context& context, Memory& own) const {
  if (!own.bound[model]) {
    bind(context, model, own.models[model], own.seen);
    own.bound[model] = true;
  }
  return own.models[model];
}

Decision BankAgent::choose(const Context& context, Random& random, Scratch& scratch) const {
  check(context, shape_);
  Memory& own = memory(scratch);
  own.bound.assign(models_.size(), false);
  const std::size_t member = weights_.draw(random.uniform());
  const std::size_t model = options_.members[member].model;
  MemberScorer scorer(filters_[member], bound(model, context, own), own.filters[model],
                      scale_.unit());
  Decision decision = policy_.choose(scorer, context, random, scratch, own.buffer);
  decision.propensity.reset();  // the policy's alone, not that of the member's draw too
  decision.ticket = own.ticket = own.new_ticket();
  return decision;
}

void BankAgent::observe(const Feedback& feedback, Random&, Scratch& scratch) {
  check(feedback, shape_);
  Memory& own = memory(scratch);
  const auto reward = static_cast<double>(feedback.reward);
  if (!scale_.plausible(reward)) {
    policy_.count(feedback.context, feedback.action, feedback.reward);
    ++refused_;
    return;
  }
  if (feedback.ticket == 0 || feedback.ticket != own.ticket) {
    own.bound.assign(models_.size(), false);
  }
  own.ticket = 0;
  const double factor = scale_.add(reward);
  if (factor != 1) {
    for (auto& filter : filters_) filter.rescale(factor);
  }
  learn({feedback.context, feedback.action, feedback.reward}, own);
}

void BankAgent::learn(const Experience& experience, Memory& own) {
  policy_.count(experience.context, experience.action, experience.reward);
  const double reward = static_cast<double>(experience.reward) / scale_.unit();
  const std::size_t leader = weights_.leader();
  bool accepted = true;
  for (std::size_t i = 0; i < filters_.size(); ++i) {
    own.awake[i] = weights_.awake(i, steps_);
    if (!own.awake[i]) continue;
    const std::size_t model = options_.members[i].model;
    const auto step = filters_[i].learn(experience.action, reward,
                                        bound(model, experience.context, own), own.filters[model]);
    own.log_predictive[i] = step.log_predictive;
    accepted = accepted && step.accepted;
    if (i == leader && step.accepted) {
      const auto follow = [&](double& mean, double horizon) {
        mean += (step.surprise - mean) / std::min(static_cast<double>(steps_) + 1, horizon);
      };
      follow(surprise_, 1000);
      follow(recent_surprise_, 50);
    }
  }
  std::fill(own.bound.begin(), own.bound.end(), false);
  if (!accepted) {
    ++refused_;
    return;
  }
  ++steps_;
  weights_.update(own.log_predictive, own.awake);
}

AgentReport BankAgent::report() const {
  AgentReport report;
  report.steps = steps_;
  report.belief_bytes = policy_.bytes() + sizeof scale_ + weights_.size() * sizeof(double);
  report.parameters = reward_models_.front().parameters();
  if (filters_.empty()) return report;
  for (const auto& filter : filters_) report.belief_bytes += filter.bytes();
  if (models_.front()->dim() > 0) report.subspace_dim = models_.front()->dim();
  if (refused_ > 0) {
    report.notes.push_back(
        fmt::format("{} rewards were refused: they would have made the belief infinite", refused_));
  }
  report.signals["reward_unit"] = scale_.unit();
  report.signals["innovation_ratio"] = surprise_;
  report.signals["recent_innovation_ratio"] = recent_surprise_;
  report.signals["noise_variance"] =
      filters_[weights_.leader()].noise_variance() * scale_.unit() * scale_.unit();
  for (std::size_t i = 0; i < weights_.size(); ++i) {
    report.signals["weight_" + options_.members[i].name] = weights_[i];
  }
  return report;
}

std::unique_ptr<Agent> BankAgent::clone() const { return std::make_unique<BankAgent>(*this); }

void BankAgent::save(ArchiveWriter& out) const {
  if (filters_.empty()) fail("this agent has not warmed up: there is nothing to save");
  save_size(reward_models_.front(), out);
  save_key(random_key_, out);
  out.write("steps", steps_);
  out.write("refused", refused_);
  out.write("innovation_ratio", surprise_);
  out.write("recent_innovation_ratio", recent_surprise_);
  weights_.save(out);
  out.write("prior_variances", ConstVectorMap<double>(prior_variances_.data(),
                                                      static_cast<Index>(prior_variances_.size())));
  policy_.save(out);
  scale_.save(out);
  clip_.save(out);
  mean_image_.save(out);
  for (const auto& filter : filters_) filter.save(out);
}

void BankAgent::load(ArchiveReader& in) {
  check_size(reward_models_.front(), in);
  random_key_ = load_key(in);
  make_models();
  steps_ = in.read_integer("steps");
  refused_ = in.read_integer("refused");
  surprise_ = in.read_double("innovation_ratio");
  recent_surprise_ = in.read_double("recent_innovation_ratio");
  weights_.load(in);
  prior_variances_.resize(weights_.size());
  VectorMap<double> variances(prior_variances_.data(), static_cast<Index>(weights_.size()));
  in.read_into("prior_variances", variances);
  policy_.load(in);
  scale_.load(in);
  clip_.load(in);
  mean_image_.load(in, shape_);
  make_filters();
  for (auto& filter : filters_) filter.load(in);
}

}  // namespace bandolier
