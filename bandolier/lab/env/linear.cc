#include "bandolier/lab/env/linear.h"

#include <cmath>
#include <numeric>

#include "bandolier/lab/env/generated.h"

namespace bandolier {
namespace {

class LinearTrial final : public GeneratedTrial {
 public:
  LinearTrial(const SparseLinearOptions& options, std::uint64_t seed, std::uint32_t trial,
              Index steps)
      : GeneratedTrial(seed, trial, steps), noise_(options.noise), payoff_(options.payoff) {
    Random random = hidden_stream();
    weights_ = Matrix<double>::Zero(options.actions, options.features);
    std::vector<Index> positions(static_cast<std::size_t>(options.features));
    std::iota(positions.begin(), positions.end(), Index{0});
    for (Index action = 0; action < options.actions; ++action) {
      if (options.nonzero < options.features) shuffle(positions, random);
      for (Index i = 0; i < options.nonzero; ++i) {
        weights_(action, positions[static_cast<std::size_t>(i)]) = 2 * random.uniform() - 1;
      }
      weights_.row(action).normalize();
    }
  }

  Context context(Index t, ContextBuffer& buffer) const override {
    buffer.values.resize(static_cast<std::size_t>(weights_.cols()));
    context_stream(t).fill_normal(VectorMap<float>(buffer.values.data(), weights_.cols()));
    return {Features::dense(buffer.values), weights_.rows(), {}, {}};
  }

  float reward(Index t, Index action) const override {
    Random random = reward_stream(t, action);
    const double score = features(t).dot(weights_.row(action));
    const double deviation = noise_ * static_cast<double>(action + 1);
    return static_cast<float>(draw(score, deviation, random));
  }

  void expected_rewards(Index t, std::span<float> out) const override {
    const Vector<double> x = features(t);
    VectorMap<float>(out.data(), weights_.rows()) =
        (weights_ * x).unaryExpr([this](double score) { return mean(score); }).cast<float>();
  }

 private:
  double mean(double score) const {
    switch (payoff_) {
      case Payoff::kRare:
        return 1 / (1 + std::exp(4 - 2 * score));
      case Payoff::kSkewed:
        return std::exp(score);
      case Payoff::kNormal:
      case Payoff::kHeavy:
        break;
    }
    return score;
  }

  double draw(double score, double deviation, Random& random) const {
    switch (payoff_) {
      case Payoff::kRare:
        return random.uniform() < mean(score) ? 1 : 0;
      case Payoff::kSkewed:
        return mean(score) * std::exp(random.normal() - 0.5);
      case Payoff::kHeavy: {
        const double z = random.normal();
        const double chi2 =
            Eigen::Vector3d::NullaryExpr([&] { return random.normal(); }).squaredNorm();
        return score + deviation * z / std::sqrt(chi2);  // t₃/√3 = z/√χ²₃
      }
      case Payoff::kNormal:
        break;
    }
    return score + deviation * random.normal();
  }

  Vector<double> features(Index t) const {
    Vector<float> x(weights_.cols());
    context_stream(t).fill_normal(x);
    return x.cast<double>();
  }

  double noise_;
  Payoff payoff_;
  Matrix<double> weights_;  // actions × features
};

constexpr double kMostFeatures = 100'000;
constexpr double kMostActions = 10'000;
constexpr std::int64_t kMostWeights = 10'000'000;

std::unique_ptr<Environment> make(const SparseLinearOptions& options, const char* name) {
  if (options.features * options.actions > kMostWeights) {
    fail("environment '{}': features={} and actions={}: expected a product of at most {}", name,
         options.features, options.actions, kMostWeights);
  }
  return std::make_unique<GeneratedEnvironment<LinearTrial, SparseLinearOptions>>(
      ProblemShape{.features = options.features, .actions = options.actions}, options);
}

}  // namespace

Words words_of(Payoff) {
  static constexpr std::string_view kWords[] = {"normal", "rare", "skewed", "heavy"};
  return kWords;
}

const OptionTable<LinearProblemOptions>& linear_problem_options() {
  using O = LinearProblemOptions;
  static const OptionTable<O> table = {
      {"features", &O::features, "features of a context", between(1, kMostFeatures)},
      {"actions", &O::actions, "actions", between(2, kMostActions)},
      {"noise", &O::noise, "standard deviation of action 0's reward; action j's is j + 1 times it",
       non_negative()},
      {"payoff", &O::payoff, "how rewards lie about what the context says (docs/problems.md)"}};
  return table;
}

const OptionTable<SparseLinearOptions>& sparse_linear_options() {
  using O = SparseLinearOptions;
  static const OptionTable<O> table = {
      {"features", &O::features, "features of a context", between(1, kMostFeatures)},
      {"actions", &O::actions, "actions", between(2, kMostActions)},
      {"nonzero", &O::nonzero, "features that matter to an action", between(1, kMostFeatures)},
      {"noise", &O::noise, "standard deviation of action 0's reward; action j's is j + 1 times it",
       non_negative()},
      {"payoff", &O::payoff, "how rewards lie about what the context says (docs/problems.md)"}};
  return table;
}

std::unique_ptr<Environment> make_linear_problem(const LinearProblemOptions& options) {
  return make(SparseLinearOptions{options.features, options.actions, options.features,
                                  options.noise, options.payoff},
              "linear");
}

std::unique_ptr<Environment> make_sparse_linear(const SparseLinearOptions& options) {
  if (options.nonzero > options.features) {
    fail("environment 'sparse-linear': nonzero={}: expected at most features={}", options.nonzero,
         options.features);
  }
  return make(options, "sparse-linear");
}

}  // namespace bandolier
