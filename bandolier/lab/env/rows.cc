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

  // With NaN for missing numbers.
  Context marked_context(Index t, ContextBuffer& buffer) const {
    const Context context = rows_->context(row(t), buffer);
    rows_->mark_missing(row(t), buffer.values);
    return context;
  }

  float reward(Index t, Index action) const override {
    Random noise = Random({seed_, Purpose::kReward, trial_, static_cast<std::uint32_t>(t)})
                       .fork(static_cast<std::uint32_t>(action));
    return rows_->reward(row(t), action, noise);
  }

  void expected_rewards(Index t, std::span<float> out) const override {
    rows_->expected_rewards(row(t), out);
  }

 private:
  Index row(Index t) const { return order_[static_cast<std::size_t>(t)]; }

  std::shared_ptr<const Rows> rows_;
  std::uint64_t seed_;
  std::uint32_t trial_;
  Index steps_;
  std::vector<std::uint32_t> order_;  // of at least `steps_` rows
};

// Scaled by moments that are fixed before the trial's first step.
class ScaledTrial final : public RowsTrial {
 public:
  ScaledTrial(RowsTrial trial, std::shared_ptr<const Scaling> scaling)
      : RowsTrial(std::move(trial)), scaling_(std::move(scaling)) {}

  Context context(Index t, ContextBuffer& buffer) const override {
    const Context context = marked_context(t, buffer);
    scaling_->apply(buffer.values);
    return context;
  }

 private:
  std::shared_ptr<const Scaling> scaling_;
};

// Step t is scaled by the moments of steps 0 .. t. Kept at every 64th step and carried on from
// there: O(features) memory per 64 steps, at most 64 rows read again per context.
class RunningTrial final : public RowsTrial {
 public:
  explicit RunningTrial(RowsTrial trial) : RowsTrial(std::move(trial)) {
    ContextBuffer buffer;
    Moments moments;
    for (Index t = 0; t < steps(); ++t) {
      if (t % kCheckpointEvery == 0) checkpoints_.push_back(moments);
      marked_context(t, buffer);
      moments.add(buffer.values);
    }
  }

  Context context(Index t, ContextBuffer& buffer) const override {
    Moments moments = checkpoints_[static_cast<std::size_t>(t / kCheckpointEvery)];
    Context context;
    for (Index s = t - t % kCheckpointEvery; s <= t; ++s) {
      context = marked_context(s, buffer);
      moments.add(buffer.values);
    }
    moments.scaling().apply(buffer.values);
    return context;
  }

 private:
  std::vector<Moments> checkpoints_;
};

class RowsEnvironment final : public Environment {
 public:
  RowsEnvironment(std::shared_ptr<const Rows> rows, const RowsOptions& options,
                  const StandardiseOptions& standardise, const std::string& name)
      : rows_(std::move(rows)), standardise_(standardise), most_(rows_->count()) {
    if (options.rows > most_) {
      fail("environment '{}': rows={}: expected at most {}, the rows that it has", name,
           options.rows, most_);
    }
    if (options.rows > 0) most_ = options.rows;
    check(shape());
    if (standardise_.standardise == Standardise::kAll)
      scaling_ = std::make_shared<Scaling>(scaling_of_all());
  }

  ProblemShape shape() const override { return rows_->shape(); }
  Index default_steps() const override { return most_; }
  std::optional<Index> max_steps() const override { return most_; }

  std::unique_ptr<Trial> trial(std::uint64_t seed, std::uint32_t number,
                               Index steps) const override {
    if (steps < 1 || steps > most_) fail("{} steps: expected 1 to {}, one per row", steps, most_);
    const Standardise mode = standardise_.standardise;
    const Index first =
        mode == Standardise::kWarmup ? std::min<Index>(standardise_.standardise_rows, most_) : 0;
    RowsTrial plain(rows_, seed, number, steps, std::max(steps, first));
    if (mode == Standardise::kAll) return std::make_unique<ScaledTrial>(std::move(plain), scaling_);
    if (mode == Standardise::kRunning) return std::make_unique<RunningTrial>(std::move(plain));
    if (mode == Standardise::kNone) return std::make_unique<RowsTrial>(std::move(plain));
    Moments moments;
    ContextBuffer buffer;
    for (Index t = 0; t < first; ++t) {
      plain.marked_context(t, buffer);
      moments.add(buffer.values);
    }
    return std::make_unique<ScaledTrial>(std::move(plain),
                                         std::make_shared<Scaling>(moments.scaling()));
  }

  std::vector<Note> notes() const override {
    std::vector<Note> notes = rows_->notes();
    const Standardise mode = standardise_.standardise;
    if (mode == Standardise::kAll) {
      notes.push_back(
          {"standardised", fmt::format("features standardised over all {} rows", rows_->count())});
    } else if (mode == Standardise::kWarmup) {
      notes.push_back(
          {"standardised", fmt::format("features standardised over the first {} rows of each trial",
                                       std::min<Index>(standardise_.standardise_rows, most_))});
    } else if (mode == Standardise::kRunning) {
      notes.push_back({"standardised", "features standardised over the rows seen so far"});
    } else {
      notes.push_back({"not-standardised", "features not standardised"});
    }
    return notes;
  }

 private:
  Scaling scaling_of_all() const {
    Moments moments;
    ContextBuffer buffer;
    for (Index row = 0; row < rows_->count(); ++row) {
      rows_->context(row, buffer);
      rows_->mark_missing(row, buffer.values);
      moments.add(buffer.values);
    }
    return moments.scaling();
  }

  std::shared_ptr<const Rows> rows_;
  StandardiseOptions standardise_;
  Index most_;
  std::shared_ptr<const Scaling> scaling_;
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
                                                   const StandardiseOptions& standardise,
                                                   const std::string& name) {
  return std::make_unique<RowsEnvironment>(std::move(rows), options, standardise, name);
}

std::unique_ptr<Environment> make_rows_environment(std::shared_ptr<const Rows> rows,
                                                   const RowsOptions& options,
                                                   const std::string& name) {
  return make_rows_environment(std::move(rows), options, {.standardise = Standardise::kNone}, name);
}

}  // namespace bandolier
