#include "bandolier/agent/ekf_setup.h"

#include <algorithm>
#include <cmath>

#include "bandolier/belief/gaussian_block.h"
#include "bandolier/belief/gaussian_diagonal.h"
#include "bandolier/belief/low_rank.h"
#include "bandolier/core/memory_limit.h"
#include "bandolier/filter/probes.h"
#include "bandolier/subspace/half_basis.h"
#include "bandolier/subspace/svd_basis.h"
#include "bandolier/subspace/warm_up_training.h"

namespace bandolier {
namespace {

// dim=auto without enough warm-up rewards to compare.
constexpr Index kDefaultDim = 800;
// dim=auto with enough: these are compared.
constexpr Index kComparedDims[] = {100, 200, 400, 800};
constexpr std::size_t kEnoughToCompare = 200;

// Parts of the warm-up's stream.
enum Part : std::uint32_t { kOffset = 0, kBasis = 1, kTraining = 2, kProbe = 3 };

class Builder {
 public:
  Builder(const SubspaceEkfOptions& options, const RewardModel& model,
          std::span<const Experience> experience, double unit, const Random& random)
      : options_(options), model_(model), experience_(experience), unit_(unit), random_(random) {}

  EkfSetup build() {
    EkfSetup setup;
    offset_ = random_offset(model_.network(), random_.fork(kOffset).key());
    const bool svd = options_.basis == BasisKind::kSvd;
    if (svd || options_.offset == "sgd") train(svd ? options_.thinning : 0, setup);
    setup.centred = options_.centre == "auto" ? offset_.key.has_value() : options_.centre == "true";
    setup.model = make_model(choose_dim(setup), setup.centred);
    setup.offset_key = offset_.key;
    if (svd) note_filled(setup);
    setup.prior_variance = prior_variance(*setup.model);
    return setup;
  }

 private:
  void train(Index thinning, EkfSetup& setup) {
    if (experience_.empty()) {
      if (thinning > 0) {
        fail(
            "basis=svd is made from training on warm-up rewards, and there are none: pull every "
            "action at least once in warm-up, or use basis=rank-one");
      }
      setup.notes.push_back("offset=sgd: no warm-up rewards to train on; the offset is random");
      return;
    }
    Random random = random_.fork(kTraining);
    WarmUpTraining training =
        train_on_warm_up(model_.encoder(), model_.network(), experience_, options_, thinning,
                         std::move(offset_.parameters), random);
    if (training.result.diverged) {
      setup.notes.push_back(fmt::format(
          "warm-up training diverged and was stopped after {} steps: lower learning_rate",
          training.result.steps));
    }
    offset_ = {std::move(training.parameters), {}};
    if (thinning == 0) return;
    SvdSize size{kDefaultDim, 0};
    if (options_.dim && *options_.dim < 1) {
      size = {0, *options_.dim};
    } else if (options_.dim) {
      size.dim = static_cast<Index>(*options_.dim);
    }
    size.dim = options_.dim ? size.dim : std::min(size.dim, model_.parameters());
    if (size.dim > 0) require_ekf_memory(options_, model_, size.dim);
    svd_ = svd_basis(training.iterates, size, random_.fork(kBasis).key());
  }

  void note_filled(EkfSetup& setup) const {
    const Index dim = setup.model->dim();
    if (svd_.found < dim) {
      setup.notes.push_back(
          fmt::format("basis=svd: training has {} directions; {} Gaussian ones were added",
                      svd_.found, dim - svd_.found));
    }
  }

  Index choose_dim(EkfSetup& setup) {
    const Index parameters = model_.parameters();
    if (options_.basis == BasisKind::kIdentity) return parameters;
    if (options_.dim) {
      if (*options_.dim < 1) return svd_.basis->dim();
      const auto dim = static_cast<Index>(*options_.dim);
      check_dim(dim, parameters);
      return dim;
    }
    if (experience_.size() < kEnoughToCompare) return std::min(kDefaultDim, parameters);
    double best_fit = -std::numeric_limits<double>::infinity();
    Index best = std::min(kDefaultDim, parameters);
    for (const Index compared : kComparedDims) {
      const Index dim = std::min(compared, parameters);
      const double fit = validate(dim, setup.centred);
      if (fit > best_fit) {
        best_fit = fit;
        best = dim;
      }
      if (dim == parameters) break;
    }
    setup.notes.push_back(
        fmt::format("dim={} by validation on {} warm-up rewards", best, experience_.size()));
    return best;
  }

  // Log-likelihood of the warm-up rewards, each before the filter has seen it.
  double validate(Index dim, bool centred) {
    EkfSetup setup;
    setup.model = make_model(dim, centred);
    setup.prior_variance = prior_variance(*setup.model);
    EkfFilter<float> filter = make_ekf_filter(options_, setup, unit_);
    const auto work = setup.model->make_scratch();
    Vector<float> gradient(dim), scratch;
    double fit = 0;
    for (const Experience& one : experience_) {
      setup.model->bind(one.context, *work);
      const float eta = setup.model->linearise(filter.mean(), one.action, *work, gradient);
      fit += filter.log_predictive(eta, filter.belief().variance(gradient, scratch), one.reward);
      filter.update(eta, gradient, one.reward);
    }
    return fit;
  }

  std::shared_ptr<const SubspaceModel<float>> make_model(Index dim, bool centred) {
    require_ekf_memory(options_, model_, dim);
    auto basis = make_basis(dim);
    if (options_.precision == BasisPrecision::kHalf) {
      basis = make_half_basis(*basis);
    }
    auto model = make_subspace_model<float>(model_.encoder(), model_.network(), offset_.parameters,
                                            std::move(basis));
    return centred ? make_centred_model<float>(std::move(model)) : model;
  }

  std::shared_ptr<const Basis<float>> make_basis(Index dim) const {
    if (options_.basis == BasisKind::kIdentity) return make_identity_basis<float>(model_.network());
    if (options_.basis != BasisKind::kSvd) {
      return make_random_basis<float>(options_.basis, model_.network(), dim,
                                      random_.fork(kBasis).key());
    }
    if (dim == svd_.basis->dim()) return svd_.basis;
    return std::make_shared<DenseBasis<float>>(svd_.basis->columns().leftCols(dim));
  }

  double prior_variance(const SubspaceModel<float>& model) const {
    // Inferred noise: in units of σ², of which b0/(a0 − 1) is the guess.
    const bool inferred =
        options_.likelihood == Likelihood::Family::kGaussian && !options_.noise_variance;
    const InverseGamma noise{options_.noise_a0, options_.noise_b0};
    if (options_.prior_variance) {
      return inferred ? *options_.prior_variance / noise.mean() : *options_.prior_variance;
    }
    const double variance =
        options_.noise_variance ? *options_.noise_variance / (unit_ * unit_) : 1;
    const double g2 = mean_squared_gradient(model);
    return g2 > 0 && std::isfinite(g2) ? options_.prior_predictive * variance / g2 : variance;
  }

  // Mean ‖∂η/∂z‖² at z = 0.
  double mean_squared_gradient(const SubspaceModel<float>& model) const {
    const auto work = model.make_scratch();
    const Vector<float> zero = Vector<float>::Zero(model.dim());
    Vector<float> gradient(model.dim());
    const auto squared_gradient = [&](const Context& context, Index action) {
      model.bind(context, *work);
      model.linearise(zero, action, *work, gradient);
      return static_cast<double>(gradient.squaredNorm());
    };
    return mean_over_probes(model_.encoder().shape(), experience_, random_.fork(kProbe),
                            squared_gradient);
  }

  const SubspaceEkfOptions& options_;
  const RewardModel& model_;
  std::span<const Experience> experience_;
  double unit_;
  const Random& random_;
  Offset offset_;
  SvdBasis svd_;
};

std::unique_ptr<Belief<float>> make_belief(const SubspaceEkfOptions& options,
                                           const SubspaceModel<float>& model, float variance) {
  const Index dim = model.dim();
  const std::string& covariance = options.covariance;
  if (covariance == "low-rank") {
    return std::make_unique<LowRank<float>>(dim, variance, options.rank);
  }
  if (covariance == "diag") return std::make_unique<GaussianDiagonal<float>>(dim, variance);
  if (covariance == "full") return std::make_unique<GaussianFull<float>>(dim, variance);
  std::vector<Index> sizes;
  for (const AffineLayer& layer : affine_layers(model.network())) {
    sizes.push_back(layer.parameters());
  }
  return std::make_unique<GaussianBlock<float>>(Vector<float>::Zero(dim),
                                                Vector<float>::Constant(dim, variance), sizes);
}

}  // namespace

void EkfSetup::save(ArchiveWriter& out) const {
  save_offset(model->offset(), offset_key, out);
  save_basis(model->basis(), out);
  out.write("prior_variance", prior_variance);
  out.write("centred", static_cast<std::int64_t>(centred));
  out.write("notes", static_cast<std::int64_t>(notes.size()));
  for (const auto& note : notes) out.write("note", note);
}

EkfSetup EkfSetup::load(const RewardModel& reward_model, ArchiveReader& in) {
  EkfSetup setup;
  Offset offset = load_offset(reward_model.network(), in);
  setup.offset_key = offset.key;
  auto basis = load_basis<float>(reward_model.network(), in);
  setup.model = make_subspace_model<float>(reward_model.encoder(), reward_model.network(),
                                           std::move(offset.parameters), std::move(basis));
  setup.prior_variance = in.read_double("prior_variance");
  setup.centred = in.read_integer("centred") != 0;
  if (setup.centred) setup.model = make_centred_model<float>(std::move(setup.model));
  const auto count = in.read_integer("notes");
  for (std::int64_t i = 0; i < count; ++i) setup.notes.push_back(in.read_text("note"));
  return setup;
}

void require_ekf_memory(const SubspaceEkfOptions& options, const RewardModel& model, Index dim) {
  const auto d = static_cast<double>(dim);
  double values = options.covariance == "full" ? d * d : 2 * d;
  if (options.covariance == "low-rank") values = d * static_cast<double>(options.rank + 4);
  if (options.covariance == "block") {
    values = 0;
    for (const AffineLayer& layer : affine_layers(model.network())) {
      values += std::pow(static_cast<double>(layer.parameters()), 2);
    }
  }
  require_available_memory(
      sizeof(float) * values +
          basis_bytes_needed(options.basis, model.network(), dim, options.precision),
      fmt::format("basis={}, covariance={} with {} dimensions of {} parameters",
                  to_word(options.basis), options.covariance, dim, model.parameters()),
      options.basis == BasisKind::kIdentity
          ? "use a smaller model, covariance=diag, or agent subspace-ekf"
          : "use a smaller dim or model, basis=rank-one, or covariance=diag");
}

EkfSetup set_up_ekf(const SubspaceEkfOptions& options, const RewardModel& model,
                    std::span<const Experience> experience, double unit, const Random& random) {
  return Builder(options, model, experience, unit, random).build();
}

EkfFilter<float> make_ekf_filter(const SubspaceEkfOptions& options, const EkfSetup& setup,
                                 double unit) {
  auto belief = make_belief(options, *setup.model, static_cast<float>(setup.prior_variance));
  const FilterDynamics dynamics{options.process_noise, options.forgetting};
  if (options.likelihood == Likelihood::Family::kGaussian && !options.noise_variance) {
    return EkfFilter<float>(std::move(belief), InverseGamma{options.noise_a0, options.noise_b0},
                            dynamics);
  }
  const double variance = options.noise_variance.value_or(1) / (unit * unit);
  return EkfFilter<float>(std::move(belief), Likelihood::make(options.likelihood, variance),
                          dynamics);
}

}  // namespace bandolier
