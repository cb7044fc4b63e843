// Filters of predictors that are linear in their parameters, and rewards for them.
#pragma once

#include <vector>

#include "bandolier/filter/test_filters.h"

namespace bandolier::testing {

constexpr double kPrior = 0.7;

// Rewards of random linear predictors: a body of 3 coordinates and heads of 2 weights, or one of
// the two alone.
struct Case {
  const char* name;
  ParameterLayout layout;
  bool joint = false;
};
inline const Case kCases[] = {
    {"body", {3, 0, 0}}, {"heads", {0, 2, 2}}, {"apart", {3, 2, 2}}, {"joint", {3, 2, 2}, true}};

struct Regression {
  Matrix<double> g;  // a row per reward
  Vector<double> y;
  std::vector<Index> heads;
};

inline Regression make_regression(const ParameterLayout& layout, Index rewards) {
  Random random({.seed = 21});
  Regression data{Matrix<double>::Zero(rewards, layout.size()), Vector<double>(rewards), {}};
  for (Index t = 0; t < rewards; ++t) {
    const Index head = layout.heads > 0 ? t % layout.heads : 0;
    for (Index i = 0; i < layout.size(); ++i) {
      const bool of_head = i >= layout.body;
      if (of_head && (i - layout.body) / layout.features != head) continue;
      data.g(t, i) = random.normal();
    }
    data.y[t] = random.normal();
    data.heads.push_back(head);
  }
  return data;
}

// One reward of the regression into a filter.
inline Filter<double>::Step learn_row(Filter<double>& filter, const Regression& data, Index t,
                                      double y, ParameterScratch<double>& scratch) {
  const ParameterLayout& layout = filter.belief().layout();
  const Index head = data.heads[static_cast<std::size_t>(t)];
  const Vector<double> row = data.g.row(t).transpose();
  const Vector<double> body = row.head(layout.body);
  const Vector<double> phi = row.segment(layout.body + head * layout.features, layout.features);
  return learn(filter, linear_at<double>(filter.belief(), head, body, phi), y, scratch);
}

inline Filter<double> make_filter(const Case& c, const FilterOptions& options) {
  return {zero_belief<double>(c.layout, kPrior, {{}, {}, c.joint}), options};
}

}  // namespace bandolier::testing
