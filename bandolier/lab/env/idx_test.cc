#include "bandolier/lab/env/idx.h"

#include <gtest/gtest.h>

#include "bandolier/lab/env/images.h"
#include "bandolier/lab/env/test_data.h"
#include "testing/errors.h"

namespace bandolier::idx_test {
namespace {

using testing::error_of;

std::string bytes(std::initializer_list<int> values) {
  std::string out;
  for (const int value : values) out += static_cast<char>(value);
  return out;
}
IdxArray read(const std::string& text, int dimensions) {
  return read_idx(*text_input(text, "a.idx"), dimensions);
}

// Two images of 1 × 3 pixels.
const std::string kImages =
    bytes({0, 0, 8, 3, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 3, 0, 51, 255, 102, 0, 1});
const std::string kLabels = bytes({0, 0, 8, 1, 0, 0, 0, 2, 1, 0});

TEST(Idx, ReadsSizesAndValues) {
  const IdxArray array = read(kImages, 3);
  EXPECT_EQ(array.sizes, (std::vector<Index>{2, 1, 3}));
  EXPECT_EQ(array.values, (std::vector<std::uint8_t>{0, 51, 255, 102, 0, 1}));
}

TEST(Idx, RefusesAnotherKindOfFile) {
  EXPECT_EQ(error_of([] { read("x,y\n1,2\n", 1); }),
            "a.idx: found a file that does not begin as IDX does: expected the bytes 0 0 8 1, "
            "unsigned bytes in 1 dimension");
  EXPECT_NE(error_of([] { read(kLabels, 3); }).find("expected the bytes 0 0 8 3"),
            std::string::npos);
  EXPECT_NE(error_of([] { read("", 1); }).find("does not begin as IDX does"), std::string::npos);
}

TEST(Idx, RefusesACutFileAtEveryLength) {
  for (std::size_t length = 0; length < kImages.size(); ++length) {
    EXPECT_NE(error_of([&] { read(kImages.substr(0, length), 3); }), "") << length;
  }
  EXPECT_EQ(error_of([] { read(kImages.substr(0, 20), 3); }),
            "a.idx is cut: expected 6 values, found 4");
}

TEST(Idx, RefusesBytesAfterTheEnd) {
  EXPECT_NE(error_of([] { read(kLabels + "x", 1); }).find("found bytes after the last of 2 values"),
            std::string::npos);
}

TEST(Idx, RefusesSizesThatAreZeroOrAbsurdWithoutTheMemoryForThem) {
  EXPECT_NE(error_of([] {
              read(bytes({0, 0, 8, 1, 0, 0, 0, 0}), 1);
            }).find("found 0 as the size"),
            std::string::npos);
  EXPECT_NE(error_of([] {
              read(bytes({0, 0, 8, 3, 255, 255, 255, 255, 255, 255, 255, 255, 0, 0, 0, 1}), 3);
            }).find("at most 64 GiB"),
            std::string::npos);
  EXPECT_EQ(error_of([] {
              read(bytes({0, 0, 8, 1, 255, 255, 255, 255, 7}), 1);
            }),
            "a.idx is cut: expected 4294967295 values, found 1");
}

class ImageTest : public ::testing::Test {
 protected:
  std::unique_ptr<Environment> make(const std::string& images, const std::string& labels) {
    return make_idx(testing::write_file(folder_, "i", images),
                    testing::write_file(folder_, "l", testing::gzip(labels)), {});
  }
  testing::TemporaryFolder folder_;
};

TEST_F(ImageTest, ScalesPixelsToOneAndRewardsTheLabel) {
  const auto environment = make(kImages, kLabels);
  EXPECT_EQ(environment->shape().image, (ImageShape{1, 3, 1}));
  EXPECT_EQ(environment->shape().actions, 2);
  const auto trial = environment->trial(1, 0, 2);
  ContextBuffer buffer;
  for (Index t = 0; t < 2; ++t) {
    const Context context = trial->context(t, buffer);
    const bool first = context.features.values[0] == 0;  // 0 51 255, label 1
    EXPECT_FLOAT_EQ(context.features.values[1], first ? 0.2f : 0);
    EXPECT_FLOAT_EQ(context.features.values[2], first ? 1 : 1 / 255.0f);
    EXPECT_EQ(trial->reward(t, 1), first ? 1 : 0);
    EXPECT_EQ(trial->reward(t, 0), first ? 0 : 1);
  }
}

TEST_F(ImageTest, RefusesAnotherNumberOfLabels) {
  EXPECT_NE(error_of([&] {
              make(kImages, bytes({0, 0, 8, 1, 0, 0, 0, 1, 1}));
            }).find("has 2 images and"),
            std::string::npos);
}

TEST_F(ImageTest, RefusesOneClass) {
  EXPECT_NE(error_of([&] {
              make(kImages, bytes({0, 0, 8, 1, 0, 0, 0, 2, 4, 4}));
            }).find("every label is 4: expected at least two classes"),
            std::string::npos);
}

}  // namespace
}  // namespace bandolier::idx_test
