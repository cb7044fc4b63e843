#include "bandolier/core/archive.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <cmath>
#include <cstring>
#include <filesystem>
#include <limits>

#include "bandolier/core/error.h"
#include "bandolier/core/file.h"
#include "testing/errors.h"

namespace bandolier::archive_test {
namespace {

using testing::error_of;

// One field of every type. testing/data/archive-v1.bndl holds the same, written by version 1.
std::string example() {
  ArchiveWriter out;
  out.write("integer", -7);
  out.write("double", 0.1);
  out.write("text", "λ = ¼");
  out.write("integers", std::vector<std::int64_t>{1, -2, 1LL << 40});
  out.write("float vector", Vector<float>{{0.5f, -1.25f, 3e38f}});
  out.write("double vector", Vector<double>{{1.0 / 3, -1e-300}});
  out.write("float matrix", Matrix<float>{{1, 2, 3}, {4, 5, 6}});
  out.write("double matrix", Matrix<double>{{1}, {2}});
  return out.finish();
}

void expect_example(ArchiveReader& in) {
  EXPECT_EQ(in.read_integer("integer"), -7);
  EXPECT_EQ(in.read_double("double"), 0.1);
  EXPECT_EQ(in.read_text("text"), "λ = ¼");
  EXPECT_EQ(in.read_integers("integers"), (std::vector<std::int64_t>{1, -2, 1LL << 40}));
  EXPECT_EQ(in.read_vector<float>("float vector"), (Vector<float>{{0.5f, -1.25f, 3e38f}}));
  EXPECT_EQ(in.read_vector<double>("double vector"), (Vector<double>{{1.0 / 3, -1e-300}}));
  EXPECT_EQ(in.read_matrix<float>("float matrix"), (Matrix<float>{{1, 2, 3}, {4, 5, 6}}));
  EXPECT_EQ(in.read_matrix<double>("double matrix"), (Matrix<double>{{1}, {2}}));
  EXPECT_NO_THROW(in.expect_end());
}

void read_example(ArchiveReader& in) {
  in.read_integer("integer");
  in.read_double("double");
  in.read_text("text");
  in.read_integers("integers");
  in.read_vector<float>("float vector");
  in.read_vector<double>("double vector");
  in.read_matrix<float>("float matrix");
  in.read_matrix<double>("double matrix");
}

// `bytes` with the header's length and the checksum made to fit: damage that a checksum cannot see.
std::string reseal(std::string bytes) {
  bytes.resize(bytes.size() - 4);
  const std::uint64_t length = bytes.size() - 20;
  std::memcpy(bytes.data() + 12, &length, 8);
  const auto crc = static_cast<std::uint32_t>(
      crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
  bytes.append(reinterpret_cast<const char*>(&crc), 4);
  return bytes;
}

std::string refusal(const std::string& bytes) {
  return error_of([&] { ArchiveReader(bytes, "m.bndl"); });
}

TEST(Archive, ReadsBackWhatWasWritten) {
  ArchiveReader in(example(), "m.bndl");
  expect_example(in);
}

TEST(Archive, LoadsAFileOfVersion1ForEver) {
  const auto path = std::filesystem::path(BANDOLIER_SOURCE_DIR) / "testing/data/archive-v1.bndl";
  ArchiveReader in(read_file(path), path.string());
  expect_example(in);
  EXPECT_EQ(read_file(path), example());  // until the version changes
}

TEST(Archive, WritesTheBytesThatTheFormatPromises) {
  ArchiveWriter out;
  out.write("n", 258);
  const std::string bytes = out.finish();
  const std::string expected(
      "BNDLIER\0\1\0\0\0\24\0\0\0\0\0\0\0\1\1\0n\10\0\0\0\0\0\0\0\2\1\0\0\0\0\0\0", 40);
  EXPECT_EQ(bytes.substr(0, 40), expected);
  EXPECT_EQ(bytes.size(), 44u);
}

TEST(Archive, KeepsNonFiniteAndSignedZeroBits) {
  ArchiveWriter out;
  out.write("x", Vector<double>{{-0.0, std::numeric_limits<double>::infinity(),
                                 std::numeric_limits<double>::quiet_NaN()}});
  const auto x = ArchiveReader(out.finish(), "m").read_vector<double>("x");
  EXPECT_TRUE(std::signbit(x[0]));
  EXPECT_TRUE(std::isinf(x[1]));
  EXPECT_TRUE(std::isnan(x[2]));
}

TEST(Archive, KeepsEmptyTextsVectorsAndMatrices) {
  ArchiveWriter out;
  out.write("text", "");
  out.write("integers", std::vector<std::int64_t>{});
  out.write("vector", Vector<float>());
  out.write("matrix", Matrix<float>(0, 5));
  ArchiveReader in(out.finish(), "m");
  EXPECT_EQ(in.read_text("text"), "");
  EXPECT_TRUE(in.read_integers("integers").empty());
  EXPECT_EQ(in.read_vector<float>("vector").size(), 0);
  EXPECT_EQ(in.read_matrix<float>("matrix").cols(), 5);
  EXPECT_TRUE(in.at_end());
}

TEST(Archive, WritesStridedAndTransposedViewsAsTheyLookFromOutside) {
  const Matrix<double> m{{1, 2}, {3, 4}, {5, 6}};
  ArchiveWriter out;
  out.write("column", m.col(1));
  out.write("transposed", m.transpose());
  out.write("block", m.block(1, 0, 2, 1).eval());
  ArchiveReader in(out.finish(), "m");
  EXPECT_EQ(in.read_vector<double>("column"), (Vector<double>{{2, 4, 6}}));
  EXPECT_EQ(in.read_matrix<double>("transposed"), m.transpose());
  EXPECT_EQ(in.read_matrix<double>("block"), (Matrix<double>{{3}, {5}}));
}

TEST(Archive, ReadsIntoObjectsOfTheRightSizeAlone) {
  Vector<float> vector(3), short_vector(2);
  Matrix<float> matrix(2, 3), turned(3, 2);
  const auto skip = [](ArchiveReader& in) {
    in.read_integer("integer");
    in.read_double("double");
    in.read_text("text");
    in.read_integers("integers");
  };
  ArchiveReader in(example(), "m");
  skip(in);
  in.read_into("float vector", vector);
  in.read_vector<double>("double vector");
  in.read_into("float matrix", matrix);
  EXPECT_EQ(vector[1], -1.25f);
  EXPECT_EQ(matrix(1, 2), 6);

  ArchiveReader other(example(), "m.bndl");
  skip(other);
  EXPECT_EQ(error_of([&] { other.read_into("float vector", short_vector); }),
            "m.bndl: field 'float vector' has 3 values, expected 2");
  other.read_vector<double>("double vector");
  EXPECT_EQ(error_of([&] { other.read_into("float matrix", turned); }),
            "m.bndl: field 'float matrix' is 2 x 3, expected 3 x 2");
}

TEST(Archive, RefusesEveryTruncation) {
  const std::string bytes = example();
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_NE(refusal(bytes.substr(0, size)), "") << size << " bytes";
  }
}

TEST(Archive, RefusesEveryFlippedBit) {
  const std::string bytes = example();
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string flipped = bytes;
      flipped[i] = static_cast<char>(flipped[i] ^ (1 << bit));
      ASSERT_NE(refusal(flipped), "") << "byte " << i << ", bit " << bit;
    }
  }
}

TEST(Archive, SaysWhatIsWrongWithAFile) {
  const std::string bytes = example();
  EXPECT_EQ(refusal(""), "m.bndl is empty: expected a saved model");
  EXPECT_EQ(refusal("{\"a\": 1}"),
            "m.bndl is not a saved model: it does not begin with the archive's mark");
  EXPECT_EQ(refusal("BNDL"),
            "m.bndl is cut off: 4 bytes, less than a header; save the model again");
  EXPECT_NE(refusal(bytes + "x").find("cut off or extended"), std::string::npos);
  EXPECT_NE(refusal(bytes.substr(0, bytes.size() - 9)).find("cut off or extended"),
            std::string::npos);
  std::string damaged = bytes;
  damaged[40] = '!';
  EXPECT_EQ(refusal(damaged),
            "m.bndl is damaged: its checksum does not match; restore it from a copy");
}

TEST(Archive, RefusesANewerVersionEvenWithAFittingChecksum) {
  std::string bytes = example();
  bytes[8] = static_cast<char>(kArchiveVersion + 1);
  EXPECT_EQ(refusal(reseal(bytes)),
            "m.bndl has archive version 2: this build reads up to 1; use a newer bandolier");
  bytes[8] = 0;
  EXPECT_NE(refusal(reseal(bytes)), "");
}

TEST(Archive, RefusesAnotherTagAnotherTypeAndTheEnd) {
  ArchiveWriter out;
  out.write("steps", 3);
  ArchiveReader in(out.finish(), "m.bndl");
  EXPECT_EQ(error_of([&] { in.read_integer("step"); }),
            "m.bndl: expected field 'step' (type 1), found 'steps' (type 1)");
  EXPECT_EQ(error_of([&] { in.read_double("steps"); }),
            "m.bndl: expected field 'steps' (type 2), found 'steps' (type 1)");
  EXPECT_EQ(error_of([&] { in.expect_end(); }),
            "m.bndl holds more than this model: 24 bytes unread");
  EXPECT_EQ(in.read_integer("steps"), 3);
  EXPECT_EQ(error_of([&] { in.read_integer("more"); }), "m.bndl ends where field 'more' should be");
}

TEST(Archive, RefusesFloatsWhereDoublesAreExpectedAndVectorsWhereMatricesAre) {
  ArchiveWriter out;
  out.write("x", Vector<float>::Ones(2).eval());
  ArchiveReader in(out.finish(), "m.bndl");
  EXPECT_THROW(in.read_vector<double>("x"), Error);
  EXPECT_THROW(in.read_matrix<float>("x"), Error);
  EXPECT_EQ(in.read_vector<float>("x").sum(), 2);
}

TEST(Archive, NeverReadsPastAPayloadThatAWrongWriterSealed) {
  const std::string bytes = example();
  for (std::size_t size = 24; size < bytes.size(); ++size) {
    EXPECT_THROW(
        {
          ArchiveReader in(reseal(bytes.substr(0, size)), "m");
          read_example(in);
        },
        Error)
        << size << " bytes";
  }
}

TEST(Archive, RefusesSizesThatDoNotFitTheirBytes) {
  ArchiveWriter out;
  out.write("m", Matrix<float>(2, 3));
  const std::string bytes = out.finish();
  constexpr std::size_t kRows = 20 + 3 + 1 + 8;  // header, type and lengths, tag
  const auto with_sizes = [&](std::int64_t rows, std::int64_t cols) {
    std::string changed = bytes;
    std::memcpy(changed.data() + kRows, &rows, 8);
    std::memcpy(changed.data() + kRows + 8, &cols, 8);
    return error_of([&] { ArchiveReader(reseal(changed), "m").read_matrix<float>("m"); });
  };
  EXPECT_EQ(with_sizes(3, 2), "");
  constexpr std::int64_t kHuge = std::int64_t{1} << 62;
  for (const auto& [rows, cols] : std::vector<std::pair<std::int64_t, std::int64_t>>{
           {3, 3}, {-2, -3}, {0, 3}, {kHuge, 4}, {4, kHuge}, {kHuge, kHuge}, {0, 0}, {6, 0}}) {
    EXPECT_NE(with_sizes(rows, cols), "") << rows << " x " << cols;
  }
}

TEST(Archive, RefusesATagThatItsLengthCannotHold) {
  ArchiveWriter out;
  EXPECT_THROW(out.write(std::string(65536, 'x'), 1), Error);
  out.write(std::string(65535, 'x'), 1);
  EXPECT_EQ(ArchiveReader(out.finish(), "m").read_integer(std::string(65535, 'x')), 1);
}

}  // namespace
}  // namespace bandolier::archive_test
