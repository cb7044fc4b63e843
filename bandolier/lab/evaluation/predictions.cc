#include "bandolier/lab/evaluation/predictions.h"

#include <algorithm>

#include "bandolier/agent/registry.h"
#include "bandolier/core/error.h"

namespace bandolier {
namespace {

class LoggedPredictions : public Predictions {
 public:
  explicit LoggedPredictions(std::size_t column) : column_(column) {}
  std::span<const double> of(const LoggedEvent& event, std::int64_t) override {
    return event.columns[column_];
  }

 private:
  std::size_t column_;
};

class PastPredictions : public Predictions {
 public:
  explicit PastPredictions(RewardLearner learner) : learner_(std::move(learner)) {}
  std::span<const double> of(const LoggedEvent& event, std::int64_t row) override {
    return learner_.predict(event, row);
  }
  void learn(const LoggedEvent& event, std::int64_t row) override { learner_.learn(event, row); }

 private:
  RewardLearner learner_;
};

// What makes an agent's scores its mean rewards, of those options that it has.
OptionTexts means_alone(const std::string& agent) {
  const OptionTexts wanted = {{"policy", "greedy"}, {"optimism", "0"}};
  OptionTexts options;
  const Spec spec = parse_spec(agent);
  for (const OptionDoc& doc : find_agent(spec.name).options()) {
    if (const auto found = wanted.find(doc.name); found != wanted.end()) options.insert(*found);
  }
  for (const auto& [name, value] : options) {
    const auto typed = spec.options.find(name);
    if (typed != spec.options.end() && typed->second != value) {
      fail("reward model '{}': {}={} makes its scores more than predictions: leave it out", agent,
           name, typed->second);
    }
  }
  if (!options.contains("policy") && spec.name == "uniform") {
    fail("reward model '{}' predicts nothing: expected an agent that learns, such as linear",
         agent);
  }
  return options;
}

}  // namespace

std::unique_ptr<Predictions> logged_predictions(std::size_t column) {
  return std::make_unique<LoggedPredictions>(column);
}

RewardLearner::RewardLearner(const std::string& agent, const LogSurvey& log,
                             LoggedPlayerOptions options)
    : player_(agent, log, [&] {
        options.defaults = means_alone(agent);
        return options;
      }()) {}

std::span<const double> RewardLearner::predict(const LoggedEvent& event, std::int64_t row) {
  const LoggedAnswer answer = player_.choose(event, row);
  means_.assign(answer.scores.begin(), answer.scores.end());
  if (lowest_ <= highest_) {
    for (double& mean : means_) mean = std::clamp(mean, lowest_, highest_);
  }
  return means_;
}

void RewardLearner::learn(const LoggedEvent& event, std::int64_t row) {
  if (!player_.observe(event, row)) return;
  lowest_ = std::min(lowest_, event.reward);
  highest_ = std::max(highest_, event.reward);
}

std::unique_ptr<Predictions> past_predictions(RewardLearner learner) {
  return std::make_unique<PastPredictions>(std::move(learner));
}

FoldedPredictions::FoldedPredictions(const std::string& agent, Index folds, const LogSurvey& log,
                                     const LoggedPlayerOptions& options) {
  for (Index fold = 0; fold < folds; ++fold) learners_.emplace_back(agent, log, options);
}

void FoldedPredictions::teach(const LoggedEvent& event, std::int64_t row) {
  const auto own = static_cast<std::size_t>(row) % learners_.size();
  for (std::size_t fold = 0; fold < learners_.size(); ++fold) {
    if (fold != own) learners_[fold].learn(event, row);
  }
}

std::span<const double> FoldedPredictions::of(const LoggedEvent& event, std::int64_t row) {
  return learners_[static_cast<std::size_t>(row) % learners_.size()].predict(event, row);
}

}  // namespace bandolier
