// A table's schema gives, from a row's values by name, the features that its trial gives: bit for
// bit.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <map>

#include "bandolier/core/random.h"
#include "bandolier/lab/env/fields.h"
#include "bandolier/lab/env/registry.h"
#include "bandolier/lab/env/test_data.h"
#include "bandolier/model/schema_encoder.h"

namespace bandolier::table_schema_test {
namespace {

using Row = std::map<std::string, std::string>;  // field by column
using Bits = std::vector<std::uint32_t>;

// Numbers that floats hold and that they do not, Unix seconds, words, dates with times, all but
// `wide` missing at times; r0 pays the row's number, so that a trial's rows can be told.
std::vector<Row> make_rows(int count) {
  Random random({7, Purpose::kTest, 0, 0});
  std::vector<Row> rows;
  for (int i = 0; i < count; ++i) {
    const auto some = [&](std::string text) { return random.below(6) == 0 ? "" : text; };
    rows.push_back({{"whole", some(std::to_string(random.below(90)))},
                    {"tenths", some(fmt::format("{}", 0.1 * random.normal()))},
                    {"wide", fmt::format("{}", 1e6 * random.normal())},
                    {"seconds", some(std::to_string(1'700'000'000 + random.below(600)))},
                    {"colour", some(random.below(2) == 0 ? "red" : "blue")},
                    {"plan", random.below(3) == 0 ? "gold" : "free"},
                    {"code", some(std::to_string(random.below(3)))},
                    {"day", some(fmt::format("2024-03-{:02}", 1 + random.below(28)))},
                    {"at", some(fmt::format("2024-03-05T17:30:{:02}Z", random.below(60)))},
                    {"r0", std::to_string(i)},
                    {"r1", "0"}});
  }
  return rows;
}

std::string csv(const std::vector<Row>& rows) {
  std::string text;
  const auto line = [&](auto field) {
    std::vector<std::string> fields;
    for (const auto& pair : rows.front()) fields.push_back(field(pair.first));
    text += join(fields, ",") + "\n";
  };
  line([](const std::string& name) { return name; });
  for (const Row& row : rows) line([&](const std::string& name) { return row.at(name); });
  return text;
}

Bits bits(std::span<const float> values) {
  Bits out;
  for (const float value : values) out.push_back(std::bit_cast<std::uint32_t>(value));
  return out;
}

// The features that the schema's encoder has for a row: numbers as numbers, or all as words.
Bits encoded(const SchemaEncoder& encoder, const Row& row, bool as_words) {
  NamedValues values;
  for (const auto& [name, field] : row) {
    if (field.empty() || name.starts_with("r0") || name.starts_with("r1")) continue;
    const auto number = parse_number(field);
    if (number && !as_words) {
      values.number(name, *number);
    } else {
      values.word(name, field);
    }
  }
  EXPECT_TRUE(encoder.unknown(values).empty());
  FeatureScratch scratch;
  SparseVector out;
  encoder.encode(values, scratch, out);
  std::vector<float> dense(static_cast<std::size_t>(encoder.features()));
  for (std::size_t i = 0; i < out.indices.size(); ++i) {
    dense[static_cast<std::size_t>(out.indices[i])] = out.values[i];
  }
  return bits(dense);
}

class TableSchema : public ::testing::TestWithParam<std::string> {};

TEST_P(TableSchema, GivesTheFeaturesOfTheTrial) {
  const auto rows = make_rows(150);
  const testing::TemporaryFolder folder;
  const auto path = testing::write_file(folder, "a.csv", csv(rows));
  const std::string options = ",rewards=r,categorical=code,standardise=" + GetParam();
  const auto environment = make_environment("csv:" + path.string() + options);
  const auto trial = environment->trial(3, 1, 150);
  const auto schema = trial->schema();
  ASSERT_TRUE(schema);
  const SchemaEncoder encoder(*schema);
  EXPECT_EQ(encoder.features(), environment->shape().features);
  ContextBuffer buffer;
  // Running moments are those of the last step, which serve what comes after.
  for (Index t = GetParam() == "running" ? 149 : 0; t < 150; ++t) {
    const auto& row = rows[static_cast<std::size_t>(trial->reward(t, 0))];
    const Bits expected = bits(trial->context(t, buffer).features.values);
    EXPECT_EQ(encoded(encoder, row, false), expected) << t;
    EXPECT_EQ(encoded(encoder, row, true), expected) << t;
  }
  // No values at all: as a row of the table where everything is missing.
  Row nothing;
  EXPECT_EQ(encoded(encoder, nothing, false).size(), static_cast<std::size_t>(encoder.features()));
}

INSTANTIATE_TEST_SUITE_P(Modes, TableSchema,
                         ::testing::Values("all", "warmup,standardise_rows=40", "running", "none"),
                         [](const auto& instance) {
                           return instance.param.substr(0, instance.param.find(','));
                         });

TEST(TableSchema, LearnsFromUnixSecondsWhatTheySay) {
  std::string text = "t,y\n";
  for (int i = 0; i < 600; ++i) text += fmt::format("{},{}\n", 1'700'000'000 + i, i % 2);
  const testing::TemporaryFolder folder;
  const auto path = testing::write_file(folder, "a.csv", text);
  const auto environment = make_environment("csv:" + path.string() + ",label=y");
  const auto trial = environment->trial(1, 0, 600);
  ContextBuffer buffer;
  std::vector<float> found;
  for (Index t = 0; t < 600; ++t) found.push_back(trial->context(t, buffer).features.values[0]);
  std::sort(found.begin(), found.end());
  const double deviation = std::sqrt((600.0 * 600 - 1) / 12);  // of 0 .. 599
  for (int i = 0; i < 600; ++i) {
    EXPECT_NEAR(found[static_cast<std::size_t>(i)], (i - 299.5) / deviation, 1e-6);
  }
}

TEST(TableSchema, PassesThroughChangesOfRewards) {
  const testing::TemporaryFolder folder;
  const auto path = testing::write_file(folder, "a.csv", "x,y\n1,no\n2,yes\n3,no\n");
  const std::string spec = "csv:" + path.string() + ",label=y";
  const auto noisy = make_environment(spec + ",reward_noise=1,delay=2");
  EXPECT_EQ(noisy->trial(1, 0, 3)->schema()->columns[0].name, "x");
  EXPECT_EQ(noisy->action_names(), (std::vector<std::string>{"no", "yes"}));
  const auto drifting = make_environment(spec + ",drift=2");
  EXPECT_TRUE(drifting->trial(1, 0, 3)->schema());
  EXPECT_TRUE(drifting->action_names().empty()) << "each action ends as the next one";
}

TEST(TableSchema, IsThatOfTheDataSetsToo) {
  const testing::TemporaryFolder folder;
  testing::write_generated_data(folder);
  const testing::ScopedVariable data("BANDOLIER_DATA", folder.path().string());
  for (const std::string name : {"shuttle", "covertype", "adult", "mushroom"}) {
    const auto environment = make_environment(name);
    const auto schema = environment->trial(1, 0, 5)->schema();
    ASSERT_TRUE(schema) << name;
    EXPECT_EQ(schema->features(), environment->shape().features) << name;
    EXPECT_EQ(static_cast<Index>(environment->action_names().size()), environment->shape().actions);
  }
  EXPECT_EQ(make_environment("adult")->trial(1, 0, 5)->schema()->columns[1].name, "workclass");
  EXPECT_EQ(make_environment("mushroom")->action_names(),
            (std::vector<std::string>{"leave", "eat"}));
  EXPECT_FALSE(make_environment("wheel")->trial(1, 0, 5)->schema());
}

TEST(TableSchema, IsLeftOutWithANoteWhereAWordIsTooLong) {
  const testing::TemporaryFolder folder;
  const std::string word(600, 'a');
  const auto path =
      testing::write_file(folder, "a.csv", "w,x,y\n" + word + ",1,no\nb,2,yes\nb,3,no\n");
  const std::string spec = "csv:" + path.string() + ",label=y";
  const auto without = make_environment(spec);
  EXPECT_EQ(without->shape().features, 1);
  EXPECT_EQ(
      without->notes().front().to_text(),
      "column 'w' left out: free text, up to 600 bytes; categorical=w keeps it; drop=w leaves "
      "it out without this note");
  EXPECT_TRUE(without->trial(1, 0, 3)->schema());
  const auto kept = make_environment(spec + ",categorical=w");
  EXPECT_EQ(kept->shape().features, 3);
  EXPECT_FALSE(kept->trial(1, 0, 3)->schema());
  EXPECT_EQ(kept->notes().front().to_text(),
            "a saved agent will not know its features by name: a word of column 'w' has 600 bytes: "
            "expected at most 512");
}

}  // namespace
}  // namespace bandolier::table_schema_test
