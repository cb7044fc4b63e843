// Environments over stored rows: one row per step, in an order of the trial's own.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "bandolier/core/options.h"
#include "bandolier/core/random.h"
#include "bandolier/lab/env/environment.h"
#include "bandolier/model/column_encoder.h"

namespace bandolier {

// What a data set knows of its rows. Loaded once, const, shared by all trials.
class Rows {
 public:
  virtual ~Rows() = default;

  virtual Index count() const = 0;
  virtual ProblemShape shape() const = 0;

  // A row's context: a view of the data or of `buffer`.
  virtual Context context(Index row, ContextBuffer& buffer) const = 0;

  // The reward of one action. `noise` is a stream of its own for every step and action, for rewards
  // that are random.
  virtual float reward(Index row, Index action, Random& noise) const = 0;
  virtual void expected_rewards(Index row, std::span<float> out) const = 0;

  // As those of Environment.
  virtual std::vector<std::string> action_names() const { return {}; }
  virtual std::vector<Note> notes() const { return {}; }
};

// Rows of columns that have names, which can be standardised.
class ColumnRows : public Rows {
 public:
  using Rows::context;

  // How features arise from values by name; not standardised.
  virtual const FeatureSchema& schema() const = 0;

  // A row's features before they are scaled, NaN where a number is missing.
  virtual void raw_features(Index row, std::span<double> out) const = 0;

  // A row's context by an encoder of this schema, with any moments.
  virtual Context context(Index row, const ColumnEncoder& encoder, ContextBuffer& buffer) const = 0;
};

// Rewards of a classification: 1 for the right class, else 0.
inline float label_reward(Index label, Index action) { return label == action ? 1.0f : 0.0f; }
void label_rewards(Index label, std::span<float> out);

struct RowsOptions {
  std::int64_t rows = 0;  // drawn anew for every trial; 0: all
};
const OptionTable<RowsOptions>& rows_options();

// Which rows' mean and variance standardise the features.
enum class Standardise { kAll, kWarmup, kRunning, kNone };
inline Words words_of(Standardise) {
  static constexpr std::string_view kWords[] = {"all", "warmup", "running", "none"};
  return kWords;
}

struct StandardiseOptions {
  Standardise standardise = Standardise::kAll;
  std::int64_t standardise_rows = 100;
};
const OptionTable<StandardiseOptions>& standardise_options();

// Trials shuffle the rows (`rows` of them, drawn without replacement); a trial of fewer steps is
// the beginning of a longer one. `name` is the environment's, for errors.
std::unique_ptr<Environment> make_rows_environment(std::shared_ptr<const Rows> rows,
                                                   const RowsOptions& options,
                                                   const std::string& name);

// The same with every feature brought to mean 0 and variance 1 (a constant one to 0): by all rows
// of the data set, by the first `standardise_rows` of the trial (warmup), by the trial's rows up to
// and with this one (running), or not at all. A missing number is the mean of the same rows, and so
// becomes 0. Trials have a schema.
std::unique_ptr<Environment> make_rows_environment(std::shared_ptr<const ColumnRows> rows,
                                                   const RowsOptions& options,
                                                   const StandardiseOptions& standardise,
                                                   const std::string& name);

}  // namespace bandolier
