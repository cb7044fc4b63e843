#include "bandolier/subspace/basis.h"

#include <gtest/gtest.h>

#include "bandolier/subspace/dense_basis.h"
#include "bandolier/subspace/hadamard_basis.h"
#include "bandolier/subspace/half_basis.h"
#include "testing/dense.h"
#include "testing/errors.h"

namespace bandolier::basis_test {
namespace {

StreamKey key(std::uint64_t seed) { return {seed, Purpose::kTest, 0, 0}; }

class RandomBasis : public ::testing::TestWithParam<BasisKind> {
 protected:
  const Network network_ = Network::parse("mlp:7", 5, 3);  // 42 + 24 = 66 parameters
};

TEST_P(RandomBasis, HasColumnsOfNormOne) {
  const auto basis = make_random_basis<double>(GetParam(), network_, 20, key(1));
  EXPECT_EQ(basis->parameters(), 66);
  EXPECT_EQ(basis->dim(), 20);
  const Matrix<double> columns = basis->matrix();
  for (Index k = 0; k < 20; ++k) EXPECT_NEAR(columns.col(k).norm(), 1, 1e-12);
}

TEST_P(RandomBasis, HasFullRank) {
  const Matrix<double> columns =
      make_random_basis<double>(GetParam(), network_, 20, key(2))->matrix();
  const Matrix<double> gram = columns.transpose() * columns;
  EXPECT_GT(testing::symmetric_eigen(gram).values.minCoeff(), 0.02);
}

TEST_P(RandomBasis, ProjectIsTheTransposeOfAddImage) {
  const auto basis = make_random_basis<double>(GetParam(), network_, 20, key(3));
  const Matrix<double> columns = basis->matrix();
  Random random(key(4));
  Vector<double> g(66), projected(20), scratch;
  random.fill_normal(g);
  basis->project(g, scratch, projected);
  EXPECT_LT((projected - columns.transpose() * g).norm(), 1e-12);
}

TEST_P(RandomBasis, IsTheSameForTheSameKeyAndAnotherForAnother) {
  const auto first = make_random_basis<float>(GetParam(), network_, 20, key(5))->matrix();
  EXPECT_EQ(first, make_random_basis<float>(GetParam(), network_, 20, key(5))->matrix());
  EXPECT_GT((first - make_random_basis<float>(GetParam(), network_, 20, key(6))->matrix()).norm(),
            1);
}

TEST_P(RandomBasis, IsSavedAsItsKeyAndComesBackEqual) {
  const Network wide = Network::parse("mlp:100", 50, 3);
  const auto basis = make_random_basis<float>(GetParam(), wide, 40, key(7));
  ArchiveWriter out;
  save_basis(*basis, out);
  const std::string bytes = out.finish();
  EXPECT_LT(bytes.size(), 300u);
  ArchiveReader in(bytes, "test");
  EXPECT_EQ(load_basis<float>(wide, in)->matrix(), basis->matrix());
}

TEST_P(RandomBasis, RefusesADimensionAboveTheNumberOfParameters) {
  EXPECT_THROW(make_random_basis<float>(GetParam(), network_, 67, key(1)), Error);
  EXPECT_THROW(make_random_basis<float>(GetParam(), network_, 0, key(1)), Error);
}

INSTANTIATE_TEST_SUITE_P(Kinds, RandomBasis, ::testing::ValuesIn(random_basis_kinds()),
                         [](const auto& tested) {
                           return tested.param == BasisKind::kRankOne
                                      ? std::string("rank_one")
                                      : std::string(to_word(tested.param));
                         });

TEST(MakeRandomBasis, RefusesAKindThatIsNotRandom) {
  const Network network = Network::parse("mlp:7", 5, 3);
  EXPECT_EQ(
      testing::error_of([&] { make_random_basis<float>(BasisKind::kSvd, network, 5, key(1)); }),
      "basis=svd is not random: expected gaussian|rank-one|hadamard");
}

TEST(LoadBasis, NamesTheKindThatItDoesNotKnow) {
  ArchiveWriter out;
  out.write("kind", std::string_view("hadamart"));
  ArchiveReader in(out.finish(), "test");
  EXPECT_EQ(testing::error_of([&] { load_basis<float>(Network::parse("mlp:7", 5, 3), in); }),
            "test: kind=hadamart: expected svd|gaussian|hadamard|rank-one|identity, did you mean "
            "'hadamard'?");
}

TEST(BasisBytesNeeded, AreThoseOfTheBasisOnceMade) {
  const Network network = Network::parse("mlp:11x7", 5, 3);
  const auto needed = [&](BasisKind kind, BasisPrecision precision) {
    return basis_bytes_needed(kind, network, 20, precision);
  };
  for (const BasisKind kind : random_basis_kinds()) {
    EXPECT_EQ(needed(kind, BasisPrecision::kFloat),
              static_cast<double>(make_random_basis<float>(kind, network, 20, key(1))->bytes()))
        << to_word(kind);
  }
  EXPECT_EQ(needed(BasisKind::kIdentity, BasisPrecision::kFloat), 0);
  const auto dense = DenseBasis<float>::gaussian(network.parameters(), 20, key(1));
  const auto both = static_cast<double>(dense.bytes() + HalfBasis(dense).bytes());
  EXPECT_EQ(needed(BasisKind::kSvd, BasisPrecision::kFloat), static_cast<double>(dense.bytes()));
  EXPECT_EQ(needed(BasisKind::kSvd, BasisPrecision::kHalf), both);
  EXPECT_EQ(needed(BasisKind::kGaussian, BasisPrecision::kHalf), both);
}

TEST(BasisBytesNeeded, DoNotOverflow) {
  const Network network = Network::parse("mlp:60000x60000", 10, 3);  // 3.6e9 parameters
  EXPECT_GT(
      basis_bytes_needed(BasisKind::kGaussian, network, 3'000'000'000, BasisPrecision::kFloat),
      4 * 3.6e9 * 3e9);
}

TEST(HadamardBasis, IsOrthogonalWhereTheParametersAreAPowerOfTwo) {
  const Matrix<double> columns = HadamardBasis<double>(64, 64, key(8)).matrix();
  EXPECT_LT((columns.transpose() * columns - Matrix<double>::Identity(64, 64)).norm(), 1e-12);
}

TEST(HadamardBasis, StoresTwelveBytesAParameterInFloat) {
  const HadamardBasis<float> basis(100'000, 500, key(9));
  EXPECT_LE(basis.bytes(), 8u * 100'000 + 4u * 500);
}

TEST(WalshHadamard, AppliedTwiceMultipliesByTheOrder) {
  Random random(key(10));
  Vector<double> x(32);
  random.fill_normal(x);
  Vector<double> twice = x;
  walsh_hadamard<double>(twice);
  walsh_hadamard<double>(twice);
  EXPECT_LT((twice - 32 * x).norm(), 1e-12);
}

TEST(IdentityBasis, LeavesVectorsAsTheyAre) {
  const Network network = Network::parse("linear", 5, 3);
  const auto basis = make_identity_basis<double>(network);
  EXPECT_EQ(basis->matrix(), (Matrix<double>::Identity(18, 18)));
  EXPECT_EQ(basis->bytes(), 0u);
}

TEST(DenseBasis, IsSavedWithItsMatrixUnlessItIsRandom) {
  const Network network = Network::parse("linear", 5, 3);
  Matrix<float> columns = DenseBasis<float>::gaussian(18, 4, key(11)).columns();
  ArchiveWriter out;
  save_basis<float>(DenseBasis<float>(columns), out);
  ArchiveReader in(out.finish(), "test");
  EXPECT_EQ(load_basis<float>(network, in)->matrix(), columns);
}

}  // namespace
}  // namespace bandolier::basis_test
