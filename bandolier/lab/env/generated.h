// What generated problems share: any number of steps, and one stream per step and action, so that
// everything is pure in t.
#pragma once

#include "bandolier/core/random.h"
#include "bandolier/lab/env/environment.h"

namespace bandolier {

class GeneratedTrial : public Trial {
 public:
  GeneratedTrial(std::uint64_t seed, std::uint32_t trial, Index steps)
      : seed_(seed), trial_(trial), steps_(steps) {}

  Index steps() const override { return steps_; }

 protected:
  Random context_stream(Index t) const { return stream(Purpose::kContext, t); }
  Random reward_stream(Index t, Index action) const {
    return stream(Purpose::kReward, t).fork(static_cast<std::uint32_t>(action));
  }
  // For what stays hidden and the same all trial long.
  Random hidden_stream() const { return stream(Purpose::kEnvironment, 0); }

 private:
  Random stream(Purpose purpose, Index t) const {
    return Random({seed_, purpose, trial_, static_cast<std::uint32_t>(t)});
  }

  std::uint64_t seed_;
  std::uint32_t trial_;
  Index steps_;
};

// The environment whose trials are Trial(options, seed, trial, steps).
template <class TrialKind, class Options>
class GeneratedEnvironment final : public Environment {
 public:
  GeneratedEnvironment(const ProblemShape& shape, const Options& options)
      : shape_(shape), options_(options) {}

  ProblemShape shape() const override { return shape_; }
  Index default_steps() const override { return 5000; }
  std::optional<Index> max_steps() const override { return std::nullopt; }
  std::unique_ptr<Trial> trial(std::uint64_t seed, std::uint32_t trial,
                               Index steps) const override {
    return std::make_unique<TrialKind>(options_, seed, trial, steps);
  }

 private:
  ProblemShape shape_;
  Options options_;
};

}  // namespace bandolier
