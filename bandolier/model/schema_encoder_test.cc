#include "bandolier/model/schema_encoder.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "testing/errors.h"

namespace bandolier::schema_encoder_test {
namespace {

using testing::error_of;
using Floats = std::vector<float>;

Floats encoded(const FeatureEncoder& encoder, const NamedValues& values) {
  FeatureScratch scratch;
  SparseVector out;
  encoder.encode(values, scratch, out);
  Floats dense(static_cast<std::size_t>(encoder.features()));
  for (std::size_t i = 0; i < out.indices.size(); ++i) {
    EXPECT_NE(out.values[i], 0);
    EXPECT_TRUE(i == 0 || out.indices[i - 1] < out.indices[i]);
    dense[static_cast<std::size_t>(out.indices[i])] = out.values[i];
  }
  return dense;
}

// age: mean 40, deviation 8. colour: a quarter of the rows blue, half of them red, a quarter
// neither; deviations √(p(1 − p)). pet: as it is.
FeatureSchema example() {
  const double quarter = 1 / std::sqrt(0.25 * 0.75);
  return {{{.name = "user.age", .words = {}, .mean = {40}, .inverse_deviation = {0.125}},
           {.name = "colour",
            .words = {"blue", "red"},
            .missing = true,
            .mean = {0.25, 0.5, 0.25},
            .inverse_deviation = {quarter, 2, quarter}},
           {.name = "pet", .words = {"false", "true"}},
           {.name = "size", .words = {"0.5", "2"}}}};
}

const float kOne = static_cast<float>(0.75 / std::sqrt(0.25 * 0.75));    // √3
const float kZero = static_cast<float>(-0.25 / std::sqrt(0.25 * 0.75));  // −1/√3

std::string saved(const FeatureEncoder& encoder) {
  ArchiveWriter out;
  encoder.save(out);
  return out.finish();
}

TEST(SchemaEncoder, StandardisesNumbersAndEachWordsZeroOrOne) {
  const SchemaEncoder encoder(example());
  EXPECT_EQ(encoder.features(), 8);
  NamedValues values;
  values.word("colour", "red");
  values.enter("user");
  values.number("age", 52);
  values.leave();
  values.boolean("pet", true);
  values.number("size", 0.5);
  EXPECT_EQ(encoded(encoder, values), (Floats{1.5f, kZero, 1, kZero, 0, 1, 1, 0}));
  EXPECT_TRUE(encoder.unknown(values).empty());
}

TEST(SchemaEncoder, WhatIsMissingIsTheMeanOrACategoryOfItsOwn) {
  const SchemaEncoder encoder(example());
  EXPECT_EQ(encoded(encoder, {}), (Floats{0, kZero, -1, kOne, 0, 0, 0, 0}));
}

TEST(SchemaEncoder, AWordThatIsUnknownIsMissingAndNamed) {
  const SchemaEncoder encoder(example());
  NamedValues values;
  values.word("colour", "mauve");
  values.word("user.age", "old");
  values.number("size", 3);
  values.number("height", 3);
  values.number("pet", 1);
  EXPECT_EQ(encoded(encoder, values), encoded(encoder, {}));
  EXPECT_EQ(encoder.unknown(values), (std::vector<std::string>{"colour=mauve", "user.age=old",
                                                               "size=3", "height", "pet=1"}));
}

TEST(SchemaEncoder, NumbersAndWordsStandForEachOther) {
  const SchemaEncoder encoder(example());
  NamedValues values;
  values.word("user.age", "48");
  values.number("size", 2);
  EXPECT_EQ(encoded(encoder, values), (Floats{1, kZero, -1, kOne, 0, 0, 0, 1}));
  NamedValues infinite;
  infinite.word("user.age", "inf");
  EXPECT_EQ(encoder.unknown(infinite), std::vector<std::string>{"user.age=inf"});
}

TEST(SchemaEncoder, SeveralWordsOfAColumnHoldTogether) {
  const SchemaEncoder encoder(example());
  NamedValues values;
  values.word("colour", "red");
  values.word("colour", "blue");
  EXPECT_EQ(encoded(encoder, values), (Floats{0, kOne, 1, kZero, 0, 0, 0, 0}));
}

TEST(SchemaEncoder, AConstantFeatureIsLeftOutAndAFarNumberStaysFinite) {
  const SchemaEncoder encoder(
      {{{.name = "a", .words = {}, .mean = {3}, .inverse_deviation = {0}},
        {.name = "b", .words = {}, .mean = {0}, .inverse_deviation = {1e10}}}});
  NamedValues values;
  values.number("a", 5);
  values.number("b", -1e38);
  EXPECT_EQ(encoded(encoder, values), (Floats{0, -std::numeric_limits<float>::max()}));
}

TEST(SchemaEncoder, LearnsNothingAndComesBackAsItWas) {
  SchemaEncoder encoder(example());
  const std::string bytes = saved(encoder);
  NamedValues values;
  values.number("user.age", 1);
  encoder.learn(values);
  EXPECT_EQ(saved(encoder), bytes);
  const auto loaded = load_feature_encoder(ArchiveReader(bytes, "m.bndl"));
  EXPECT_EQ(saved(*loaded), bytes);
  EXPECT_EQ(saved(*encoder.clone()), bytes);
  EXPECT_EQ(encoded(*loaded, values), encoded(encoder, values));
  EXPECT_TRUE(loaded->notes().empty());
}

TEST(SchemaEncoder, RefusesASchemaThatMakesNoSense) {
  const auto error = [](auto change) {
    FeatureSchema schema = example();
    change(schema.columns);
    return error_of([&] { check(schema); });
  };
  using Columns = std::vector<FeatureColumn>;
  EXPECT_EQ(error([](Columns&) {}), "");
  EXPECT_EQ(error([](Columns& c) { c.clear(); }), "the schema has 0 columns: expected 1 to 10000");
  EXPECT_EQ(error([](Columns& c) { c.resize(10'001); }),
            "the schema has 10001 columns: expected 1 to 10000");
  EXPECT_EQ(error([](Columns& c) { c[0].words.resize(1 << 20); }),
            "the schema has 1048583 features: expected at most 1048576; leave out columns of many "
            "words");
  EXPECT_EQ(error([](Columns& c) { c[2].name = "colour"; }),
            "column 'colour' is there twice: expected each name once");
  EXPECT_EQ(error([](Columns& c) { c[2].name.assign(513, 'a'); }),
            fmt::format("the name of column '{}' has 513 bytes: expected at most 512",
                        std::string(60, 'a')));
  EXPECT_EQ(error([](Columns& c) { c[2].words[0].assign(513, 'a'); }),
            "a word of column 'pet' has 513 bytes: expected at most 512");
  EXPECT_EQ(error([](Columns& c) { c[2].words[0] = "true"; }),
            "column 'pet' has the word 'true' twice: expected each name=word once");
  EXPECT_EQ(error([](Columns& c) { c[0].missing = true; }),
            "column 'user.age' has a category for missing words and no words: expected some");
  EXPECT_EQ(error([](Columns& c) { c[1].mean.pop_back(); }),
            "column 'colour' has 2 means and 3 inverse deviations: expected 3 of each, or none");
  EXPECT_EQ(error([](Columns& c) { c[0].mean[0] = 1e39; }),
            "column 'user.age' has the mean 1e+39: expected a finite number within a float's "
            "range");
  EXPECT_EQ(error([](Columns& c) { c[0].inverse_deviation[0] = -1; }),
            "column 'user.age' has the inverse deviation -1: expected a finite number >= 0");
  EXPECT_EQ(error([](Columns& c) { c[0].origin = 1e39; }),
            "column 'user.age' has 1e+39 for a missing number or an origin: expected a finite "
            "number within a float's range");
  EXPECT_EQ(error([](Columns& c) { c[1].date = true; }),
            "column 'colour' has words and what only numbers have (a date, an origin, a missing "
            "number): expected one of them");
}

TEST(SchemaEncoder, RefusesASavedSchemaThatMakesNoSense) {
  const auto error = [](std::int64_t columns, std::string_view name, std::int64_t missing) {
    ArchiveWriter out;
    out.write("kind", SchemaEncoder::kKind);
    out.write("columns", columns);
    {
      const auto section = out.section("column", 0);
      out.write("name", name);
      out.write("words", std::vector<std::string>{});
      out.write("missing", missing);
      out.write("mean", std::vector<double>{});
      out.write("inverse_deviation", std::vector<double>{});
    }
    return error_of([&] { load_feature_encoder(ArchiveReader(out.finish(), "m.bndl")); });
  };
  EXPECT_EQ(error(1, "a", 0), "");
  EXPECT_EQ(error(2, "a", 0), "m.bndl: column.1 is missing: expected a section");
  EXPECT_EQ(error(0, "a", 0), "m.bndl: columns is 0: expected 1 to 10000");
  EXPECT_EQ(error(std::int64_t{1} << 62, "a", 0),
            "m.bndl: columns is 4611686018427387904: expected 1 to 10000");
  EXPECT_EQ(error(1, "a", 2), "m.bndl: column.0/missing is 2: expected 0 or 1");
  EXPECT_EQ(error(1, "a", 1),
            "m.bndl: columns: column 'a' has a category for missing words and no words: expected "
            "some");
}

TEST(SchemaEncoder, AMissingNumberThatIsNotStandardisedIsWhatTheSchemaSays) {
  const SchemaEncoder encoder({{{.name = "a", .words = {}, .missing_number = 2.5}}});
  EXPECT_EQ(encoded(encoder, {}), Floats{2.5f});
}

TEST(SchemaEncoder, TakesDatesByTheirWordsOrAsDays) {
  const SchemaEncoder encoder(
      {{{.name = "d", .words = {}, .mean = {10}, .inverse_deviation = {0.5}, .date = true}}});
  NamedValues word, number, wrong;
  word.word("d", "1970-01-13T12:00");
  number.number("d", 12.5);
  wrong.word("d", "12.5");
  EXPECT_EQ(encoded(encoder, word), Floats{1.25f});
  EXPECT_EQ(encoded(encoder, number), Floats{1.25f});
  EXPECT_EQ(encoder.unknown(wrong), std::vector<std::string>{"d=12.5"});
}

TEST(SchemaEncoder, CountsANumberAsItsTableKeepsIt) {
  const double second = 1'700'000'301, mean = 1'700'000'300;
  NamedValues values;
  values.number("t", second);
  FeatureColumn column{.name = "t", .words = {}, .mean = {mean}, .inverse_deviation = {1}};
  EXPECT_EQ(encoded(SchemaEncoder({{column}}), values), Floats{1});
  column.origin = 1'700'000'000;
  EXPECT_EQ(encoded(SchemaEncoder({{column}}), values), Floats{1});
  column.origin = 0;  // a float is 1,700,000,256 or 1,700,000,384
  EXPECT_EQ(encoded(SchemaEncoder({{column}}), values), Floats{-44});
}

TEST(SchemaEncoder, SavesDatesOriginsAndMissingNumbers) {
  const FeatureSchema schema{{{.name = "d", .words = {}, .date = true, .origin = 19'000.5},
                              {.name = "a", .words = {}, .missing_number = 0.25}}};
  const auto loaded = load_feature_encoder(ArchiveReader(saved(SchemaEncoder(schema)), "m.bndl"));
  const auto& columns = dynamic_cast<const SchemaEncoder&>(*loaded).schema().columns;
  EXPECT_TRUE(columns[0].date);
  EXPECT_EQ(columns[0].origin, 19'000.5);
  EXPECT_FALSE(columns[1].date);
  EXPECT_EQ(columns[1].origin, std::nullopt);
  EXPECT_EQ(columns[1].missing_number, 0.25);
}

// The word "b=d" of column "a" reads as the word "d" of column "a=b".
TEST(SchemaEncoder, AWordThatReadsAsOneOfAnotherColumnIsUnknown) {
  const FeatureColumn one{.name = "a", .words = {"x"}, .mean = {0.5}, .inverse_deviation = {2}};
  const FeatureColumn other{.name = "a=b", .words = {"c", "d"}};
  for (const bool first : {true, false}) {
    FeatureSchema schema;
    schema.columns = first ? std::vector{one, other} : std::vector{other, one};
    const SchemaEncoder encoder(schema);
    NamedValues values;
    values.word("a", "b=d");
    EXPECT_EQ(encoder.unknown(values).size(), 1u);
    FeatureScratch scratch;
    SparseVector nothing, out;
    encoder.encode(NamedValues(), scratch, nothing);
    encoder.encode(values, scratch, out);
    EXPECT_EQ(out.indices, nothing.indices);
    EXPECT_EQ(out.values, nothing.values);
  }
}

TEST(SchemaEncoder, KnowsItsOwnWordsForWhatIsMissing) {
  FeatureSchema schema;
  schema.columns.resize(1);
  schema.columns[0].name = "age";
  schema.columns[0].missing_number = 40;
  schema.missing_words = {"-999", "unknown"};
  ArchiveWriter out;
  SchemaEncoder(schema).save(out);
  const auto encoder = SchemaEncoder::load(ArchiveReader(out.finish(), "test"));
  FeatureScratch scratch;
  SparseVector encoded;
  NamedValues word, number, other;
  word.word("age", "unknown");
  number.number("age", -999);
  other.number("age", -998);
  for (const NamedValues* values : {&word, &number}) {
    encoder->encode(*values, scratch, encoded);
    EXPECT_EQ(encoded.values, std::vector<float>{40});
    EXPECT_TRUE(encoder->unknown(*values).empty());
  }
  encoder->encode(other, scratch, encoded);
  EXPECT_EQ(encoded.values, std::vector<float>{-998});
}

}  // namespace
}  // namespace bandolier::schema_encoder_test
