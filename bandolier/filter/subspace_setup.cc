#include "bandolier/filter/subspace_setup.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "bandolier/core/error.h"
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

// Parts of the stream.
constexpr std::uint32_t kOffset = 0, kBasis = 1, kTraining = 2;

class Builder {
 public:
  Builder(const SubspaceOptions& options, const RewardModel& model,
          std::shared_ptr<const Preparation> preparation, std::span<const Experience> experience,
          const Random& random, const std::function<void(Index)>& require_memory, const Fit& fit)
      : options_(options),
        model_(model),
        preparation_(std::move(preparation)),
        experience_(experience),
        random_(random),
        require_memory_(require_memory),
        fit_(fit) {}

  SubspaceSetup build() {
    offset_ = random_offset(model_.network(), random_.fork(kOffset).key());
    const bool svd = options_.basis == BasisKind::kSvd;
    if (svd || options_.offset == OffsetKind::kSgd) train(svd ? options_.thinning : 0);
    centred_ = options_.centre == CentreKind::kAuto ? offset_.key.has_value()
                                                    : options_.centre == CentreKind::kTrue;
    const Index dim = choose_dim();
    if (svd && svd_.found < dim) {
      note("few-directions",
           "basis=svd: training has fewer directions than dim; Gaussian ones were added");
    }
    setup_.predictor = make(dim);
    return std::move(setup_);
  }

 private:
  void note(std::string kind, std::string text) {
    setup_.notes.push_back({std::move(kind), std::move(text)});
  }

  void train(Index thinning) {
    if (experience_.empty()) {
      if (thinning > 0) {
        fail(
            "basis=svd is made from training on warm-up rewards, and there are none: pull every "
            "action at least once in warm-up, or use basis=rank-one");
      }
      note("offset-untrained", "offset=sgd: no warm-up rewards to train on; the offset is random");
      return;
    }
    const auto actions = static_cast<std::size_t>(model_.encoder().shape().actions);
    const bool enough =
        experience_.size() >= static_cast<std::size_t>(options_.offset_pulls) * actions;
    if (!enough && options_.offset != OffsetKind::kRandom) {
      note(
          "offset-untrained",
          fmt::format("the offset stays random: it takes {} warm-up rewards per action to train it",
                      options_.offset_pulls));
      if (thinning == 0) return;
    }
    // On contexts as the predictor will see them.
    std::vector<PreparedContext> memory(experience_.size());
    std::vector<Experience> prepared(experience_.begin(), experience_.end());
    for (std::size_t i = 0; i < prepared.size(); ++i) {
      prepared[i].context = preparation_->apply(experience_[i].context,
                                                model_.network().has_convolution(), memory[i]);
    }
    Random random = random_.fork(kTraining);
    WarmUpTraining training = train_on_warm_up(model_.encoder(), model_.network(), prepared,
                                               options_, thinning, offset_.parameters, random);
    if (training.result.diverged) {
      note("warm-up-diverged", "warm-up training diverged and was stopped: lower learning_rate");
    }
    if (enough && options_.offset != OffsetKind::kRandom) {
      offset_ = {std::move(training.parameters), {}};
    }
    if (thinning == 0) return;
    SvdSize size{std::min(kDefaultDim, model_.parameters()), 0};
    if (options_.dim) {
      size = *options_.dim < 1 ? SvdSize{0, *options_.dim}
                               : SvdSize{static_cast<Index>(*options_.dim), 0};
    }
    if (size.dim > 0) require_memory_(size.dim);
    svd_ = svd_basis(training.iterates, size, random_.fork(kBasis).key());
  }

  Index choose_dim() {
    const Index parameters = model_.parameters();
    if (const auto known = known_dim(options_, model_)) return *known;
    if (options_.dim) return svd_.basis->dim();  // by share
    if (experience_.size() < kEnoughToCompare) return std::min(kDefaultDim, parameters);
    double best_fit = -std::numeric_limits<double>::infinity();
    Index best = std::min(kDefaultDim, parameters);
    for (const Index compared : kComparedDims) {
      const Index dim = std::min(compared, parameters);
      const double fit = fit_(make(dim));
      if (fit > best_fit) {
        best_fit = fit;
        best = dim;
      }
      if (dim == parameters) break;
    }
    note("dim-chosen",
         fmt::format("dim={} by validation on {} warm-up rewards", best, experience_.size()));
    return best;
  }

  std::shared_ptr<const NetworkPredictor> make(Index dim) const {
    require_memory_(dim);
    auto basis = make_basis(dim);
    if (options_.precision == BasisPrecision::kHalf) {
      basis = std::make_shared<HalfBasis>(dynamic_cast<const DenseBasis<float>&>(*basis));
    }
    return std::make_shared<NetworkPredictor>(model_, preparation_, offset_, std::move(basis),
                                              centred_);
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

  const SubspaceOptions& options_;
  const RewardModel& model_;
  std::shared_ptr<const Preparation> preparation_;
  std::span<const Experience> experience_;
  const Random& random_;
  const std::function<void(Index)>& require_memory_;
  const Fit& fit_;
  Offset offset_;
  SvdBasis svd_;
  bool centred_ = false;
  SubspaceSetup setup_;
};

}  // namespace

Words words_of(OffsetKind) {
  static constexpr std::string_view kWords[] = {"auto", "random", "sgd"};
  return kWords;
}

Words words_of(CentreKind) {
  static constexpr std::string_view kWords[] = {"auto", "true", "false"};
  return kWords;
}

const OptionTable<SubspaceOptions>& subspace_options() {
  using O = SubspaceOptions;
  static const OptionTable<O> table =
      OptionTable<O>{
          {"basis", &O::basis, "the subspace's directions"},
          {"precision", &O::precision,
           "in which basis=gaussian and svd are stored; arithmetic is in float"},
          {"dim", &O::dim,
           "of the subspace; below 1, for svd: the share of the iterates' variance to explain",
           positive(), "auto"},
          {"thinning", &O::thinning, "svd: every how many-th iterate of training is kept",
           at_least(1)},
          {"offset", &O::offset,
           "initial weights: random, or trained on the warm-up; auto: sgd for svd, else random"},
          {"offset_pulls", &O::offset_pulls,
           "warm-up rewards per action that it takes to train the offset", at_least(1)},
          {"centre", &O::centre,
           "subtract what the offset predicts; auto: where the offset is random"}}
          .include(training_options());
  return table;
}

void check(const SubspaceOptions& options) {
  if (options.precision == BasisPrecision::kHalf && options.basis != BasisKind::kGaussian &&
      options.basis != BasisKind::kSvd) {
    fail("precision=half is for a basis that is stored: use basis=gaussian or svd, not {}",
         to_word(options.basis));
  }
  if (!options.dim) return;
  const double dim = *options.dim;
  if (options.basis == BasisKind::kIdentity) {
    fail("basis=identity has one dimension per weight: leave dim out");
  }
  if (dim < 1 && options.basis != BasisKind::kSvd) {
    fail("dim={}: a share of variance is for basis=svd: expected a whole number", to_text(dim));
  }
  if (dim >= 1 && dim != std::floor(dim)) {
    fail("dim={}: expected a whole number, or a share of variance below 1", to_text(dim));
  }
}

std::optional<Index> known_dim(const SubspaceOptions& options, const RewardModel& model) {
  if (options.basis == BasisKind::kIdentity) return model.parameters();
  if (!options.dim || *options.dim < 1) return std::nullopt;
  const auto dim = static_cast<Index>(*options.dim);
  check_dim(dim, model.parameters());
  return dim;
}

SubspaceSetup set_up_subspace(const SubspaceOptions& options, const RewardModel& model,
                              std::shared_ptr<const Preparation> preparation,
                              std::span<const Experience> experience, const Random& random,
                              const std::function<void(Index)>& require_memory, const Fit& fit) {
  return Builder(options, model, std::move(preparation), experience, random, require_memory, fit)
      .build();
}

}  // namespace bandolier
