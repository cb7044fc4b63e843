// Who runs which trial, and what clusters say about it.
#include "bandolier/lab/experiment/share.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "bandolier/agent/registry.h"
#include "bandolier/lab/experiment/expected_cost.h"
#include "testing/errors.h"
#include "testing/temporary.h"

namespace bandolier::share_test {
namespace {

using testing::ScopedVariable;

// Loads of all parts, in the costs' unit, and the least trials that a part has of a cell.
struct Loads {
  std::vector<std::int64_t> loads;
  std::int64_t least_trials = 0;
  std::int64_t most() const { return *std::max_element(loads.begin(), loads.end()); }
};

Loads loads_of(const std::vector<std::int64_t>& costs, std::int64_t trials, std::int64_t parts,
               std::int64_t first = 0) {
  const Deal deal(costs, trials, parts, first);
  Loads out{std::vector<std::int64_t>(static_cast<std::size_t>(parts)), trials};
  for (std::size_t cell = 0; cell < costs.size(); ++cell) {
    std::vector<std::int64_t> counts(static_cast<std::size_t>(parts));
    for (std::uint32_t trial = 0; trial < trials; ++trial) {
      const auto part = deal.part_of(static_cast<Index>(cell), trial);
      EXPECT_GE(part, 1);
      EXPECT_LE(part, parts);
      out.loads[static_cast<std::size_t>(part - 1)] += costs[cell];
      ++counts[static_cast<std::size_t>(part - 1)];
    }
    out.least_trials = std::min(out.least_trials, *std::min_element(counts.begin(), counts.end()));
  }
  return out;
}

TEST(Deal, EveryPartHasItsTrialsOfEachCellWhateverTheyCost) {
  for (const std::int64_t parts : {1, 2, 3, 7, 64, 1000}) {
    for (const std::int64_t trials : {1, 2, 10, 23}) {
      EXPECT_EQ(loads_of({900, 1, 40, 40}, trials, parts).least_trials, trials / parts)
          << parts << " " << trials;
    }
  }
}

TEST(Deal, NoPartHasMoreThanItsShareOfTheCostAndOneTrial) {
  // 4 cells of 10 trials on 16 parts: nothing can be dealt evenly. 10·(900 + 300 + 60 + 1) / 16.
  const Loads loads = loads_of({900, 300, 60, 1}, 10, 16);
  EXPECT_LE(loads.most(), 12610 / 16 + 900);
  // Ten parts have one of the dearest; the other six have the ten of the second and all the rest.
  EXPECT_EQ(loads.most(), 900);
}

TEST(Deal, HugeCostsDoNotOverflow) {
  const std::int64_t huge = 1'000'000'000'000'000'000;
  const Deal deal({huge, huge, huge, 1}, 99, 100);
  EXPECT_GE(deal.part_of(3, 98), 1);
}

TEST(Deal, AnotherFirstPutsTheOddTrialElsewhere) {
  EXPECT_EQ(loads_of({1}, 1, 3, 0).loads, (std::vector<std::int64_t>{1, 0, 0}));
  EXPECT_EQ(loads_of({1}, 1, 3, 1).loads, (std::vector<std::int64_t>{0, 1, 0}));
  EXPECT_EQ(loads_of({1}, 4, 3, 5).loads, (std::vector<std::int64_t>{1, 1, 2}));
}

TEST(Share, IsReadAsTyped) {
  EXPECT_EQ(parse_share("2/4"), (Share{2, 4}));
  EXPECT_EQ(to_text(parse_share("1/1")), "1/1");
  for (const auto* wrong : {"", "2", "2/", "/4", "2/4/5", "a/4", "2.0/4"}) {
    EXPECT_NE(testing::error_of([&] { parse_share(wrong); }).find("expected I/N"),
              std::string::npos)
        << wrong;
  }
  for (const auto* wrong : {"0/4", "5/4", "-1/4", "1/0", "1/99999999"}) {
    EXPECT_NE(testing::error_of([&] { parse_share(wrong); }).find("with I from 1 to N"),
              std::string::npos)
        << wrong;
  }
}

class AutoShare : public ::testing::Test {
 protected:
  static std::string error() {
    return testing::error_of([] { parse_share("auto"); });
  }
  // No cluster: whatever runs the tests.
  ScopedVariable id{"SLURM_ARRAY_TASK_ID", {}}, count{"SLURM_ARRAY_TASK_COUNT", {}},
      min{"SLURM_ARRAY_TASK_MIN", {}}, max{"SLURM_ARRAY_TASK_MAX", {}},
      step{"SLURM_ARRAY_TASK_STEP", {}}, index{"JOB_COMPLETION_INDEX", {}},
      completions{"JOB_COMPLETIONS", {}};
};

TEST_F(AutoShare, OfASlurmArrayCountsFromItsFirstTask) {
  const ScopedVariable a("SLURM_ARRAY_TASK_ID", "8"), b("SLURM_ARRAY_TASK_COUNT", "4"),
      c("SLURM_ARRAY_TASK_MIN", "0"), d("SLURM_ARRAY_TASK_MAX", "12"),
      e("SLURM_ARRAY_TASK_STEP", "4");
  EXPECT_EQ(parse_share("auto"), (Share{3, 4}));  // --array=0-12:4 has the tasks 0, 4, 8 and 12
}

TEST_F(AutoShare, OfASlurmArrayWithGapsIsRefused) {
  // --array=3,7 runs two lost tasks of sixteen again: their parts are not 1/2 and 2/2.
  const ScopedVariable a("SLURM_ARRAY_TASK_ID", "7"), b("SLURM_ARRAY_TASK_COUNT", "2"),
      c("SLURM_ARRAY_TASK_MIN", "3"), d("SLURM_ARRAY_TASK_MAX", "7"),
      e("SLURM_ARRAY_TASK_STEP", "1");
  EXPECT_NE(error().find("has gaps"), std::string::npos) << error();
}

TEST_F(AutoShare, OfAKubernetesJobCountsFromZero) {
  const ScopedVariable a("JOB_COMPLETION_INDEX", "0");
  EXPECT_NE(error().find("JOB_COMPLETIONS is not"), std::string::npos) << error();
  const ScopedVariable b("JOB_COMPLETIONS", "5");
  EXPECT_EQ(parse_share("auto"), (Share{1, 5}));
  const ScopedVariable c("JOB_COMPLETION_INDEX", "5");
  EXPECT_NE(error().find("JOB_COMPLETION_INDEX=5"), std::string::npos) << error();
}

TEST_F(AutoShare, ElsewhereIsAnErrorThatNamesBoth) {
  EXPECT_NE(error().find("neither SLURM_ARRAY_TASK_ID nor JOB_COMPLETION_INDEX"),
            std::string::npos);
  const ScopedVariable a("SLURM_ARRAY_TASK_ID", "x");
  EXPECT_NE(error().find("SLURM_ARRAY_TASK_ID is 'x'"), std::string::npos);
}

TEST(ExpectedCost, OrdersTheAgentsAsTheirMeasuredTimesDo) {
  // Seconds of 1,000 steps of covertype (54 features, 7 actions), one run of all on one core.
  const std::vector<std::pair<const char*, double>> measured = {{"uniform", 0.001},
                                                                {"linear", 0.004},
                                                                {"subspace-ekf:dim=50", 0.012},
                                                                {"auto", 0.034},
                                                                {"ekf:covariance=diag", 0.035},
                                                                {"lofi", 0.079},
                                                                {"subspace-ekf", 0.233},
                                                                {"neural-greedy", 0.282},
                                                                {"neural-linear", 0.307},
                                                                {"ekf:model=mlp:20", 0.688},
                                                                {"lim2", 1.153},
                                                                {"neural-ts", 15.261},
                                                                {"neural-ucb", 15.591}};
  const ProblemShape shape{.features = 54, .actions = 7};
  for (const auto& [spec, seconds] : measured) {
    const double cost = static_cast<double>(expected_cost(*make_agent(spec, shape), 1000)) / 1e9;
    EXPECT_GT(cost, seconds / 2) << spec;
    EXPECT_LT(cost, seconds * 2) << spec;
  }
}

TEST(ExpectedCost, IsKnownForEveryAgentAndGrowsWithTheSteps) {
  const ProblemShape shape{.features = 3, .actions = 2};
  const auto of_unknown = 100'000;  // ns of a step of an agent that is not in the table
  for (const auto& entry : agents()) {
    const auto agent = make_agent(entry.name, shape);
    EXPECT_EQ(expected_cost(*agent, 20), 20 * expected_cost(*agent, 1)) << entry.name;
    const auto parameters = agent->report().parameters.value_or(0);
    EXPECT_NE(expected_cost(*agent, 1), of_unknown + 20 * parameters) << entry.name;
  }
}

}  // namespace
}  // namespace bandolier::share_test
