#include "bandolier/filter/fixed_body.h"

#include <gtest/gtest.h>

#include "bandolier/filter/test_contexts.h"

namespace bandolier::fixed_body_test {
namespace {

// The network's own forward pass on the dense input of every action, or of the context.
Matrix<float> expected(const Encoder& encoder, const Network& body, const Vector<float>& parameters,
                       const Context& context, std::size_t first_stage) {
  const Index rows = encoder.encoding() == Encoding::kMultiHead ? 1 : context.actions;
  Matrix<float> x(rows, encoder.inputs());
  for (Index i = 0; i < rows; ++i) {
    encoder.encode_dense(context, i, VectorMap<float>(x.row(i).data(), x.cols()));
  }
  NetworkScratch<float> scratch;
  Matrix<float> features(rows, 0);
  for (Index i = 0; i < rows; ++i) {
    body.forward<float>(parameters, x.row(i), scratch);
    Index column = 0;
    for (std::size_t s = first_stage; s < body.stages().size(); ++s) {
      const auto& stage = scratch.activations[static_cast<std::size_t>(body.stages()[s])];
      if (features.cols() < column + stage.cols()) {
        features.conservativeResize(rows, column + stage.cols());
      }
      features.block(i, column, 1, stage.cols()) = stage;
      column += stage.cols();
    }
  }
  return features;
}

void expect_network(const Encoder& encoder, const Network& body, const Context& context) {
  Random random({.seed = 8});
  const Vector<float> parameters = dense_units(body, false, random);
  for (std::size_t first = 0; first < body.stages().size(); ++first) {
    const Matrix<float> features = expected(encoder, body, parameters, context, first);
    const FixedBody fixed(encoder, body, parameters, first);
    const auto scratch = fixed.make_scratch();
    Matrix<float> found(features.rows(), features.cols());
    for (int again = 0; again < 2; ++again) {
      fixed.features(context, *scratch, found);
      EXPECT_LT((found - features).norm(), 1e-5f * (1 + features.norm()));
    }
  }
}

TEST(FixedBody, FeaturesAreTheNetworksForEveryEncoding) {
  const Vector<float> x = testing::normals(testing::kFeatures, 21);
  for (const auto encoding : {Encoding::kMultiHead, Encoding::kConcat, Encoding::kOuter}) {
    const Encoder encoder(encoding, testing::kShape);
    const Network body({Dense{encoder.inputs(), 7}, Relu{}, Dense{7, 5}, Tanh{}}, encoder.inputs());
    expect_network(encoder, body, testing::context_of(x));
  }
}

TEST(FixedBody, FeaturesOfAnImageAreTheNetworks) {
  const ProblemShape images{.features = 64, .actions = 3, .image = {8, 8, 1}};
  const Encoder encoder(Encoding::kMultiHead, images);
  const Convolution convolution{{8, 8, 1}, 3, 1, 4};
  const Network body({convolution, Relu{}, AveragePool{convolution.out()}}, 64);
  const Vector<float> x = testing::normals(64, 22);
  expect_network(encoder, body, testing::context_of(x));
}

}  // namespace
}  // namespace bandolier::fixed_body_test
