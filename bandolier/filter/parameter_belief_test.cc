// The belief about bodies and heads against a dense filter in double that keeps what it keeps.
#include "bandolier/filter/parameter_belief.h"

#include <gtest/gtest.h>

#include <cmath>

#include "bandolier/filter/test_filters.h"

namespace bandolier::parameter_belief_test {
namespace {

using testing::archive_of;
using testing::mean_of;

const ParameterLayout kLayout{4, 3, 3};  // a body of 4, three heads of 3
constexpr double kPrior = 0.8;

BeliefOptions kind(BeliefKind kind, Index rank = 10) { return {kind, rank, {}}; }

// What is kept of the covariance: 1 there, 0 elsewhere.
Matrix<double> mask_of(const ParameterBeliefOptions& options) {
  const Index n = kLayout.size();
  if (options.joint) return Matrix<double>::Ones(n, n);
  Matrix<double> mask = Matrix<double>::Zero(n, n);
  const auto keep = [&](Index offset, Index size, BeliefKind of) {
    if (of == BeliefKind::kDiagonal) {
      mask.diagonal().segment(offset, size).setOnes();
    } else {
      mask.block(offset, offset, size, size).setOnes();
    }
  };
  keep(0, kLayout.body, options.body.kind);
  for (Index k = 0; k < kLayout.heads; ++k) {
    keep(kLayout.body + k * kLayout.features, kLayout.features, options.head.kind);
  }
  return mask;
}

Matrix<double> prior_means() {
  Matrix<double> means(kLayout.heads, kLayout.features);
  means << 1, 2, 3, -1, 0, 1, 0.5, -0.5, 0;
  return means;
}

// A random gradient with respect to the body and one head, and the same with respect to everything.
struct Gradient {
  Index head;
  Vector<double> body, phi;

  Gradient(Index k, Random& random) : head(k), body(kLayout.body), phi(kLayout.features) {
    random.fill_normal(body);
    random.fill_normal(phi);
  }
  Linearised<double> view() const {
    return {0, head, {body.data(), body.size()}, {phi.data(), phi.size()}};
  }
  Vector<double> all() const {
    Vector<double> g = Vector<double>::Zero(kLayout.size());
    g.head(kLayout.body) = body;
    g.segment(kLayout.body + head * kLayout.features, kLayout.features) = phi;
    return g;
  }
};

struct Case {
  const char* name;
  ParameterBeliefOptions options;
};
// A low-rank body with room for all its directions is full.
const Case kCases[] = {
    {"full apart", {kind(BeliefKind::kFull), kind(BeliefKind::kFull), false}},
    {"full joint", {kind(BeliefKind::kFull), kind(BeliefKind::kFull), true}},
    {"full heads over a diagonal body",
     {kind(BeliefKind::kDiagonal), kind(BeliefKind::kFull), false}},
    {"full heads over a low-rank body",
     {kind(BeliefKind::kLowRank), kind(BeliefKind::kFull), false}},
    {"diagonal heads over a full body",
     {kind(BeliefKind::kFull), kind(BeliefKind::kDiagonal), false}},
};

ParameterBelief<double> make(const Case& c) {
  return ParameterBelief<double>(kLayout, prior_means(), kPrior, c.options);
}

TEST(ParameterBelief, StartsAtTheHeadsPriorMeansAndABodyOfZeros) {
  for (const Case& c : kCases) {
    const auto belief = make(c);
    EXPECT_EQ(belief.body_mean(), Vector<double>::Zero(kLayout.body)) << c.name;
    for (Index k = 0; k < kLayout.heads; ++k) {
      EXPECT_EQ(belief.head_mean(k), prior_means().row(k).transpose()) << c.name;
    }
    const Matrix<double> p = kPrior * Matrix<double>::Identity(kLayout.size(), kLayout.size());
    EXPECT_LT((belief.covariance() - p).norm(), 1e-14) << c.name;
  }
}

TEST(ParameterBelief, WeightsOnHiddenUnitsHaveAPriorVarianceOfTheirOwn) {
  ParameterLayout layout = kLayout;
  layout.hidden = 2;
  for (Case c : kCases) {
    c.options.hidden_variance = 0.1;
    const ParameterBelief<double> belief(layout, prior_means(), kPrior, c.options);
    Vector<double> expected = Vector<double>::Constant(layout.size(), kPrior);
    for (Index k = 0; k < layout.heads; ++k) {
      expected.segment(layout.body + k * layout.features, layout.hidden) *= 0.1;
    }
    const Matrix<double> p = expected.asDiagonal();
    EXPECT_LT((belief.covariance() - p).norm(), 1e-14) << c.name;
  }
}

// The joint update of (z, w, b_id) in dense form, of which each block keeps its own diagonal block.
TEST(ParameterBelief, AnEffectIsOneMoreBlockOfTheJointUpdate) {
  constexpr double kSlope = 1.5, kCurvature = 4, kEffect = 0.3;
  for (Case c : kCases) {
    c.options.effect_variance = kEffect;
    auto belief = make(c);
    const Index n = kLayout.size();
    Matrix<double> p = Matrix<double>::Zero(n + 1, n + 1);
    p.topLeftCorner(n, n) = belief.covariance();
    p(n, n) = kEffect;
    Random random({.seed = 6});
    const Gradient gradient(1, random);
    Vector<double> g(n + 1);
    g << gradient.all(), 1;
    Linearised<double> at = gradient.view();
    at.action_id = 77;
    ParameterScratch<double> scratch;
    SampleScratch<double> draw;
    const Vector<double> pg = p * g;
    const double q = g.dot(pg), s = 1 + kCurvature * q;
    EXPECT_NEAR(belief.variance(at, draw), q, 1e-12) << c.name;
    EXPECT_NEAR(belief.project(at, scratch), q, 1e-12) << c.name;
    Vector<double> mean(n + 1);
    mean << mean_of(belief), 0;
    belief.correct(at, {kSlope, kCurvature}, scratch);
    mean += pg * kSlope / s;
    p -= kCurvature / s * pg * pg.transpose();
    EXPECT_LT((mean_of(belief) - mean.head(n)).norm(), 1e-12) << c.name;
    const Matrix<double> kept = p.topLeftCorner(n, n).cwiseProduct(mask_of(c.options));
    EXPECT_LT((belief.covariance() - kept).norm(), 1e-12) << c.name;
    EXPECT_NEAR(belief.effect(77).mean, mean[n], 1e-12) << c.name;
    EXPECT_NEAR(belief.effect(77).variance, p(n, n), 1e-12) << c.name;
    EXPECT_EQ(belief.effect(78).variance, kEffect) << c.name;
  }
}

TEST(ParameterBelief, FollowsTheDenseFilterThatKeepsItsBlocks) {
  constexpr double kSlope = 1.5, kCurvature = 4;
  for (const Case& c : kCases) {
    auto belief = make(c);
    const Matrix<double> mask = mask_of(c.options);
    Matrix<double> p = belief.covariance();
    Vector<double> mean = mean_of(belief);
    ParameterScratch<double> scratch;
    SampleScratch<double> draw;
    Random random({.seed = 5});
    for (int t = 0; t < 90; ++t) {
      const Gradient gradient(t % kLayout.heads, random);
      const Vector<double> g = gradient.all(), pg = p * g;
      const double q = g.dot(pg), s = 1 + kCurvature * q;
      EXPECT_NEAR(belief.variance(gradient.view(), draw), q, 1e-12) << c.name;
      EXPECT_NEAR(belief.project(gradient.view(), scratch), q, 1e-12) << c.name;
      belief.correct(gradient.view(), {kSlope, kCurvature}, scratch);
      mean += pg * kSlope / s;
      p = (p - pg * pg.transpose() * kCurvature / s).cwiseProduct(mask).eval();
    }
    EXPECT_LT((mean_of(belief) - mean).norm(), 1e-11) << c.name;
    EXPECT_LT((belief.covariance() - p).norm(), 1e-11) << c.name;
  }
}

TEST(ParameterBelief, HeadsApartThatARewardDoesNotDependOnKeepEveryBit) {
  for (const Case& c : kCases) {
    if (c.options.joint) continue;
    auto belief = make(c);
    ParameterScratch<double> scratch;
    Random random({.seed = 6});
    const Matrix<double> before = belief.covariance();
    const Gradient gradient(1, random);
    belief.project(gradient.view(), scratch);
    belief.correct(gradient.view(), {1, 1}, scratch);
    const Matrix<double> after = belief.covariance();
    EXPECT_EQ(after.block(4, 4, 3, 3), before.block(4, 4, 3, 3)) << c.name;
    EXPECT_EQ(after.block(10, 10, 3, 3), before.block(10, 10, 3, 3)) << c.name;
    EXPECT_NE(after.block(0, 0, 4, 4), before.block(0, 0, 4, 4)) << c.name;
    EXPECT_NE(after.block(7, 7, 3, 3), before.block(7, 7, 3, 3)) << c.name;
    EXPECT_EQ(belief.head_mean(0), prior_means().row(0).transpose()) << c.name;
    EXPECT_NE(belief.head_mean(1), prior_means().row(1).transpose()) << c.name;
  }
}

// The sample that a reward with gradient g sees, gᵀ(z, w) − gᵀμ, has the variance gᵀPg: for heads
// of their own and for the one head that all actions share.
TEST(ParameterBelief, DrawsOfBodyAndHeadHaveTheVarianceOfThePredictor) {
  constexpr int kSamples = 20'000;
  for (const Case& c : kCases) {
    for (const Index heads : {Index{1}, kLayout.heads}) {
      ParameterBelief<double> belief({kLayout.body, heads, kLayout.features},
                                     prior_means().topRows(heads), kPrior, c.options);
      ParameterScratch<double> scratch;
      SampleScratch<double> draw;
      Random random({.seed = 7});
      for (int t = 0; t < 6; ++t) {
        const Gradient gradient(t % heads, random);
        belief.project(gradient.view(), scratch);
        belief.correct(gradient.view(), {1, 3}, scratch);
      }
      const Gradient at(heads - 1, random);
      Vector<double> z(kLayout.body);
      double sum = 0, squares = 0;
      for (int i = 0; i < kSamples; ++i) {
        belief.draw_body(random, 1, draw, z);
        const double off =
            at.body.dot(z - belief.body_mean()) + belief.draw_head(at.head, at.phi, random, draw);
        sum += off;
        squares += off * off;
      }
      const double q = belief.variance(at.view(), draw);
      EXPECT_LT(std::abs(sum / kSamples), 5 * std::sqrt(q / kSamples)) << c.name;
      EXPECT_NEAR(squares / kSamples / q, 1, 5 * std::sqrt(2.0 / kSamples)) << c.name;
    }
  }
}

TEST(ParameterBelief, ACopyKeepsEveryBitWhileTheOriginalLearnsForgetsAndIsRescaled) {
  for (const Case& c : kCases) {
    auto belief = make(c);
    ParameterScratch<double> scratch;
    Random random({.seed = 8});
    const auto learn = [&](Index head) {
      const Gradient gradient(head, random);
      belief.project(gradient.view(), scratch);
      belief.correct(gradient.view(), {1, 1}, scratch);
    };
    learn(0);
    const ParameterBelief<double> copy = belief;
    const std::string before = archive_of(belief);
    for (Index head = 0; head < kLayout.heads; ++head) learn(head);
    belief.forget(0.5, scratch);
    belief.add_process_noise(0.1);
    belief.scale_rewards(2);
    EXPECT_FALSE(archive_of(belief) == before) << c.name;
    EXPECT_TRUE(archive_of(copy) == before) << c.name;
  }
}

TEST(ParameterBelief, ANewUnitOfRewardsScalesHeadsOrABodyThatHasNone) {
  for (const Case& c : kCases) {
    auto belief = make(c);
    ParameterScratch<double> scratch;
    Random random({.seed = 9});
    const Gradient gradient(1, random);
    belief.project(gradient.view(), scratch);
    belief.correct(gradient.view(), {1, 1}, scratch);
    const Vector<double> z = belief.body_mean(), w = belief.head_mean(1);
    belief.scale_rewards(0.5);
    EXPECT_EQ(belief.body_mean(), z) << c.name;
    EXPECT_EQ(belief.head_mean(1), 0.5 * w) << c.name;
  }
  auto alone = testing::body_belief(2, 1.0);
  const Vector<double> g = Vector<double>::Ones(2);
  const Linearised<double> at{0, 0, {g.data(), 2}, {nullptr, 0}};
  ParameterScratch<double> scratch;
  alone.project(at, scratch);
  alone.correct(at, {1, 1}, scratch);  // μ = Pg l/s = 1/3 in both
  alone.scale_rewards(6);
  EXPECT_LT((alone.body_mean() - 2 * g).norm(), 1e-14);
}

TEST(ParameterBelief, LoadedIsTheSavedAndLearnsTheSameBits) {
  for (const Case& c : kCases) {
    auto saved = make(c);
    ParameterScratch<double> scratch;
    Random random({.seed = 10});
    const auto learn = [&](ParameterBelief<double>& belief, const Gradient& gradient) {
      belief.project(gradient.view(), scratch);
      belief.correct(gradient.view(), {1, 1}, scratch);
      belief.forget(0.9, scratch);
    };
    for (Index t = 0; t < 7; ++t) learn(saved, Gradient(t % kLayout.heads, random));
    auto loaded = make(c);
    loaded.load(ArchiveReader(archive_of(saved), "belief"));
    for (Index t = 0; t < 7; ++t) {
      const Gradient gradient(t % kLayout.heads, random);
      learn(saved, gradient);
      learn(loaded, gradient);
    }
    EXPECT_TRUE(archive_of(loaded) == archive_of(saved)) << c.name;
  }
}

TEST(ParameterBelief, NeedsTheBytesThatItHasOnceMade) {
  for (const Case& c : kCases) {
    const ParameterBelief<float> belief(kLayout, prior_means().cast<float>(), 1, c.options);
    EXPECT_EQ(bytes_needed(kLayout, c.options), static_cast<double>(belief.bytes())) << c.name;
  }
  // Mean and root of a full body of 4 and of three heads of 3; of all 13 jointly.
  EXPECT_EQ(bytes_needed(kLayout, kCases[0].options), 4 * (4 + 16 + 3 * (3 + 9)));
  EXPECT_EQ(bytes_needed(kLayout, kCases[1].options), 4 * (13 + 169));
}

}  // namespace
}  // namespace bandolier::parameter_belief_test
