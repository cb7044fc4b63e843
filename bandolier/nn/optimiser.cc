#include "bandolier/nn/optimiser.h"

#include <cmath>
#include <limits>

namespace bandolier {
namespace {

// Tieleman and Hinton 2012 (RMSProp); Kingma and Ba 2015 (Adam).
constexpr float kRmspropMemory = 0.9f, kRmspropFloor = 1e-10f;
constexpr float kAdamFirst = 0.9f, kAdamSecond = 0.999f, kAdamFloor = 1e-8f;

}  // namespace

const OptionTable<OptimiserOptions>& optimiser_options() {
  static const OptionTable<OptimiserOptions> table = {
      {"optimiser", &OptimiserOptions::optimiser, "how a gradient becomes a step"},
      {"learning_rate", &OptimiserOptions::learning_rate, "length of a step, times its direction",
       positive()},
      {"momentum", &OptimiserOptions::momentum, "sgd: share of the last step that is kept",
       between(0, 1)},
      {"weight_decay", &OptimiserOptions::weight_decay,
       "adds this times the weights to the gradient", non_negative()},
      {"gradient_clip", &OptimiserOptions::gradient_clip, "largest norm of a gradient; 0: none",
       non_negative()},
      {"rate_decay", &OptimiserOptions::rate_decay,
       "the learning rate after t steps is divided by 1 + rate_decay t", non_negative()}};
  return table;
}

Optimiser::Optimiser(const OptimiserOptions& options, Index parameters) : options_(options) {
  const OptimiserKind kind = options_.optimiser;
  if (kind == OptimiserKind::kAdam || (kind == OptimiserKind::kSgd && options_.momentum > 0)) {
    first_.resize(parameters);
  }
  if (kind != OptimiserKind::kSgd) second_.resize(parameters);
  forget();
}

void Optimiser::forget() {
  first_.setZero();
  // RMSProp's mean square starts at 1, as TensorFlow's does: at 0 the first step would be 3 η in
  // every weight, however small its gradient.
  second_.setConstant(options_.optimiser == OptimiserKind::kRmsprop ? 1.0f : 0.0f);
}

void Optimiser::step(VectorRef<float> parameters, VectorRef<float> gradient) {
  const double rate =
      options_.learning_rate / (1 + options_.rate_decay * static_cast<double>(steps_));
  ++steps_;
  if (options_.weight_decay > 0) {
    gradient += static_cast<float>(options_.weight_decay) * parameters;
  }
  if (options_.gradient_clip > 0) {
    const float norm = gradient.norm();
    const auto limit = static_cast<float>(options_.gradient_clip);
    if (norm > limit) gradient *= limit / norm;
  }
  const auto eta = static_cast<float>(rate);
  if (options_.optimiser == OptimiserKind::kRmsprop) {
    // s ← ρ s + (1 − ρ) g²,  θ ← θ − η g / √s
    second_.array() =
        kRmspropMemory * second_.array() + (1 - kRmspropMemory) * gradient.array().square();
    parameters.array() -= eta * gradient.array() / (second_.array() + kRmspropFloor).sqrt();
  } else if (options_.optimiser == OptimiserKind::kAdam) {
    // m ← β₁ m + (1 − β₁) g,  s ← β₂ s + (1 − β₂) g²,  θ ← θ − η m̂ / √ŝ, both unbiased
    first_ = kAdamFirst * first_ + (1 - kAdamFirst) * gradient;
    second_.array() = kAdamSecond * second_.array() + (1 - kAdamSecond) * gradient.array().square();
    const auto t = static_cast<float>(steps_);
    const float unbias_first = 1 / (1 - std::pow(kAdamFirst, t));
    const float unbias_second = 1 / (1 - std::pow(kAdamSecond, t));
    parameters.array() -= eta * unbias_first * first_.array() /
                          ((unbias_second * second_.array()).sqrt() + kAdamFloor);
  } else if (first_.size() > 0) {
    first_ = static_cast<float>(options_.momentum) * first_ + gradient;
    parameters -= eta * first_;
  } else {
    parameters -= eta * gradient;
  }
}

std::size_t Optimiser::bytes() const {
  return static_cast<std::size_t>(first_.size() + second_.size()) * sizeof(float);
}

void Optimiser::save(ArchiveWriter& out) const {
  out.write("steps", steps_);
  out.write("first", ConstVectorRef<float>(first_));
  out.write("second", ConstVectorRef<float>(second_));
}

void Optimiser::load(const ArchiveReader& in) {
  steps_ = in.read_count("steps");
  in.read_into("first", first_);
  in.read_into("second", second_, {0, std::numeric_limits<float>::max()});
}

}  // namespace bandolier
