#include "bandolier/lab/env/rows.h"

#include <algorithm>
#include <numeric>

#include "bandolier/lab/env/standardise.h"

namespace bandolier {
namespace {

constexpr Index kCheckpointEvery = 64;

// The first `count` of a random order of 0 .. rows-1: the same whatever `count`.
std::vector<std::uint32_t> draw_order(Index rows, Index count, Random random) {
  std::vector<std::uint32_t> order(static_cast<std::size_t>(rows));
  std::iota(order.begin(), order.end(), 0u);
  shuffle_first(order, static_cast<std::size_t>(count), random);
  order.resize(static_cast<std::size_t>(count));
  return order;
}

class RowsTrial : public Trial {
 public:
  RowsTrial(std::shared_ptr<const Rows> rows, std::uint64_t seed, std::uint32_t trial, Index steps,
            Index drawn)
      : rows_(std::move(rows)),
        seed_(seed),
        trial_(trial),
        steps_(steps),
        order_(draw_order(rows_->count(), drawn, Random({seed, Purpose::kShuffle, trial, 0}))) {}

  Index steps() const override { return steps_; }

  Context context(Index t, ContextBuffer& buffer) const override {
    return rows_->context(row(t), buffer);
  }

  float reward(Index t, Index action) const override {
    Random noise = Random({seed_, Purpose::kReward, trial_, static_cast<std::uint32_t>(t)})
                       .fork(static_cast<std::uint32_t>(action));
    return rows_->reward(row(t), action, noise);
  }

  void expected_rewards(Index t, std::span<float> out) const override {
    rows_->expected_rewards(row(t), out);
  }

  Index row(Index t) const { return order_[static_cast<std::size_t>(t)]; }

 private:
  std::shared_ptr<const Rows> rows_;
  std::uint64_t seed_;
  std::uint32_t trial_;
  Index steps_;
  std::vector<std::uint32_t> order_;  // of at least `steps_` rows
};

// Moments of rows, one after the other.
class RowMoments {
 public:
  explicit RowMoments(const ColumnRows& rows, Moments moments = {})
      : rows_(rows),
        moments_(std::move(moments)),
        row_(static_cast<std::size_t>(rows.shape().features)) {}

  void add(Index row) {
    rows_.raw_features(row, row_);
    moments_.add(row_);
  }

  const Moments& moments() const { return moments_; }
  Scaling scaling() const { return moments_.scaling(); }

 private:
  const ColumnRows& rows_;
  Moments moments_;
  std::vector<double> row_;
};

// How rows are scaled: a schema with its moments, and the encoder of it.
struct Scaled {
  explicit Scaled(FeatureSchema of) : schema(std::move(of)), encoder(schema) {}
  FeatureSchema schema;
  ColumnEncoder encoder;
};

// Nothing where there are more columns, features or longer words than a schema may have.
std::optional<FeatureSchema> within_limits(FeatureSchema schema) {
  try {
    check(schema);
  } catch (const Error&) {
    return std::nullopt;
  }
  return schema;
}

// Scaled in a way that is fixed before the trial's first step.
class ScaledTrial final : public RowsTrial {
 public:
  ScaledTrial(RowsTrial trial, std::shared_ptr<const ColumnRows> rows,
              std::shared_ptr<const Scaled> scaled)
      : RowsTrial(std::move(trial)), rows_(std::move(rows)), scaled_(std::move(scaled)) {}

  Context context(Index t, ContextBuffer& buffer) const override {
    return rows_->context(row(t), scaled_->encoder, buffer);
  }

  std::optional<FeatureSchema> schema() const override { return within_limits(scaled_->schema); }

 private:
  std::shared_ptr<const ColumnRows> rows_;
  std::shared_ptr<const Scaled> scaled_;
};

// Step t is scaled by the moments of steps 0 .. t. Kept at every 64th step and carried on from
// there: O(features) memory per 64 steps, at most 64 rows read again per context.
class RunningTrial final : public RowsTrial {
 public:
  RunningTrial(RowsTrial trial, std::shared_ptr<const ColumnRows> rows)
      : RowsTrial(std::move(trial)), rows_(std::move(rows)), encoder_(rows_->schema()) {
    RowMoments moments(*rows_);
    for (Index t = 0; t < steps(); ++t) {
      if (t % kCheckpointEvery == 0) checkpoints_.push_back(moments.moments());
      moments.add(row(t));
    }
  }

  Context context(Index t, ContextBuffer& buffer) const override {
    const Scaling scaling = scaling_at(t);
    ColumnEncoder encoder = encoder_;
    encoder.standardise(scaling.mean, scaling.inverse_sd);
    return rows_->context(row(t), encoder, buffer);
  }

  std::optional<FeatureSchema> schema() const override {
    return within_limits(standardised(rows_->schema(), scaling_at(steps() - 1)));
  }

 private:
  Scaling scaling_at(Index t) const {
    RowMoments moments(*rows_, checkpoints_[static_cast<std::size_t>(t / kCheckpointEvery)]);
    for (Index s = t - t % kCheckpointEvery; s <= t; ++s) moments.add(row(s));
    return moments.scaling();
  }

  std::shared_ptr<const ColumnRows> rows_;
  ColumnEncoder encoder_;  // not standardised
  std::vector<Moments> checkpoints_;
};

class RowsEnvironment : public Environment {
 public:
  RowsEnvironment(std::shared_ptr<const Rows> rows, const RowsOptions& options,
                  const std::string& name)
      : rows_(std::move(rows)), most_(rows_->count()) {
    if (options.rows > most_) {
      fail("environment '{}': rows={}: expected at most {}, the rows that it has", name,
           options.rows, most_);
    }
    if (options.rows > 0) most_ = options.rows;
    check(shape());
  }

  ProblemShape shape() const override { return rows_->shape(); }
  Index default_steps() const override { return most_; }
  std::optional<Index> max_steps() const override { return most_; }

  std::unique_ptr<Trial> trial(std::uint64_t seed, std::uint32_t number,
                               Index steps) const override {
    return std::make_unique<RowsTrial>(plain_trial(seed, number, steps, steps));
  }

  std::vector<std::string> action_names() const override { return rows_->action_names(); }

  std::vector<Note> notes() const override {
    std::vector<Note> notes = rows_->notes();
    notes.push_back({"not-standardised", "features not standardised"});
    return notes;
  }

 protected:
  // With the order of `drawn` rows at least.
  RowsTrial plain_trial(std::uint64_t seed, std::uint32_t number, Index steps, Index drawn) const {
    if (steps < 1 || steps > most_) fail("{} steps: expected 1 to {}, one per row", steps, most_);
    return RowsTrial(rows_, seed, number, steps, std::max(steps, drawn));
  }

 private:
  std::shared_ptr<const Rows> rows_;
  Index most_;
};

class ColumnsEnvironment final : public RowsEnvironment {
 public:
  ColumnsEnvironment(const std::shared_ptr<const ColumnRows>& rows, const RowsOptions& options,
                     const StandardiseOptions& standardise, const std::string& name)
      : RowsEnvironment(rows, options, name),
        rows_(rows),
        mode_(standardise.standardise),
        first_(std::min<Index>(standardise.standardise_rows, default_steps())) {
    if (mode_ == Standardise::kNone) scaled_ = std::make_shared<Scaled>(rows_->schema());
    if (mode_ == Standardise::kAll) {
      RowMoments moments(*rows_);
      for (Index row = 0; row < rows_->count(); ++row) moments.add(row);
      scaled_ = scaled_by(moments);
    }
  }

  std::unique_ptr<Trial> trial(std::uint64_t seed, std::uint32_t number,
                               Index steps) const override {
    const Index first = mode_ == Standardise::kWarmup ? first_ : 0;
    RowsTrial plain = plain_trial(seed, number, steps, first);
    if (mode_ == Standardise::kRunning) {
      return std::make_unique<RunningTrial>(std::move(plain), rows_);
    }
    auto scaled = scaled_;
    if (mode_ == Standardise::kWarmup) {
      RowMoments moments(*rows_);
      for (Index t = 0; t < first; ++t) moments.add(plain.row(t));
      scaled = scaled_by(moments);
    }
    return std::make_unique<ScaledTrial>(std::move(plain), rows_, std::move(scaled));
  }

  std::vector<Note> notes() const override {
    std::vector<Note> notes = RowsEnvironment::notes();
    if (mode_ == Standardise::kAll) {
      notes.back() = {"standardised",
                      fmt::format("features standardised over all {} rows", rows_->count())};
    } else if (mode_ == Standardise::kWarmup) {
      notes.back() = {
          "standardised",
          fmt::format("features standardised over the first {} rows of each trial", first_)};
    } else if (mode_ == Standardise::kRunning) {
      notes.back() = {"standardised", "features standardised over the rows seen so far"};
    }
    return notes;
  }

 private:
  std::shared_ptr<const Scaled> scaled_by(const RowMoments& moments) const {
    return std::make_shared<Scaled>(standardised(rows_->schema(), moments.scaling()));
  }

  std::shared_ptr<const ColumnRows> rows_;
  Standardise mode_;
  Index first_;                           // rows that standardise=warmup looks at
  std::shared_ptr<const Scaled> scaled_;  // of all trials; null where each has its own
};

}  // namespace

void label_rewards(Index label, std::span<float> out) {
  std::fill(out.begin(), out.end(), 0.0f);
  out[static_cast<std::size_t>(label)] = 1;
}

const OptionTable<RowsOptions>& rows_options() {
  static const OptionTable<RowsOptions> table = {
      {"rows", &RowsOptions::rows, "rows drawn for each trial; 0: all", non_negative()}};
  return table;
}

const OptionTable<StandardiseOptions>& standardise_options() {
  static const OptionTable<StandardiseOptions> table = {
      {"standardise", &StandardiseOptions::standardise,
       "rows whose mean and variance standardise the features: all, the first of the trial, those "
       "seen so far, or none"},
      {"standardise_rows", &StandardiseOptions::standardise_rows,
       "how many first rows standardise=warmup uses", at_least(2)}};
  return table;
}

std::unique_ptr<Environment> make_rows_environment(std::shared_ptr<const Rows> rows,
                                                   const RowsOptions& options,
                                                   const std::string& name) {
  return std::make_unique<RowsEnvironment>(std::move(rows), options, name);
}

std::unique_ptr<Environment> make_rows_environment(std::shared_ptr<const ColumnRows> rows,
                                                   const RowsOptions& options,
                                                   const StandardiseOptions& standardise,
                                                   const std::string& name) {
  return std::make_unique<ColumnsEnvironment>(rows, options, standardise, name);
}

}  // namespace bandolier
