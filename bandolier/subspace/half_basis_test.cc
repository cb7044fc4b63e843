#include "bandolier/subspace/half_basis.h"

#include <gtest/gtest.h>

#include "bandolier/model/reward_model.h"
#include "bandolier/subspace/subspace.h"
#include "testing/errors.h"

namespace bandolier::half_basis_test {
namespace {

const StreamKey kKey{31, Purpose::kTest, 0, 0};

TEST(HalfBasis, TakesTwoBytesAnEntryAndRoundsItByAtMost2ToTheMinus11) {
  const auto dense = DenseBasis<float>::gaussian(400, 30, kKey);
  const HalfBasis half(dense);
  EXPECT_EQ(half.bytes(), 2u * 400 * 30);
  const Matrix<float> error = half.matrix() - dense.columns();
  const auto bound = 0x1p-11f * dense.columns().array().abs() + 0x1p-25f;
  EXPECT_TRUE((error.array().abs() <= bound).all());
}

TEST(HalfBasis, ProjectIsTheTransposeOfAddImage) {
  const HalfBasis half(DenseBasis<float>::gaussian(60, 7, kKey));
  Random random(kKey);
  Vector<float> z(7), g(60), image = Vector<float>::Zero(60), projected(7), scratch;
  random.fill_normal(z);
  random.fill_normal(g);
  half.add_image(z, scratch, image);
  half.project(g, scratch, projected);
  EXPECT_NEAR(image.dot(g), projected.dot(z), 1e-4);
}

TEST(HalfBasis, IsSavedAsItsKeyOrItsMatrixAndComesBackEqual) {
  const Network network = Network::parse("linear", 5, 3);
  const auto gaussian = DenseBasis<float>::gaussian(18, 4, kKey);
  for (const HalfBasis& half : {HalfBasis(gaussian), HalfBasis(DenseBasis(gaussian.columns()))}) {
    ArchiveWriter out;
    save_basis<float>(half, out);
    ArchiveReader in(out.finish(), "test");
    const auto loaded = load_basis<float>(network, in);
    EXPECT_EQ(loaded->kind(), half.kind());
    EXPECT_EQ(loaded->precision(), BasisPrecision::kHalf);
    EXPECT_EQ(loaded->matrix(), half.matrix());
  }
}

TEST(HalfBasis, IsMadeFromADenseBasisOnly) {
  const Network network = Network::parse("linear", 5, 3);
  EXPECT_EQ(testing::error_of([&] { make_half_basis(*make_identity_basis<float>(network)); }),
            "precision=half is for a basis that is stored: use basis=gaussian or svd, not "
            "identity");
}

TEST(HalfBasis, ModelsComputeWithItsEntriesAsFormingTheParametersDoesTo1em4) {
  for (const char* text : {"mlp:20", "mlp:12x9", "lenet5"}) {
    const ProblemShape shape{.features = 168, .actions = 4, .image = {12, 14, 1}};
    const RewardModel reward_model(text, Encoding::kMultiHead, shape);
    const Network& network = reward_model.network();
    Random random(kKey);
    const auto offset = network.initial_parameters<float>(random);
    const auto basis =
        std::make_shared<HalfBasis>(DenseBasis<float>::gaussian(network.parameters(), 25, kKey));
    const auto model = make_subspace_model<float>(reward_model.encoder(), network, offset, basis);
    const auto formed = make_formed_model<float>(reward_model.encoder(), network, offset, basis);
    Vector<float> x(168), z(25), rewards(4), expected(4), gradient(25), expected_gradient(25);
    random.fill_normal(x);
    random.fill_normal(z);
    const Context context{Features::dense({x.data(), 168}), 4, {}, {}};
    const auto work = model->make_scratch(), formed_work = formed->make_scratch();
    model->bind(context, *work);
    formed->bind(context, *formed_work);
    model->predict(z, *work, rewards);
    formed->predict(z, *formed_work, expected);
    EXPECT_LT((rewards - expected).cwiseAbs().maxCoeff(), 1e-4) << text;
    EXPECT_NEAR(model->linearise(z, 2, *work, gradient), expected[2], 1e-4) << text;
    formed->linearise(z, 2, *formed_work, expected_gradient);
    EXPECT_LT((gradient - expected_gradient).cwiseAbs().maxCoeff(), 1e-4) << text;
  }
}

}  // namespace
}  // namespace bandolier::half_basis_test
