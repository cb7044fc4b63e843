#include "bandolier/lab/env/rows.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <set>

#include "testing/errors.h"

namespace bandolier::rows_test {
namespace {

using testing::error_of;

// Row r has the features (r, r², 7) and pays r by action 1.
class CountingRows final : public ColumnRows {
 public:
  explicit CountingRows(Index count) : count_(count) {}
  Index count() const override { return count_; }
  ProblemShape shape() const override { return {.features = 3, .actions = 2}; }
  const FeatureSchema& schema() const override { return schema_; }
  void raw_features(Index row, std::span<double> out) const override {
    const auto r = static_cast<double>(row);
    std::copy_n(std::initializer_list<double>{r, r * r, 7}.begin(), 3, out.begin());
  }
  Context context(Index row, ContextBuffer& buffer) const override {
    return context(row, ColumnEncoder(schema_), buffer);
  }
  Context context(Index row, const ColumnEncoder& encoder, ContextBuffer& buffer) const override {
    double raw[3];
    raw_features(row, raw);
    buffer.values.resize(3);
    for (Index c = 0; c < 3; ++c) encoder.set_number(c, raw[c], buffer.values);
    return {Features::dense(buffer.values), 2, {}, {}};
  }
  float reward(Index row, Index action, Random&) const override {
    return static_cast<float>(action * row);
  }
  void expected_rewards(Index row, std::span<float> out) const override {
    out[0] = 0;
    out[1] = static_cast<float>(row);
  }

 private:
  Index count_;
  FeatureSchema schema_{{{.name = "r", .words = {}},
                         {.name = "square", .words = {}},
                         {.name = "seven", .words = {}}}};
};

std::unique_ptr<Environment> make(Index count, const RowsOptions& options,
                                  const StandardiseOptions& standardise) {
  return make_rows_environment(std::make_shared<CountingRows>(count), options, standardise, "rows");
}

// The rows of a trial, by what action 1 pays.
std::vector<double> rows_of(const Trial& trial) {
  std::vector<double> rows;
  for (Index t = 0; t < trial.steps(); ++t) rows.push_back(trial.reward(t, 1));
  return rows;
}

// (row − mean) / sd over `rows`, the population's.
double standardised(double row, const std::vector<double>& rows) {
  double mean = 0, variance = 0;
  for (const double r : rows) mean += r / static_cast<double>(rows.size());
  for (const double r : rows)
    variance += (r - mean) * (r - mean) / static_cast<double>(rows.size());
  return variance > 0 ? (row - mean) / std::sqrt(variance) : 0;
}

TEST(RowsEnvironment, TakesEveryRowOnce) {
  const auto environment = make(100, {}, {.standardise = Standardise::kNone});
  const auto rows = rows_of(*environment->trial(1, 0, 100));
  EXPECT_EQ(std::set<double>(rows.begin(), rows.end()).size(), 100u);
}

TEST(RowsEnvironment, DrawsOtherRowsForEveryTrialWhereTheyAreLimited) {
  const auto environment = make(1000, {.rows = 10}, {.standardise = Standardise::kNone});
  EXPECT_EQ(environment->default_steps(), 10);
  EXPECT_EQ(environment->max_steps(), 10);
  std::set<double> seen;
  for (std::uint32_t trial = 0; trial < 20; ++trial) {
    const auto rows = rows_of(*environment->trial(1, trial, 10));
    EXPECT_EQ(std::set<double>(rows.begin(), rows.end()).size(), 10u);
    seen.insert(rows.begin(), rows.end());
  }
  EXPECT_GT(seen.size(), 150u);  // 200 draws from 1,000 rows: 181 different ones are expected
}

TEST(RowsEnvironment, PutsEveryRowAtEveryPlaceEquallyOften) {
  // 4,000 trials of 5 rows: each row comes first 800 ± 25 times.
  const auto environment = make(5, {}, {.standardise = Standardise::kNone});
  int first[5] = {};
  for (std::uint32_t trial = 0; trial < 4000; ++trial) {
    ++first[static_cast<int>(environment->trial(3, trial, 1)->reward(0, 1))];
  }
  for (const int count : first) EXPECT_NEAR(count, 800, 4 * 25.3);
}

TEST(RowsEnvironment, RefusesMoreRowsOrStepsThanThereAre) {
  EXPECT_EQ(error_of([] { make(5, {.rows = 6}, {}); }),
            "environment 'rows': rows=6: expected at most 5, the rows that it has");
  const auto environment = make(5, {}, {});
  EXPECT_EQ(error_of([&] { environment->trial(1, 0, 6); }),
            "6 steps: expected 1 to 5, one per row");
  EXPECT_NE(error_of([&] { environment->trial(1, 0, 0); }), "");
}

// Every mode must give (x − mean)/sd of its own rows for the first feature, and 0 for the constant.
void expect_standardised(
    Standardise mode,
    const std::function<std::vector<double>(const std::vector<double>&, Index)>& rows_of_step) {
  const auto environment = make(300, {}, {.standardise = mode, .standardise_rows = 20});
  const auto trial = environment->trial(4, 2, 200);
  const auto rows = rows_of(*environment->trial(4, 2, 300));
  ContextBuffer buffer;
  for (const Index t : {0, 1, 63, 64, 65, 130, 199}) {
    const Context context = trial->context(t, buffer);
    const auto by = rows_of_step(rows, t);
    std::vector<double> squares;
    for (const double r : by) squares.push_back(r * r);
    const double row = rows[static_cast<std::size_t>(t)];
    EXPECT_NEAR(context.features.values[0], standardised(row, by), 1e-5)
        << to_word(mode) << " " << t;
    EXPECT_NEAR(context.features.values[1], standardised(row * row, squares), 1e-5)
        << to_word(mode) << " " << t;
    EXPECT_EQ(context.features.values[2], 0) << "a constant feature";
  }
}

TEST(Standardise, UsesAllRowsOfTheDataSet) {
  expect_standardised(Standardise::kAll,
                      [](const std::vector<double>& rows, Index) { return rows; });
}

TEST(Standardise, UsesTheFirstRowsOfTheTrialForWarmup) {
  expect_standardised(Standardise::kWarmup, [](const std::vector<double>& rows, Index) {
    return std::vector<double>(rows.begin(), rows.begin() + 20);
  });
}

TEST(Standardise, UsesTheRowsSoFarForRunning) {
  expect_standardised(Standardise::kRunning, [](const std::vector<double>& rows, Index t) {
    return std::vector<double>(rows.begin(), rows.begin() + t + 1);
  });
}

TEST(Standardise, LeavesFeaturesAloneForNone) {
  const auto trial = make(50, {}, {.standardise = Standardise::kNone})->trial(4, 2, 50);
  ContextBuffer buffer;
  EXPECT_EQ(trial->context(7, buffer).features.values[0], trial->reward(7, 1));
  EXPECT_EQ(buffer.values[2], 7);
}

TEST(Standardise, IsSaidInTheNotes) {
  const auto note = [](Standardise mode) {
    return make(50, {}, {.standardise = mode})->notes().back().to_text();
  };
  EXPECT_EQ(note(Standardise::kAll), "features standardised over all 50 rows");
  EXPECT_EQ(note(Standardise::kWarmup),
            "features standardised over the first 50 rows of each trial");
  EXPECT_EQ(note(Standardise::kRunning), "features standardised over the rows seen so far");
  EXPECT_EQ(note(Standardise::kNone), "features not standardised");
}

}  // namespace
}  // namespace bandolier::rows_test
