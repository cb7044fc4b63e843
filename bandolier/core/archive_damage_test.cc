// Archives that are cut, extended or altered, with and without a checksum that notices: an Error or
// a right read, never anything else.
#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <optional>

#include "bandolier/core/archive.h"
#include "bandolier/core/error.h"
#include "bandolier/core/random.h"
#include "bandolier/core/test_archive.h"
#include "testing/errors.h"

namespace bandolier::archive_damage_test {
namespace {

using testing::error_of;
using testing::example_archive;
using testing::reseal;

template <class T>
std::string bits(const T* values, Index count) {
  return {reinterpret_cast<const char*>(values), static_cast<std::size_t>(count) * sizeof(T)};
}

// The bits of every field of the example; nothing where an Error says what is wrong.
std::optional<std::vector<std::string>> contents(const std::string& bytes) {
  std::vector<std::string> all;
  const auto add = [&](const auto& values) { all.push_back(bits(values.data(), values.size())); };
  try {
    const ArchiveReader in(bytes, "m.bndl");
    const ArchiveReader outer = in.section("outer");
    all.push_back(in.read_text("kind"));
    all.push_back(std::to_string(outer.read_integer("integer")));
    all.push_back(std::to_string(outer.read_bool("bool")));
    const double number = outer.read_double("double");
    all.push_back(bits(&number, 1));
    for (const std::size_t i : {0u, 1u}) {
      const ArchiveReader member = outer.section("members", i);
      all.push_back(member.read_text("text"));
      all.emplace_back();
      for (const auto n : member.read_integers("integers")) all.back() += std::to_string(n) + ",";
      all.emplace_back();
      for (const double n : member.read_doubles("doubles")) all.back() += bits(&n, 1);
      all.emplace_back();
      for (const auto& text : member.read_texts("texts")) all.back() += text + ",";
    }
    add(outer.read_vector<float>("float vector"));
    add(outer.read_vector<double>("double vector"));
    const auto floats = in.read_matrix<float>("float matrix");
    all.push_back(std::to_string(floats.rows()) + bits(floats.data(), floats.size()));
    const auto doubles = in.read_matrix<double>("double matrix");
    all.push_back(std::to_string(doubles.rows()) + bits(doubles.data(), doubles.size()));
  } catch (const Error&) {
    return std::nullopt;
  }
  return all;
}

std::string refusal(const std::string& bytes) {
  return error_of([&] { ArchiveReader(bytes, "m.bndl"); });
}

// A sealed file with this payload.
std::string sealed(const std::string& payload) {
  return reseal(ArchiveWriter().finish().substr(0, kArchiveHeader) + payload + "crc.");
}

std::string field(FieldType type, const std::string& name, const std::string& value,
                  std::optional<std::uint64_t> length = {}) {
  const std::uint64_t promised = length.value_or(value.size());
  return std::string{static_cast<char>(type), static_cast<char>(name.size())} + name +
         bits(&promised, 1) + value;
}

TEST(DamagedArchive, EveryTruncationIsRefused) {
  const std::string bytes = example_archive();
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_NE(refusal(bytes.substr(0, size)), "") << size << " bytes";
  }
}

TEST(DamagedArchive, EveryFlippedBitIsRefused) {
  const std::string bytes = example_archive();
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string flipped = bytes;
      flipped[i] = static_cast<char>(flipped[i] ^ (1 << bit));
      ASSERT_NE(refusal(flipped), "") << "byte " << i << ", bit " << bit;
    }
  }
}

TEST(DamagedArchive, SaysWhatIsWrongWithAFile) {
  const std::string bytes = example_archive();
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

TEST(DamagedArchive, AnotherVersionIsRefusedWithWhatToDo) {
  std::string bytes = example_archive();
  bytes[8] = 1;
  EXPECT_EQ(refusal(reseal(bytes)),
            "m.bndl has archive version 1: it was written by an earlier, unreleased format; make "
            "it again");
  bytes[8] = 3;
  EXPECT_EQ(refusal(reseal(bytes)),
            "m.bndl has archive version 3: this build reads 2; use a newer bandolier");
  bytes[8] = 0;
  EXPECT_NE(refusal(reseal(bytes)), "");
}

TEST(DamagedArchive, EveryTruncationThatAWrongWriterSealedIsRefused) {
  const std::string bytes = example_archive();
  for (std::size_t size = kArchiveHeader; size < bytes.size() - 4; ++size) {
    EXPECT_FALSE(contents(reseal(bytes.substr(0, size) + "crc.")).has_value()) << size << " bytes";
  }
}

// Where a change of one byte goes unnoticed it lies in the value of one field, and all others are
// read as they were.
TEST(DamagedArchive, AChangedByteUnderARightChecksumIsRefusedOrChangesOneField) {
  const std::string bytes = example_archive();
  const auto before = contents(bytes);
  ASSERT_TRUE(before.has_value());
  int refused = 0, read = 0;
  for (std::size_t i = kArchiveHeader; i < bytes.size() - kArchiveTrailer; ++i) {
    for (const int change : {1, 2, 4, 8, 16, 32, 64, 128, 255}) {
      std::string changed = bytes;
      changed[i] = static_cast<char>(changed[i] ^ change);
      const auto after = contents(reseal(changed));
      ++(after ? read : refused);
      if (!after) continue;
      ASSERT_EQ(after->size(), before->size());
      int different = 0;
      for (std::size_t k = 0; k < before->size(); ++k) different += (*after)[k] != (*before)[k];
      EXPECT_EQ(different, 1) << "byte " << i << " ^ " << change;
    }
  }
  EXPECT_GT(refused, 1000);
  EXPECT_GT(read, 1000);
}

TEST(DamagedArchive, ManyChangesUnderARightChecksumNeverDoMoreThanThrowAnError) {
  const std::string bytes = example_archive();
  Random random({.seed = 5});
  const auto below = [&](std::size_t n) {
    return static_cast<std::size_t>(random.uniform() * static_cast<double>(n));
  };
  for (int file = 0; file < 5000; ++file) {
    std::string changed = bytes;
    for (std::size_t n = 0; n < 1 + static_cast<std::size_t>(file) % 8; ++n) {
      const std::size_t at = kArchiveHeader + below(bytes.size() - kArchiveHeader - 16);
      switch (below(3)) {
        case 0:
          changed[at] = static_cast<char>(below(256));
          break;
        case 1:
          changed.replace(at, 8, bytes, kArchiveHeader + below(bytes.size() - 40), 8);
          break;
        default:
          changed.replace(at, 8, std::string(8, below(2) == 0 ? '\377' : '\0'));
      }
    }
    EXPECT_NO_THROW(contents(reseal(changed)));
  }
}

TEST(DamagedArchive, FieldsThatLeaveTheirSectionAreRefused) {
  constexpr auto kText = FieldType::kText, kSection = FieldType::kSection;
  EXPECT_EQ(refusal(sealed(field(kText, "t", "abc", 4))),
            "m.bndl: t promises 4 bytes: 3 are left of its section");
  EXPECT_EQ(refusal(sealed(field(kText, "t", "abc", std::numeric_limits<std::uint64_t>::max()))),
            "m.bndl: t promises 18446744073709551615 bytes: 3 are left of its section");
  // Within the file but beyond the section.
  EXPECT_EQ(refusal(sealed(field(kSection, "s", field(kText, "t", "abc", 5)) +
                           field(kText, "u", "abcdef"))),
            "m.bndl: s/t promises 5 bytes: 3 are left of its section");
  EXPECT_EQ(refusal(sealed(field(kText, "t", "abc") + "\3")),
            "m.bndl: (field 2) is cut off: 1 bytes are left of its section, expected at least 10");
}

TEST(DamagedArchive, NamesThatAreThereTwiceOrCannotBeReadAloudAreRefused) {
  const auto text = [](const std::string& name) { return field(FieldType::kText, name, "x"); };
  EXPECT_EQ(refusal(sealed(text("a") + text("b") + text("a"))),
            "m.bndl: a is there twice: expected one of a name");
  EXPECT_EQ(refusal(sealed(field(FieldType::kSection, "s", text("b") + text("b")))),
            "m.bndl: s/b is there twice: expected one of a name");
  for (const std::string& name : {std::string(), std::string("\n"), std::string("a/b"),
                                  std::string("\0", 1), std::string("\xff\xfe")}) {
    EXPECT_EQ(refusal(sealed(text("a") + text(name))),
              "m.bndl: (field 2) has no name: expected 1 to 255 printable ASCII characters without "
              "'/'");
  }
}

TEST(DamagedArchive, SectionsLieInOneAnother32DeepAndNoDeeper) {
  const auto nested = [](int depth) {
    std::string payload;
    for (int i = 0; i < depth; ++i) payload = field(FieldType::kSection, "s", payload);
    return sealed(payload);
  };
  EXPECT_EQ(refusal(nested(32)), "");
  EXPECT_NE(refusal(nested(33)).find("/s lies in 32 sections: expected at most 31"),
            std::string::npos);
  EXPECT_NE(refusal(nested(10000)), "");

  ArchiveWriter out;
  const std::function<void(int)> open = [&](int depth) {
    const auto s = out.section("s");
    if (depth > 1) open(depth - 1);
  };
  EXPECT_NE(error_of([&] { open(33); }), "");
  out = ArchiveWriter();
  open(32);
  EXPECT_EQ(out.finish(), nested(32));
}

TEST(DamagedArchive, LengthsThatDoNotFitTheTypeAreRefused) {
  const std::string seven(7, 'x');
  const ArchiveReader in(sealed(field(FieldType::kInteger, "integer", seven) +
                                field(FieldType::kDouble, "double", seven + seven) +
                                field(FieldType::kIntegers, "integers", seven) +
                                field(FieldType::kFloats, "floats", seven) +
                                field(FieldType::kDoubleMatrix, "short", seven) +
                                field(FieldType::kFloatMatrix, "odd", seven + seven + seven) +
                                field(FieldType::kTexts, "texts", seven)),
                         "m.bndl");
  EXPECT_EQ(error_of([&] { in.read_integer("integer"); }),
            "m.bndl: integer has 7 bytes: expected 8");
  EXPECT_NE(error_of([&] { in.read_double("double"); }), "");
  EXPECT_EQ(error_of([&] { in.read_integers("integers"); }),
            "m.bndl: integers has 7 bytes: expected a multiple of 8");
  EXPECT_NE(error_of([&] { in.read_vector<float>("floats"); }), "");
  EXPECT_NE(error_of([&] { in.read_matrix<double>("short"); }), "");
  EXPECT_NE(error_of([&] { in.read_matrix<float>("odd"); }), "");
  EXPECT_EQ(error_of([&] { in.read_texts("texts"); }), "m.bndl: texts is cut off in text 1");
}

TEST(DamagedArchive, CountsThatDoNotFitTheirBytesAreRefused) {
  const auto matrix = [](std::int64_t rows, std::int64_t cols) {
    const std::string value = bits(&rows, 1) + bits(&cols, 1) + std::string(24, '\0');
    const ArchiveReader in(sealed(field(FieldType::kFloatMatrix, "m", value)), "m.bndl");
    return error_of([&] { in.read_matrix<float>("m"); });
  };
  EXPECT_EQ(matrix(2, 3), "");
  EXPECT_EQ(matrix(3, 2), "");
  EXPECT_EQ(matrix(3, 3), "m.bndl: m is 3 x 3: it holds 6 values");
  constexpr std::int64_t kHuge = std::int64_t{1} << 62;
  for (const auto& [rows, cols] : std::vector<std::pair<std::int64_t, std::int64_t>>{
           {-2, -3}, {0, 3}, {kHuge, 4}, {4, kHuge}, {kHuge, kHuge}, {0, 0}, {6, 0}, {0, kHuge}}) {
    EXPECT_NE(matrix(rows, cols), "") << rows << " x " << cols;
  }
  for (const std::uint64_t length : {1ull, 1ull << 62, ~0ull}) {
    const ArchiveReader in(sealed(field(FieldType::kTexts, "t", bits(&length, 1))), "m.bndl");
    EXPECT_EQ(error_of([&] { in.read_texts("t"); }), "m.bndl: t is cut off in text 1");
  }
}

TEST(DamagedArchive, NumbersThatAreNotFiniteAreRefused) {
  const float floats[] = {1, std::numeric_limits<float>::quiet_NaN()};
  const double doubles[] = {std::numeric_limits<double>::infinity()};
  const std::int64_t sizes[] = {1, 2};
  const ArchiveReader in(
      sealed(field(FieldType::kDouble, "double", bits(doubles, 1)) +
             field(FieldType::kDoubles, "doubles", bits(doubles, 1)) +
             field(FieldType::kFloats, "floats", bits(floats, 2)) +
             field(FieldType::kFloatMatrix, "matrix", bits(sizes, 2) + bits(floats, 2))),
      "m.bndl");
  Vector<float> vector(2);
  EXPECT_EQ(error_of([&] { in.read_into("floats", vector); }),
            "m.bndl: floats is not finite: no model is made from it");
  EXPECT_NE(error_of([&] { in.read_double("double"); }), "");
  EXPECT_NE(error_of([&] { in.read_doubles("doubles"); }), "");
  EXPECT_NE(error_of([&] { in.read_matrix<float>("matrix"); }), "");
}

}  // namespace
}  // namespace bandolier::archive_damage_test
