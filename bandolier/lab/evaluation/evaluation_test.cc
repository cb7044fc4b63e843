#include "bandolier/lab/evaluation/evaluation.h"

#include <gtest/gtest.h>

#include <cmath>

#include "bandolier/agent/registry.h"
#include "bandolier/core/text.h"
#include "bandolier/lab/env/test_data.h"
#include "bandolier/lab/evaluation/evaluation_output.h"
#include "bandolier/lab/evaluation/test_rows.h"
#include "testing/errors.h"

namespace bandolier::evaluation_test {

using testing::error_of;
using testing::ope_answers;
using testing::ope_file;
using testing::TemporaryFolder;
using testing::write_file;

Evaluation run(const std::vector<std::filesystem::path>& files, const EvaluationOptions& options,
               LogOptions log = {}) {
  return evaluate(
      [&](const std::string& columns) {
        log.columns = columns;
        return open_log(files, log);
      },
      EvaluationPlan(options));
}

const EstimatedValue& value_of(const Evaluation& evaluation, const std::string& policy,
                               const std::string& estimator) {
  for (const auto& one : evaluation.policies) {
    for (const auto& value : one.values) {
      if (one.policy == policy && value.estimator == estimator) return value;
    }
  }
  throw std::runtime_error(policy + " by " + estimator + " was not evaluated");
}

// A log of 300 decisions between a and b, a with probability 0.25: reward 1 of b, and 2x of a.
std::string two_actions() {
  std::string out = "x,action,reward,propensity\n";
  for (int i = 0; i < 300; ++i) {
    const double x = i % 10 / 10.0;
    out += i % 4 == 0 ? fmt::format("{},a,{},0.25\n", x, 2 * x) : fmt::format("{},b,1,0.75\n", x);
  }
  return out;
}

TEST(Evaluation, OfColumnsMeetsTheAnswersOfOpenBanditPipeline) {
  EvaluationOptions options;
  options.policies = {"columns:pi_"};
  options.estimators = {"ips", "snips", "dm", "dr", "sndr", "switch-dr:tau=3", "dros:lambda=5"};
  options.predictions = "q_";
  options.interval.kind = IntervalKind::kNormal;
  for (const std::string log : {"binary.csv.gz", "real.csv.gz"}) {
    const Evaluation found = run({ope_file(log)}, options);
    const auto answers = ope_answers(log);
    for (const auto& value : found.policies[0].values) {
      std::string key = value.estimator;
      if (const auto colon = key.find(':'); colon != std::string::npos) key[colon] = ' ';
      EXPECT_NEAR(value.figure.value, answers.at(key).get<double>(), 1e-11) << key;
    }
    EXPECT_EQ(found.rows, answers.at("n").get<std::int64_t>());
    EXPECT_NEAR(found.policies[0].weights.effective_rows(), answers.at("effective_n").get<double>(),
                1e-9);
  }
}

TEST(Evaluation, OfOpenBanditDatasetMeetsThePublishedFigures) {
  BANDOLIER_REAL_DATA_OR_SKIP();
  const auto file = *real_data_path / "logs/obd/random/all/all.csv.gz";
  if (!std::filesystem::exists(file)) GTEST_SKIP() << "no " << file;
  const auto answers = ope_answers("obd random/all, policy BTS");
  const std::string policy = "table:" + ope_file("obd-all-bts.csv").string();
  EvaluationOptions options;
  options.policies = {policy, "logged"};
  options.estimators = {"ips", "snips", "cressie-read"};
  options.interval = {.kind = IntervalKind::kEmpiricalLikelihood, .rewards = RewardRange{0, 1}};
  const Evaluation found = run({file}, options);
  EXPECT_NEAR(value_of(found, policy, "ips").figure.value, answers.at("ips").get<double>(), 1e-12);
  EXPECT_NEAR(value_of(found, policy, "snips").figure.value, answers.at("snips").get<double>(),
              1e-12);
  const Figure& likeliest = value_of(found, policy, "cressie-read").figure;
  EXPECT_NEAR(likeliest.value, answers.at("cressie-read estimate").get<double>(), 1e-12);
  // The log is uniform: weights of all actions, and so their bounds, are known.
  const auto bounds = answers.at("cressie-read 95, known weight bounds");
  EXPECT_NEAR(likeliest.interval.low, bounds[0].get<double>(), 1e-10);
  EXPECT_NEAR(likeliest.interval.high, bounds[1].get<double>(), 1e-10);
  EXPECT_NEAR(value_of(found, "logged", "ips").figure.value,
              answers.at("logged mean").get<double>(), 1e-12);
  // Three positions, each with its own figure.
  const auto& positions = value_of(found, policy, "ips").positions;
  ASSERT_EQ(positions.size(), 3u);
  double sum = 0;
  for (const auto& position : positions) {
    sum += static_cast<double>(position.rows) * position.figure.value;
  }
  EXPECT_NEAR(sum / 10'000, answers.at("ips").get<double>(), 1e-12);
}

TEST(Evaluation, OfFixedActionsIsTheirMeanRewards) {
  TemporaryFolder folder;
  const auto log = write_file(folder, "log.csv", two_actions());
  EvaluationOptions options;
  options.policies = {"fixed:a", "fixed:1", "uniform", "logged"};
  options.estimators = {"snips", "ips"};
  const Evaluation found = run({log}, options);
  // a was taken at i = 0, 4, 8, ...: x = 0, 0.4, 0.8, 0.2, 0.6 in turn.
  EXPECT_NEAR(value_of(found, "fixed:a", "snips").figure.value, 0.8, 1e-12);
  EXPECT_NEAR(value_of(found, "fixed:1", "snips").figure.value, 1, 1e-12);
  EXPECT_NEAR(value_of(found, "uniform", "snips").figure.value, 0.9, 1e-12);
  EXPECT_NEAR(value_of(found, "logged", "ips").figure.value, 0.95, 1e-12);
  EXPECT_NEAR(found.mean_reward, 0.95, 1e-12);
  // Against the first: 1 − 0.8.
  EXPECT_FALSE(value_of(found, "fixed:a", "snips").difference);
  EXPECT_NEAR(value_of(found, "fixed:1", "snips").difference->value, 0.2, 1e-12);
}

TEST(Evaluation, OfDrPredictsByAModelThatHasNotSeenTheRow) {
  TemporaryFolder folder;
  const auto log = write_file(folder, "log.csv", two_actions());
  EvaluationOptions options;
  options.policies = {"fixed:a"};
  options.estimators = {"dm", "dr"};
  // Rows of a have the mean 0.8. Over all contexts E 2x = 0.9, and 0.88 where x = 0.9, which a
  // never had, is predicted by the largest reward seen, 1.6.
  for (const Index folds : {3, 0}) {
    options.folds = folds;
    const Evaluation found = run({log}, options);
    EXPECT_NEAR(value_of(found, "fixed:a", "dr").figure.value, 0.88, folds == 0 ? 0.1 : 0.01);
  }
  EXPECT_NEAR(value_of(run({log}, options), "fixed:a", "dm").figure.value, 0.88, 0.15);
}

TEST(Evaluation, OfAnAgentThatLearnsIsOfWhatItKnewBeforeEachRow) {
  TemporaryFolder folder;
  const auto log = write_file(folder, "log.csv", two_actions());
  EvaluationOptions options;
  options.policies = {"linear:policy=greedy", "uniform"};
  options.estimators = {"snips"};
  const Evaluation found = run({log}, options);
  // Its best is a where x > 0.5: mean of max(1, 2x) = 1.2.
  const double value = value_of(found, "linear:policy=greedy", "snips").figure.value;
  EXPECT_GT(value, 1.0);
  EXPECT_LT(value, 1.25);
}

TEST(Evaluation, TheSameSeedGivesTheSameBits) {
  TemporaryFolder folder;
  const auto log = write_file(folder, "log.csv", two_actions());
  EvaluationOptions options;
  options.policies = {"linear", "uniform"};
  options.estimators = {"dr", "snips"};
  const auto once = evaluation_json(run({log}, options)).dump();
  EXPECT_EQ(once, evaluation_json(run({log}, options)).dump());
  options.agents.seed = 1;
  EXPECT_NE(once, evaluation_json(run({log}, options)).dump());
}

TEST(Evaluation, RowsThatWereNotDecidedAreLeftOutAndCounted) {
  TemporaryFolder folder;
  std::string text;
  for (int i = 0; i < 10; ++i) {
    text += fmt::format(
        R"({{"_label_cost":-{},"_label_probability":{},"_label_Action":1,"_labelIndex":0,"a":[1,2],"c":{{"_multi":[{{}},{{}}]}},"p":[{},{}]{}}})"
        "\n",
        i < 4 ? 5 : 1, i < 4 ? 1.0 : 0.5, i < 4 ? 1.0 : 0.5, i < 4 ? 0.0 : 0.5,
        i < 4 ? R"(,"_skipLearn":true)" : "");
  }
  const auto log = write_file(folder, "log.json", text);
  EvaluationOptions options;
  options.policies = {"logged"};
  options.estimators = {"ips"};
  const Evaluation found = run({log}, options);
  EXPECT_EQ(found.rows, 6);
  EXPECT_NEAR(value_of(found, "logged", "ips").figure.value, 1, 1e-12);
  EXPECT_EQ(found.notes.back().count, 4);
}

TEST(Evaluation, MipsWeighsActionsThatAreAlikeAsOne) {
  // Actions 1 and 2 are alike; the log takes 0, 1, 2 with 0.5, 0.25, 0.25, the policy always 2.
  TemporaryFolder folder;
  std::string text;
  for (int i = 0; i < 40; ++i) {
    const int action = i % 4 < 2 ? 0 : i % 4 - 1;
    const double p = action == 0 ? 0.5 : 0.25;
    text += fmt::format(
        R"({{"_label_cost":{},"_label_probability":{},"_label_Action":{},"_labelIndex":{},"a":[1,2,3],"c":{{"_multi":[{{"id":"x","kind":"u"}},{{"id":"y","kind":"v"}},{{"id":"z","kind":"v"}}]}},"p":[0.5,0.25,0.25]}})"
        "\n",
        action == 0 ? 0 : -1, p, action + 1, action);
  }
  const auto log = write_file(folder, "log.json", text);
  EvaluationOptions options;
  options.policies = {"fixed:2"};
  options.estimators = {"mips:features=kind", "ips"};
  const Evaluation found = run({log}, options);
  // Both are right on average; mips has weights 2 and 0, ips 4 and 0.
  EXPECT_NEAR(value_of(found, "fixed:2", "mips:features=kind").figure.value, 1, 1e-12);
  EXPECT_NEAR(value_of(found, "fixed:2", "ips").figure.value, 1, 1e-12);
  const Interval mips = value_of(found, "fixed:2", "mips:features=kind").figure.interval;
  const Interval ips = value_of(found, "fixed:2", "ips").figure.interval;
  EXPECT_LT(mips.high - mips.low, 0.8 * (ips.high - ips.low));
}

TEST(Evaluation, SaysWhatTheLogCannotTell) {
  TemporaryFolder folder;
  const auto log = write_file(folder, "log.csv", two_actions());
  EvaluationOptions options;
  options.policies = {"logged"};
  options.estimators = {"dr", "mips", "ips"};
  const Evaluation found = run({log}, options);
  for (const char* estimator : {"dr", "mips"}) {
    const EstimatedValue& value = value_of(found, "logged", estimator);
    EXPECT_TRUE(std::isnan(value.figure.value));
    EXPECT_NE(join(value.notes, ";").find("does not tell the probabilities"), std::string::npos);
  }
  const auto json = evaluation_json(found);
  EXPECT_TRUE(json[0].at("value").is_null());
  EXPECT_FALSE(json[2].at("value").is_null());
}

TEST(Evaluation, SaysWhereAValueLiesOutsideAnIntervalThatKnowsMore) {
  EvaluationOptions options;
  options.policies = {"columns:pi_"};
  options.estimators = {"ips", "snips"};
  options.interval = {.kind = IntervalKind::kEmpiricalLikelihood, .rewards = RewardRange{0, 1}};
  const Evaluation found = run({ope_file("binary.csv.gz")}, options);
  // 0.889 and 0.823; the interval is 0.71 to 0.86.
  EXPECT_NE(join(value_of(found, "columns:pi_", "ips").notes, ";").find("outside the interval"),
            std::string::npos);
  EXPECT_TRUE(value_of(found, "columns:pi_", "snips").notes.empty());
}

TEST(Evaluation, RefusesWhatDoesNotGoTogether) {
  const auto refusal = [](auto change) {
    EvaluationOptions options;
    options.policies = {"uniform"};
    options.interval.rewards = RewardRange{0, 1};
    change(options);
    return error_of([&] { EvaluationPlan plan(options); });
  };
  EXPECT_EQ(refusal([](auto&) {}), "");
  EXPECT_EQ(refusal([](auto& o) { o.policies = {"unifrom"}; }),
            "no policy is called 'unifrom', did you mean 'uniform'?");
  EXPECT_NE(refusal([](auto& o) { o.policies = {"fixed"}; }).find("fixed:ACTION"),
            std::string::npos);
  EXPECT_NE(refusal([](auto& o) { o.policies.clear(); }).find("no policy"), std::string::npos);
  EXPECT_NE(refusal([](auto& o) { o.folds = 1; }).find("folds"), std::string::npos);
  const auto betting = [&](const std::vector<std::string>& estimators, Index folds,
                           const char* policy = "uniform") {
    return refusal([&](auto& o) {
      o.interval.kind = IntervalKind::kBetting;
      o.estimators = estimators;
      o.folds = folds;
      o.policies = {policy};
    });
  };
  EXPECT_EQ(betting({"ips", "dr"}, 0), "");
  EXPECT_NE(betting({"dr"}, 3).find("--folds past"), std::string::npos);
  EXPECT_NE(betting({"snips"}, 0).find("'snips'"), std::string::npos);
  EXPECT_NE(betting({"ips"}, 0, "linear").find("learns along the log"), std::string::npos);
}

TEST(Evaluation, NamesFileAndLineOfWhatIsWrong) {
  TemporaryFolder folder;
  const auto log = write_file(folder, "log.csv", two_actions());
  const auto failing = [&](auto change) {
    EvaluationOptions options;
    options.policies = {"uniform"};
    options.estimators = {"ips"};
    change(options);
    return error_of([&] { run({log}, options); });
  };
  const std::string place = log.string() + " line 2: ";
  EXPECT_EQ(failing([](auto& o) { o.policies = {"fixed:c"}; }),
            place +
                "policy 'fixed:c': this decision has 2 actions and none is called so: expected "
                "a name or an index from 0 to 1");
  EXPECT_EQ(failing([](auto& o) {
              o.interval = {.kind = IntervalKind::kBetting, .rewards = RewardRange{0.5, 1}};
            }),
            place + "reward 0: expected 0.5 to 1, as --reward-range says");
  const auto table = write_file(folder, "table.csv", "action,probability\na,0.5\nb,0.4\n");
  EXPECT_EQ(failing([&](auto& o) { o.policies = {"table:" + table.string()}; }),
            table.string() + ": probabilities sum to 0.9: expected 1");
  const auto other = write_file(folder, "other.csv", "action,probability\na,0.5\nc,0.5\n");
  EXPECT_EQ(failing([&](auto& o) { o.policies = {"table:" + other.string()}; }),
            place + other.string() + " has no action 'b', which this decision offers");
  const auto wrong = write_file(folder, "wrong.csv", "action,probability\na,2\n");
  EXPECT_EQ(failing([&](auto& o) { o.policies = {"table:" + wrong.string()}; }),
            wrong.string() + " line 2: probability '2': expected a number from 0 to 1");
}

TEST(EvaluationOutput, HasOneElementPerPolicyAndEstimatorAsTyped) {
  TemporaryFolder folder;
  const auto log = write_file(folder, "log.csv", two_actions());
  EvaluationOptions options;
  options.policies = {"logged", "fixed:a"};
  options.estimators = {"ips:clip=10", "snips"};
  const Evaluation found = run({log}, options);
  const auto json = evaluation_json(found);
  ASSERT_EQ(json.size(), 4u);
  EXPECT_EQ(json[2].at("policy"), "fixed:a");
  EXPECT_EQ(json[2].at("estimator"), "ips:clip=10");
  for (const char* key : {"value", "low", "high", "level", "n", "effective_n", "mean_weight",
                          "max_weight", "notes"}) {
    for (const auto& row : json) EXPECT_TRUE(row.contains(key)) << key;
  }
  EXPECT_EQ(json[2].at("n"), 300);
  EXPECT_NEAR(json[2].at("effective_n").get<double>(), 75, 1e-9);
  EXPECT_NEAR(json[2].at("max_weight").get<double>(), 4, 1e-12);
  const std::string csv = evaluation_csv(found);
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 5);
  const std::string table = evaluation_table(found);
  EXPECT_NE(table.find("the 300 rows tell as much as 75"), std::string::npos);
  std::vector<NamedFigure> figures;
  const std::string page = evaluation_page(found, "bandolier evaluate log.csv", figures);
  EXPECT_EQ(figures.size(), 4u);  // a forest plot per estimator, a histogram per policy
  EXPECT_NE(page.find("<svg"), std::string::npos);
}

}  // namespace bandolier::evaluation_test
