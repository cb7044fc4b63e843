// Predicted rewards of all actions, for estimators with a reward model: never from a model that has
// learnt from the row itself.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "bandolier/lab/log/logged_player.h"

namespace bandolier {

class Predictions {
 public:
  virtual ~Predictions() = default;
  // One per action of the event; a view until the next call.
  virtual std::span<const double> of(const LoggedEvent& event, std::int64_t row) = 0;
  // After the row was evaluated.
  virtual void learn(const LoggedEvent&, std::int64_t /*row*/) {}
};

// Those that stand in the log: a column per action.
std::unique_ptr<Predictions> logged_predictions(std::size_t column);

// An agent's mean rewards, cut to the range of those that it has learnt from: what a linear model
// says of an outlier is not worth a large weight. Throws Error where an agent has no means.
class RewardLearner {
 public:
  RewardLearner(const std::string& agent, const LogSurvey& log, LoggedPlayerOptions options = {});

  std::span<const double> predict(const LoggedEvent& event, std::int64_t row);
  void learn(const LoggedEvent& event, std::int64_t row);

 private:
  LoggedPlayer player_;
  std::vector<double> means_;
  double lowest_ = std::numeric_limits<double>::infinity(), highest_ = -lowest_;
};

// Of earlier rows alone: right whatever the logging policy does with what it sees.
std::unique_ptr<Predictions> past_predictions(RewardLearner learner);

// Cross-fitting: row i belongs to fold i mod N, and is predicted by a model of the other folds. One
// pass teaches all of them; the next asks.
class FoldedPredictions : public Predictions {
 public:
  FoldedPredictions(const std::string& agent, Index folds, const LogSurvey& log,
                    const LoggedPlayerOptions& options = {});

  void teach(const LoggedEvent& event, std::int64_t row);
  std::span<const double> of(const LoggedEvent& event, std::int64_t row) override;

 private:
  std::vector<RewardLearner> learners_;  // one per fold: of all the others
};

}  // namespace bandolier
