#include "bandolier/lab/log/dsjson_writer.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "bandolier/core/file.h"
#include "testing/errors.h"
#include "testing/temporary.h"

namespace bandolier::dsjson_writer_test {
namespace {

using Json = nlohmann::json;
using Doubles = std::vector<double>;

TEST(Dsjson, HasTheTakenActionFirstThenByFallingProbability) {
  const std::vector<float> x = {0.1f, -2, 1e-7f};
  const Doubles q = {0.1, 0.2, 0.4, 0.3};
  std::string line;
  DsjsonFormat().append({.id = "7-\"0\"",
                         .time = 12,
                         .context = {Features::dense(x), 4, {}, {}},
                         .action = 1,
                         .probabilities = q,
                         .reward = 2.5f},
                        line);
  EXPECT_EQ(line.back(), '\n');
  const Json json = Json::parse(line);
  EXPECT_EQ(json["_label_cost"], -2.5);
  EXPECT_EQ(json["_label_probability"], 0.2);
  EXPECT_EQ(json["_label_Action"], 2);
  EXPECT_EQ(json["_labelIndex"], 1);
  EXPECT_EQ(json["Timestamp"], "12");
  EXPECT_EQ(json["EventId"], "7-\"0\"");
  EXPECT_EQ(json["a"], (std::vector<int>{2, 3, 4, 1}));
  EXPECT_EQ(json["p"], (Doubles{0.2, 0.4, 0.3, 0.1}));
  EXPECT_EQ(json["c"]["_multi"], Json::parse(R"([{"id":"0"},{"id":"1"},{"id":"2"},{"id":"3"}])"));
  EXPECT_FALSE(json.contains("_skipLearn"));
  EXPECT_FALSE(json.contains("_noSupport"));
}

TEST(Dsjson, NumbersReadBackAsTheSame) {
  const std::vector<float> x = {0.1f, 1.0f / 3, 1e-38f, 3.4e38f, -0.0f, 16777216};
  const Doubles q = {1.0 / 3, 2.0 / 3};
  std::string line;
  DsjsonFormat().append(
      {.id = "a", .context = {Features::dense(x), 2, {}, {}}, .probabilities = q, .reward = -0.1f},
      line);
  const Json json = Json::parse(line);
  EXPECT_EQ(json["c"]["x"].get<std::vector<float>>(), x);
  EXPECT_EQ(json["p"].get<Doubles>(), q);
  EXPECT_EQ(json["_label_cost"].get<float>(), 0.1f);
}

TEST(Dsjson, LeavesOutWhatWasNotAvailableAndKeepsIdsAndFeatures) {
  const std::vector<float> values = {5}, rows = {1, 2, 3, 4, 5, 6};
  const std::vector<std::int32_t> indices = {2};
  const std::vector<std::int64_t> ids = {70, 80, 90};
  const std::vector<std::uint8_t> available = {0, 1, 1};
  const Doubles q = {0, 0.25, 0.75};
  Context context{{values, indices, 4}, 3, rows, ids};
  context.available = available;
  std::string line;
  DsjsonFormat().append({.id = "a",
                         .context = context,
                         .action = 2,
                         .probabilities = q,
                         .skip_learn = true,
                         .full_support = false},
                        line);
  const Json json = Json::parse(line);
  EXPECT_EQ(json["c"]["x"], (std::vector<int>{0, 0, 5, 0}));
  EXPECT_EQ(json["c"]["_multi"], Json::parse(R"([{"id":"80","x":[3,4]},{"id":"90","x":[5,6]}])"));
  EXPECT_EQ(json["_label_Action"], 2);
  EXPECT_EQ(json["a"], (std::vector<int>{2, 1}));
  EXPECT_EQ(json["p"], (Doubles{0.75, 0.25}));
  EXPECT_EQ(json["_label_cost"], 0);
  EXPECT_EQ(json["_skipLearn"], true);
  EXPECT_EQ(json["_noSupport"], true);
}

TEST(DsjsonWriter, ALogAppearsWhenItIsFinishedAndLeavesNothingElse) {
  const testing::TemporaryFolder folder;
  const std::vector<float> x = {1};
  const Doubles q = {0.5, 0.5};
  const LoggedDecision decision{
      .id = "a", .context = {Features::dense(x), 2, {}, {}}, .probabilities = q, .reward = 1};
  {
    DsjsonWriter writer(folder / "whole.dsjson");
    for (int i = 0; i < 1000; ++i) writer.write(decision);
    EXPECT_FALSE(std::filesystem::exists(folder / "whole.dsjson"));
    writer.finish();
  }
  { DsjsonWriter(folder / "cut.dsjson").write(decision); }
  const std::string text = read_file(folder / "whole.dsjson");
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1000);
  EXPECT_FALSE(std::filesystem::exists(folder / "cut.dsjson"));
  EXPECT_FALSE(std::filesystem::exists(folder / "cut.dsjson.part"));
  EXPECT_NE(testing::error_of([&] {
              DsjsonWriter writer(folder / "none" / "a.dsjson");
            }).find("cannot be written: No such file or directory"),
            std::string::npos);
}

}  // namespace
}  // namespace bandolier::dsjson_writer_test
