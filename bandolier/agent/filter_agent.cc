#include "bandolier/agent/filter_agent.h"

#include "bandolier/core/stop.h"
#include "bandolier/filter/batch_scorer.h"
#include "bandolier/filter/prior_scale.h"

namespace bandolier {
namespace {

// Part of the warm-up's stream, after those that a predictor is made from.
constexpr std::uint32_t kProbe = 3;
// Their contexts tell which inputs are binary and how many values the others have.
constexpr Index kRewardsForUnits = 32;

}  // namespace

struct FilterAgent::FilterScratch final : Scratch {
  std::uint64_t set_up = 0;  // of the agent that the rest was made for
  MixtureScratch mixture;
  std::optional<FilterScorer> scorer;
  FilterBatchScratch batch;
  std::optional<FilterBatchScorer> batch_scorer;
};

Index FilterAgent::filters_of(const FilterAgentOptions& options, const ProblemShape& shape) {
  const bool patches =
      options.inputs == InputKind::kPatches ||
      (options.inputs == InputKind::kAuto && options.model == "auto" && shape.image.size() > 0);
  return patches ? options.filters : 0;
}

// Where there was no warm-up, the priors' scale comes from them as well.
Index FilterAgent::rewards_wanted(bool warmed_up) const {
  const bool for_units = options_.head == HeadKind::kFull && options_.units != UnitKind::kDense &&
                         shape().image.size() == 0;
  return for_units || !warmed_up ? kRewardsForUnits : 0;
}

void FilterAgent::start(std::span<const Experience> experience, Random& random) {
  design_ = FilterDesign(options_, seen_shape(), sees_patches());
  for (const Experience& one : experience) {
    design_.likelihood(1).check(static_cast<double>(one.reward));
  }
  RewardUnit unit = design_.reward_unit();
  unit.start(rewards_of(experience));
  Preparation preparation({design_.options().soft_clip, design_.options().centre_image});
  preparation.start(experience, seen_shape());
  preparation_ = std::make_shared<const Preparation>(preparation);
  notes_.clear();

  Predictors predictors;
  for (std::size_t p = 0; p < design_.models().size(); ++p) {
    const Random part = random.fork(static_cast<std::uint32_t>(p));
    predictors.push_back(design_.has_heads(p) ? std::make_shared<HeadPredictor>(
                                                    design_.models()[p], preparation_,
                                                    design_.head_options(p), part.key(), experience)
                                              : make_network(experience, unit.unit(), random));
  }
  set_priors(predictors, experience, random.fork(kProbe), unit.unit());
  make_mixture(std::move(predictors), unit);

  MixtureScratch scratch = mixture_->make_scratch();
  for (const Experience& one : experience) {
    throw_if_stopped();
    count(one, !design_.options().filter_warmup || mixture_->learn_first(one, scratch));
  }
}

void FilterAgent::set_priors(const Predictors& predictors, std::span<const Experience> pulls,
                             const Random& random, double unit) {
  prior_variances_.clear();
  for (std::size_t m = 0; m < design_.members(); ++m) {
    const Predictor& predictor = *predictors[design_.predictor_of(m)];
    const double g2 = mean_squared_gradient(predictor, pulls, random, design_.hidden_variance(m));
    prior_variances_.push_back(design_.prior_variance(m, predictor, g2, unit));
  }
}

std::shared_ptr<const Predictor> FilterAgent::make_network(std::span<const Experience> experience,
                                                           double unit, const Random& random) {
  std::vector<Experience> seen(experience.begin(), experience.end());
  for (Experience& one : seen) {
    one.reward = static_cast<float>(static_cast<double>(one.reward) / unit);
  }
  SubspaceSetup setup = set_up_subspace(
      design_.options(), design_.models()[0], preparation_, seen, random,
      [this](Index dim) { design_.require_memory(dim); },
      [&](const std::shared_ptr<const Predictor>& predictor) {
        return fit(*predictor, seen, unit);
      });
  notes_ = std::move(setup.notes);
  return setup.predictor;
}

double FilterAgent::fit(const Predictor& predictor, std::span<const Experience> experience,
                        double unit) const {
  const double g2 = mean_squared_gradient(predictor, experience, Random(StreamKey{}));
  Filter<float> filter =
      design_.make_member(0, predictor, design_.prior_variance(0, predictor, g2, unit), unit)
          .filter;
  PredictorScratch scratch = predictor.make_scratch();
  ParameterScratch<float> update;
  Tangent tangent;
  double sum = 0;
  for (const Experience& one : experience) {
    throw_if_stopped();
    predictor.bind(one.context, scratch);
    predictor.linearise(filter.belief(), one.action, scratch, tangent);
    const auto step = filter.weigh(tangent.view(), one.reward, update, one.weight);
    sum += step.log_predictive;
    if (!step.accepted) continue;
    filter.believe(step, tangent.view(), update);
    filter.advance(update);
  }
  return sum;
}

void FilterAgent::make_mixture(Predictors predictors, const RewardUnit& unit) {
  std::vector<MixtureMember> members;
  for (std::size_t m = 0; m < design_.members(); ++m) {
    members.push_back(design_.make_member(m, *predictors[design_.predictor_of(m)],
                                          prior_variances_[m], unit.unit()));
  }
  const FilterAgentOptions& options = design_.options();
  mixture_.emplace(std::move(predictors), std::move(members),
                   MixtureOptions{options.share, options.challenger}, unit);
}

std::unique_ptr<Scratch> FilterAgent::new_scratch() const {
  auto scratch = std::make_unique<FilterScratch>();
  return scratch;
}

FilterAgent::FilterScratch& FilterAgent::own(Scratch& scratch) const {
  auto& own = static_cast<FilterScratch&>(scratch);
  if (own.set_up != set_up_key()) {
    own.mixture = mixture_->make_scratch();
    own.batch = {};
    own.set_up = set_up_key();
  }
  return own;
}

Scorer& FilterAgent::bind(const Context& context, Random& random, Scratch& scratch) const {
  FilterScratch& mine = own(scratch);
  mixture_->release(mine.mixture);
  return mine.scorer.emplace(mixture_->scorer(mixture_->draw(random), context, mine.mixture));
}

BatchScorer* FilterAgent::bind_batch(std::span<const Context> contexts, Scratch& scratch) const {
  FilterScratch& mine = own(scratch);
  const MixtureMember& only = mixture_->members().front();
  const Predictor& predictor = mixture_->predictor(only.predictor);
  if (mixture_->members().size() > 1 || design_.options().policy == PolicyKind::kUcb ||
      !FilterBatchScorer::serves(predictor, mine.batch)) {
    return nullptr;
  }
  return &mine.batch_scorer.emplace(predictor, only.filter, mixture_->unit().unit(), contexts,
                                    mine.batch);
}

bool FilterAgent::learn(const Experience& experience, bool bound, Random&, Scratch& scratch) {
  FilterScratch& mine = own(scratch);
  if (!bound) mixture_->release(mine.mixture);
  return mixture_->learn(experience, mine.mixture);
}

void FilterAgent::learn_batch(std::span<const Experience> rewards, Scratch& scratch,
                              std::span<bool> accepted) {
  mixture_->learn_batch(rewards, own(scratch).mixture, accepted);
}

void FilterAgent::check_reward(float seen) const {
  mixture_->leader().filter.likelihood().check(static_cast<double>(seen));
}

void FilterAgent::describe(AgentReport& report) const {
  report.parameters = design_.models().front().parameters();
  if (!mixture_) return;
  report.belief_bytes += mixture_->bytes();
  const Index dim = mixture_->predictor(0).layout().body;
  if (design_.options().basis != BasisKind::kIdentity && dim > 0) report.subspace_dim = dim;
  report.notes.insert(report.notes.end(), notes_.begin(), notes_.end());
  const double unit = mixture_->unit().unit();
  report.signals["reward_unit"] = unit;
  report.signals["innovation_ratio"] = mixture_->innovation_ratio();
  report.signals["recent_innovation_ratio"] = mixture_->recent_innovation_ratio();
  report.signals["prior_variance"] = prior_variances_[mixture_->weights().leader()];
  if (const auto& noise = mixture_->leader().filter.noise()) {
    report.signals["noise_variance"] = noise->mean() * unit * unit;
  }
  if (design_.options().challenger > 0) {
    report.signals["restarts"] = static_cast<double>(mixture_->restarts());
  }
  if (mixture_->members().size() == 1) return;
  for (std::size_t m = 0; m < mixture_->members().size(); ++m) {
    report.signals["weight_" + mixture_->members()[m].name] = mixture_->weights()[m];
  }
}

std::unique_ptr<Agent> FilterAgent::clone() const { return std::make_unique<FilterAgent>(*this); }

void FilterAgent::save_state(ArchiveWriter& out) const {
  save_size(design_.models().front(), out);
  out.write("prior_variances", prior_variances_);
  save_notes(notes_, out);
  {
    const auto section = out.section("preparation");
    preparation_->save(out);
  }
  for (std::size_t p = 0; p < design_.models().size(); ++p) {
    const auto section = out.section("predictor", p);
    mixture_->predictor(p).save(out);
  }
  const auto section = out.section("mixture");
  mixture_->save(out);
}

// Of the kind that the options ask for, of a size that the file has the belief of.
void FilterAgent::check_basis(const ArchiveReader& in) const {
  const auto check_word = [&](std::string_view tag, std::string_view expected) {
    if (const std::string found = in.read_text(tag); found != expected) {
      fail("{} is '{}': the agent's options ask for {}", in.where(tag), found, expected);
    }
  };
  check_word("kind", to_word(design_.options().basis));
  check_word("precision", to_word(design_.options().precision));
  design_.require_memory(in.read_integer("dim", 1, design_.models().front().parameters()));
}

void FilterAgent::load_state(const ArchiveReader& in) {
  design_ = FilterDesign(options_, seen_shape(), sees_patches());
  check_size(design_.models().front(), in);
  prior_variances_ = in.read_doubles("prior_variances", design_.members(), kSavedVariances);
  notes_ = load_notes(in);
  Preparation preparation({design_.options().soft_clip, design_.options().centre_image});
  preparation.load(in.section("preparation"), seen_shape());
  preparation_ = std::make_shared<const Preparation>(preparation);
  Predictors predictors;
  for (std::size_t p = 0; p < design_.models().size(); ++p) {
    const auto section = in.section("predictor", p);
    const RewardModel& model = design_.models()[p];
    if (design_.has_heads(p)) {
      predictors.push_back(
          HeadPredictor::load(model, preparation_, design_.head_options(p), section));
    } else {
      check_basis(section.section("basis"));
      predictors.push_back(NetworkPredictor::load(model, preparation_, section));
    }
  }
  // The unit that likelihoods are made in is saved with the mixture.
  RewardUnit unit = design_.reward_unit();
  unit.load_section(in.section("mixture"));
  make_mixture(std::move(predictors), unit);
  mixture_->load(in.section("mixture"));
}

}  // namespace bandolier
