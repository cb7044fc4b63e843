#include "bandolier/lab/env/movielens.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "bandolier/core/error.h"
#include "bandolier/core/text.h"
#include "bandolier/lab/env/data_folder.h"
#include "bandolier/lab/env/records.h"
#include "bandolier/linalg/svd.h"

namespace bandolier {
namespace {

// Users in ascending order of their number, with a row of ratings each.
struct Ratings {
  Matrix<double> matrix;  // users × movies
  Index left_out = 0;     // users without a rating among the movies
};

Ratings read_ratings(Input& input, Index movies) {
  RecordReader records(input, '\t');
  std::vector<std::string_view> fields;
  std::map<std::int64_t, Vector<double>> users;
  while (records.next(fields)) {
    if (fields.size() != 4) {
      fail("{} line {}: found {} columns, expected 4: user, item, rating, time", input.name(),
           records.line(), fields.size());
    }
    const auto number = [&](std::size_t column, const char* what, std::int64_t low,
                            std::int64_t high) {
      const auto value = parse_integer(fields[column]);
      if (!value || *value < low || *value > high) {
        fail("{} line {}, column {} ('{}'): found '{}', expected a whole number from {} to {}",
             input.name(), records.line(), column + 1, what, fields[column], low, high);
      }
      return *value;
    };
    constexpr std::int64_t kMostIds = 1'000'000'000;
    const auto user = number(0, "user", 1, kMostIds);
    const auto item = number(1, "item", 1, kMostIds);
    const auto rating = number(2, "rating", 1, 5);
    Vector<double>& row = users[user];
    if (item > movies) continue;
    if (row.size() == 0) row = Vector<double>::Zero(movies);
    row[item - 1] = static_cast<double>(rating);
  }
  if (users.empty()) fail("{} has no ratings: expected user, item, rating, time", input.name());
  Ratings ratings;
  for (const auto& [user, row] : users) ratings.left_out += row.size() == 0;
  ratings.matrix.resize(static_cast<Index>(users.size()) - ratings.left_out, movies);
  Index next = 0;
  for (const auto& [user, row] : users) {
    if (row.size() > 0) ratings.matrix.row(next++) = row.transpose();
  }
  return ratings;
}

class MovielensRows final : public Rows {
 public:
  MovielensRows(const Ratings& ratings, Index rank, Index repeat)
      : repeat_(repeat), left_out_(ratings.left_out) {
    const Svd<double> svd = gram_svd<double>(ratings.matrix, rank);
    const Index found = svd.values.size();  // the others are 0
    Matrix<double> u = svd.left, v = svd.right;
    for (Index k = 0; k < found; ++k) {
      // A singular pair's sign is arbitrary: vₖ's largest entry is made positive.
      Index largest = 0;
      v.col(k).cwiseAbs().maxCoeff(&largest);
      if (v(largest, k) < 0) {
        v.col(k) *= -1;
        u.col(k) *= -1;
      }
    }
    const Vector<double> root = svd.values.cwiseSqrt();
    contexts_.setZero(u.rows(), rank);
    contexts_.leftCols(found) = (u * root.asDiagonal()).cast<float>();
    rewards_ = (u * root.cwiseAbs2().asDiagonal() * v.transpose()).cast<float>();
    // What is round-off beside a rating is a movie without one.
    const float least = 1e-6f * rewards_.cwiseAbs().maxCoeff();
    rewards_ = (rewards_.array().abs() < least).select(0, rewards_);
  }

  Index count() const override { return repeat_ * contexts_.rows(); }

  ProblemShape shape() const override {
    return {.features = contexts_.cols(), .actions = rewards_.cols()};
  }

  Context context(Index row, ContextBuffer&) const override {
    const float* values = contexts_.row(user(row)).data();
    return {Features::dense({values, static_cast<std::size_t>(contexts_.cols())}),
            rewards_.cols(),
            {},
            {}};
  }

  float reward(Index row, Index action, Random&) const override {
    return rewards_(user(row), action);
  }

  void expected_rewards(Index row, std::span<float> out) const override {
    VectorMap<float>(out.data(), rewards_.cols()) = rewards_.row(user(row)).transpose();
  }

  std::vector<Note> notes() const override {
    if (left_out_ == 0) return {};
    return {{"users-left-out",
             fmt::format("users left out: no rating among the first {} movies", rewards_.cols()),
             left_out_}};
  }

 private:
  Index user(Index row) const { return row % contexts_.rows(); }

  Matrix<float> contexts_;  // users × rank
  Matrix<float> rewards_;   // users × movies
  Index repeat_;
  Index left_out_;
};

}  // namespace

const OptionTable<MovielensOptions>& movielens_options() {
  using O = MovielensOptions;
  static const OptionTable<O> table = [] {
    OptionTable<O> rows = {
        {"movies", &O::movies, "the first movies, one per action", between(2, 1682)},
        {"rank", &O::rank, "singular values kept: features of a context", between(1, 943)},
        {"repeat", &O::repeat, "how often each user comes", between(1, 10'000)}};
    rows.include(rows_options());
    return rows;
  }();
  return table;
}

std::unique_ptr<Environment> make_movielens(Input& input, const MovielensOptions& options) {
  const Ratings ratings = read_ratings(input, options.movies);
  const Index most = std::min(ratings.matrix.rows(), ratings.matrix.cols());
  if (options.rank > most) {
    fail("environment 'movielens': rank={}: expected at most {} with {} movies and {} users",
         options.rank, most, ratings.matrix.cols(), ratings.matrix.rows());
  }
  return make_rows_environment(
      std::make_shared<MovielensRows>(ratings, options.rank, options.repeat), options, "movielens");
}

std::unique_ptr<Environment> make_movielens(const MovielensOptions& options) {
  return make_movielens(*open_input(require_data_file("movielens", "ml-100k/u.data")), options);
}

}  // namespace bandolier
