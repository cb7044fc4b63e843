#include "bandolier/subspace/rank_one_batch.h"

#include <gtest/gtest.h>

#include "bandolier/model/reward_model.h"

namespace bandolier::rank_one_batch_test {
namespace {

const StreamKey kKey{41, Purpose::kTest, 0, 0};

// A centred model in a subspace of 10 dimensions.
std::shared_ptr<const SubspaceModel<double>> make(const std::string& text, Encoding encoding,
                                                  const ProblemShape& shape, BasisKind basis) {
  const RewardModel model(text, encoding, shape);
  Random random(kKey);
  return make_centred_model<double>(make_subspace_model<double>(
      model.encoder(), model.network(), model.network().initial_parameters<double>(random),
      make_random_basis<double>(basis, model.network(), 10, kKey)));
}

TEST(RankOneBatch, PredictsWhatItsContextsPredictOneByOneTo1em10) {
  const ProblemShape shape{.features = 5, .actions = 4};
  for (const char* text : {"linear", "mlp:6", "mlp:6:tanh", "mlp:7x5"}) {
    const auto model = make(text, Encoding::kMultiHead, shape, BasisKind::kRankOne);
    const Index rows = 7;
    Matrix<float> x(rows, shape.features);
    Matrix<double> z(rows, 10), rewards(rows, shape.actions), at_one(rows, shape.actions);
    Random random(kKey);
    random.fill_normal(VectorMap<float>(x.data(), x.size()));
    random.fill_normal(VectorMap<double>(z.data(), z.size()));
    std::vector<Context> contexts;
    for (Index i = 0; i < rows; ++i) {
      const std::span<const float> row(x.row(i).data(), static_cast<std::size_t>(x.cols()));
      contexts.push_back({Features::dense(row), shape.actions, {}, {}});
    }
    const auto batch = model->make_batch_scratch(), work = model->make_scratch();
    model->bind_batch(contexts, *batch);
    model->predict_batch(z, *batch, rewards);
    model->predict_batch(z.row(0), *batch, at_one);
    Vector<double> expected(shape.actions);
    for (Index i = 0; i < rows; ++i) {
      model->bind(contexts[static_cast<std::size_t>(i)], *work);
      model->predict(z.row(i).transpose(), *work, expected);
      EXPECT_LT((rewards.row(i).transpose() - expected).norm(), 1e-10) << text;
      model->predict(z.row(0).transpose(), *work, expected);
      EXPECT_LT((at_one.row(i).transpose() - expected).norm(), 1e-10) << text;
    }
  }
}

TEST(RankOneBatch, IsNotOfferedWhereItGainsNothing) {
  const ProblemShape shape{.features = 5, .actions = 4};
  const ProblemShape image{.features = 168, .actions = 4, .image = {12, 14, 1}};
  EXPECT_EQ(make("mlp:6", Encoding::kMultiHead, shape, BasisKind::kGaussian)->make_batch_scratch(),
            nullptr);
  EXPECT_EQ(make("mlp:6", Encoding::kConcat, shape, BasisKind::kRankOne)->make_batch_scratch(),
            nullptr);
  EXPECT_EQ(make("lenet5", Encoding::kMultiHead, image, BasisKind::kRankOne)->make_batch_scratch(),
            nullptr);
}

}  // namespace
}  // namespace bandolier::rank_one_batch_test
