#include "bandolier/core/archive.h"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <limits>

#include "bandolier/core/file.h"
#include "bandolier/core/test_archive.h"
#include "testing/errors.h"
#include "testing/temporary.h"

namespace bandolier::archive_test {
namespace {

using testing::error_of;
using testing::example_archive;

void expect_example(const ArchiveReader& in) {
  EXPECT_EQ(in.read_text("kind"), "example");
  const ArchiveReader outer = in.section("outer");
  EXPECT_EQ(outer.read_integer("integer"), -7);
  EXPECT_EQ(outer.read_bool("bool"), true);
  EXPECT_EQ(outer.read_double("double"), 0.1);
  EXPECT_EQ(outer.section("members", 0).read_text("text"), "λ = ¼");
  EXPECT_EQ(outer.section("members", 1).read_text("text"), "");
  for (const std::size_t i : {0u, 1u}) {
    const ArchiveReader member = outer.section("members", i);
    EXPECT_EQ(member.read_integers("integers"), (std::vector<std::int64_t>{1, -2, 1LL << 40}));
    EXPECT_EQ(member.read_doubles("doubles"), (std::vector<double>{2.5, 0}));
    EXPECT_TRUE(std::signbit(member.read_doubles("doubles")[1]));
    EXPECT_EQ(member.read_texts("texts"), (std::vector<std::string>{"", "two", "µ"}));
  }
  EXPECT_EQ(outer.read_vector<float>("float vector"), (Vector<float>{{0.5f, -1.25f, 3e38f}}));
  EXPECT_EQ(outer.read_vector<double>("double vector"), (Vector<double>{{1.0 / 3, -1e-300}}));
  EXPECT_EQ(in.read_matrix<float>("float matrix"), (Matrix<float>{{1, 2, 3}, {4, 5, 6}}));
  EXPECT_EQ(in.read_matrix<double>("double matrix"), (Matrix<double>{{1}, {2}}));
}

TEST(Archive, ReadsBackWhatWasWritten) {
  expect_example(ArchiveReader(example_archive(), "m.bndl"));
}

TEST(Archive, LoadsAFileOfVersion2ForEver) {
  const auto path = std::filesystem::path(BANDOLIER_SOURCE_DIR) / "testing/data/archive-v2.bndl";
  expect_example(read_archive(path));
  EXPECT_EQ(read_file(path), example_archive());  // until the version changes
}

TEST(Archive, IsWrittenToAPathAndReadFromIt) {
  const testing::TemporaryFolder folder;
  ArchiveWriter out;
  out.write("n", 3);
  write_archive(folder / "a.bndl", out);
  EXPECT_EQ(read_archive(folder / "a.bndl").read_integer("n"), 3);
  const auto path = (folder / "none.bndl").string();
  EXPECT_EQ(error_of([&] { read_archive(path); }),
            path + " cannot be read: No such file or directory");
}

TEST(Archive, WritesTheBytesThatTheFormatPromises) {
  ArchiveWriter out;
  {
    const auto s = out.section("s");
    out.write("n", 258);
  }
  const std::string bytes = out.finish();
  const std::string expected(
      "BNDLIER\0\2\0\0\0\36\0\0\0\0\0\0\0"
      "\0\1s\23\0\0\0\0\0\0\0"
      "\1\1n\10\0\0\0\0\0\0\0\2\1\0\0\0\0\0\0",
      50);
  EXPECT_EQ(bytes.substr(0, 50), expected);
  EXPECT_EQ(bytes.size(), 54u);
}

TEST(Archive, KeepsEmptyTextsListsVectorsMatricesAndSections) {
  ArchiveWriter out;
  out.write("text", "");
  out.write("integers", std::vector<std::int64_t>{});
  out.write("doubles", std::vector<double>{});
  out.write("texts", std::vector<std::string>{});
  out.write("vector", Vector<float>());
  out.write("matrix", Matrix<float>(0, 5));
  { const auto s = out.section("section"); }
  const ArchiveReader in(out.finish(), "m");
  EXPECT_EQ(in.read_text("text"), "");
  EXPECT_TRUE(in.read_integers("integers").empty());
  EXPECT_TRUE(in.read_doubles("doubles").empty());
  EXPECT_TRUE(in.read_texts("texts").empty());
  EXPECT_EQ(in.read_vector<float>("vector").size(), 0);
  EXPECT_EQ(in.read_matrix<float>("matrix").cols(), 5);
  EXPECT_FALSE(in.section("section").has("text"));
}

TEST(Archive, WritesStridedAndTransposedViewsAsTheyLookFromOutside) {
  const Matrix<double> m{{1, 2}, {3, 4}, {5, 6}};
  ArchiveWriter out;
  out.write("column", m.col(1));
  out.write("transposed", m.transpose());
  out.write("block", m.block(1, 0, 2, 1).eval());
  const ArchiveReader in(out.finish(), "m");
  EXPECT_EQ(in.read_vector<double>("column"), (Vector<double>{{2, 4, 6}}));
  EXPECT_EQ(in.read_matrix<double>("transposed"), m.transpose());
  EXPECT_EQ(in.read_matrix<double>("block"), (Matrix<double>{{3}, {5}}));
}

TEST(Archive, FindsFieldsByNameInAnyOrderAndSkipsWhatIsNotAskedFor) {
  ArchiveWriter out;
  out.write("new vector", Vector<double>::Ones(9).eval());
  {
    const auto s = out.section("new section");
    out.write("b", 5);
  }
  out.write("b", 2);
  out.write("new text", "?");
  out.write("a", 1);
  const ArchiveReader in(out.finish(), "m");
  EXPECT_EQ(in.read_integer("a"), 1);
  EXPECT_EQ(in.read_integer("b"), 2);
  EXPECT_EQ(in.read_integer("a"), 1);
}

TEST(Archive, SkipsAFieldOfATypeThatItDoesNotKnowAndRefusesToReadIt) {
  ArchiveWriter out;
  out.write("n", 1);
  out.write("m", 2);
  std::string bytes = out.finish();
  bytes[kArchiveHeader] = 99;  // n's type
  const ArchiveReader in(testing::reseal(bytes), "m.bndl");
  EXPECT_EQ(in.read_integer("m"), 2);
  EXPECT_EQ(error_of([&] { in.read_integer("n"); }),
            "m.bndl: n is of a type that this build does not know: expected an integer");
}

TEST(Archive, TellsWhetherAFieldOrASectionIsThere) {
  const ArchiveReader in(example_archive(), "m");
  EXPECT_TRUE(in.has("kind"));
  EXPECT_TRUE(in.has("outer"));
  EXPECT_FALSE(in.has("integer"));  // of outer
  EXPECT_TRUE(in.section("outer").has("integer"));
  EXPECT_TRUE(in.section("outer").has("members.1"));
  EXPECT_FALSE(in.section("outer").has("members.2"));
  EXPECT_FALSE(in.has(""));
}

TEST(Archive, SectionsOutliveTheReaderThatTheyCameFrom) {
  const auto member = [] {
    return ArchiveReader(example_archive(), "m").section("outer").section("members", 1);
  }();
  EXPECT_EQ(member.read_texts("texts")[1], "two");
}

TEST(Archive, NamesTheFileAndThePathOfWhatIsMissingOrOfAnotherType) {
  const ArchiveReader in(example_archive(), "m.bndl");
  const ArchiveReader outer = in.section("outer");
  const ArchiveReader member = outer.section("members", 1);
  EXPECT_EQ(error_of([&] { in.read_integer("steps"); }),
            "m.bndl: steps is missing: expected an integer");
  EXPECT_EQ(error_of([&] { member.read_text("note"); }),
            "m.bndl: outer/members.1/note is missing: expected a text");
  EXPECT_EQ(error_of([&] { outer.section("members", 2); }),
            "m.bndl: outer/members.2 is missing: expected a section");
  EXPECT_EQ(error_of([&] { outer.read_double("integer"); }),
            "m.bndl: outer/integer is an integer: expected a double");
  EXPECT_EQ(error_of([&] { in.read_text("outer"); }),
            "m.bndl: outer is a section: expected a text");
  EXPECT_EQ(error_of([&] { outer.read_vector<double>("float vector"); }),
            "m.bndl: outer/float vector is a vector of floats: expected a vector of doubles");
  EXPECT_EQ(error_of([&] { in.read_vector<float>("float matrix"); }),
            "m.bndl: float matrix is a matrix of floats: expected a vector of floats");
  EXPECT_EQ(error_of([&] { member.section("texts"); }),
            "m.bndl: outer/members.1/texts is a list of texts: expected a section");
  EXPECT_EQ(error_of([&] { outer.read_bool("integer"); }),
            "m.bndl: outer/integer is -7: expected 0 or 1");
}

TEST(Archive, ReadsIntoObjectsOfTheRightSizeAlone) {
  const ArchiveReader in(example_archive(), "m.bndl");
  const ArchiveReader outer = in.section("outer");
  Vector<float> vector(3), short_vector(2);
  Matrix<float> matrix(2, 3), turned(3, 2), wide = Matrix<float>::Zero(2, 5);
  outer.read_into("float vector", vector);
  in.read_into("float matrix", matrix);
  in.read_into("float matrix", wide.leftCols(3));
  EXPECT_EQ(vector[1], -1.25f);
  EXPECT_EQ(matrix(1, 2), 6);
  EXPECT_EQ(wide.row(1).sum(), 15);
  EXPECT_EQ(error_of([&] { outer.read_into("float vector", short_vector); }),
            "m.bndl: outer/float vector has 3 values, expected 2");
  EXPECT_EQ(error_of([&] { in.read_into("float matrix", turned); }),
            "m.bndl: float matrix is 2 x 3, expected 3 x 2");
}

TEST(Archive, NumbersOutOfTheBoundsThatAReaderNamesAreRefused) {
  const ArchiveReader in(example_archive(), "m.bndl");
  const ArchiveReader outer = in.section("outer"), member = outer.section("members", 1);
  EXPECT_EQ(outer.read_integer("integer", -7, -7), -7);
  EXPECT_EQ(error_of([&] { outer.read_integer("integer", -6, 5); }),
            "m.bndl: outer/integer is -7: expected -6 to 5");
  EXPECT_EQ(error_of([&] { outer.read_count("integer"); }),
            "m.bndl: outer/integer is -7: expected 0 to 9007199254740992");
  EXPECT_EQ(outer.read_double("double", {0, 0.1}), 0.1);
  EXPECT_EQ(error_of([&] {
              outer.read_double("double", {0.5, 1});
            }),
            "m.bndl: outer/double is 0.1: expected 0.5 to 1");
  EXPECT_EQ(member.read_integers("integers", 3, -2, 1LL << 40).size(), 3u);
  EXPECT_EQ(error_of([&] { member.read_integers("integers", 3, -1, 1LL << 40); }),
            "m.bndl: outer/members.1/integers holds -2: expected -1 to 1099511627776");
  EXPECT_EQ(error_of([&] { member.read_integers("integers", 2, -2, 1LL << 40); }),
            "m.bndl: outer/members.1/integers has 3 values, expected 2");
  EXPECT_EQ(error_of([&] {
              member.read_doubles("doubles", 2, {0, 2});
            }),
            "m.bndl: outer/members.1/doubles holds 2.5: expected 0 to 2");
  Vector<float> vector(3);
  Matrix<float> matrix(2, 3);
  EXPECT_EQ(error_of([&] {
              outer.read_into("float vector", vector, {0, 1e39});
            }),
            "m.bndl: outer/float vector holds -1.25: expected 0 to 1e+39");
  EXPECT_EQ(error_of([&] {
              in.read_into("float matrix", matrix, {1, 5});
            }),
            "m.bndl: float matrix holds 6: expected 1 to 5");
  EXPECT_EQ(error_of([&] {
              in.read_matrix<float>("float matrix", {2, 9});
            }),
            "m.bndl: float matrix holds 1: expected 2 to 9");
}

TEST(Archive, RefusesToWriteANameTwiceInOneSection) {
  ArchiveWriter out;
  out.write("n", 1);
  {
    const auto s = out.section("part");
    out.write("n", 2);  // another section's
    EXPECT_EQ(error_of([&] { out.write("n", "again"); }),
              "part/n is written twice: give each field of a section a name of its own");
  }
  EXPECT_NE(error_of([&] { auto s = out.section("part"); }), "");
  EXPECT_NE(error_of([&] { auto s = out.section("n"); }), "");
  const ArchiveReader in(out.finish(), "m");
  EXPECT_EQ(in.read_integer("n"), 1);
  EXPECT_EQ(in.section("part").read_integer("n"), 2);
}

TEST(Archive, RefusesToWriteNamesThatCannotBeReadAloud) {
  ArchiveWriter out;
  for (const std::string& name :
       {std::string(), std::string("a/b"), std::string("a\nb"), std::string("\0", 1),
        std::string("λ"), std::string("\x7f"), std::string(256, 'x')}) {
    EXPECT_NE(error_of([&] { out.write(name, 1); }), "") << name;
  }
  out.write(std::string(255, 'x'), 1);
  out.write(" ~", 2);
  const ArchiveReader in(out.finish(), "m");
  EXPECT_EQ(in.read_integer(std::string(255, 'x')), 1);
  EXPECT_EQ(in.read_integer(" ~"), 2);
}

TEST(Archive, RefusesToFinishWhileASectionIsOpen) {
  ArchiveWriter out;
  {
    const auto one = out.section("one");
    const auto two = out.section("two", 7);
    EXPECT_EQ(error_of([&] { out.finish(); }),
              "section one/two.7/ is still open: close it before the archive is finished");
  }
  EXPECT_TRUE(ArchiveReader(out.finish(), "m").section("one").has("two.7"));
}

TEST(Archive, RefusesToWriteWhatIsNotFinite) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  ArchiveWriter out;
  const auto s = out.section("belief");
  EXPECT_EQ(error_of([&] { out.write("scale", kInfinity); }),
            "belief/scale is not finite: a model that has diverged is not saved");
  EXPECT_NE(error_of([&] { out.write("scale", std::nan("")); }), "");
  EXPECT_NE(error_of([&] { out.write("mean", Vector<float>{{1, -INFINITY}}); }), "");
  EXPECT_NE(error_of([&] { out.write("root", Matrix<double>{{1, 2}, {NAN, 4}}); }), "");
  EXPECT_NE(error_of([&] { out.write("list", std::vector<double>{0, kInfinity}); }), "");
}

}  // namespace
}  // namespace bandolier::archive_test
