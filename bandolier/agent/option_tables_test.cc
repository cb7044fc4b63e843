// The options of the agents with Kalman filters come back from the texts that a saved agent keeps.
#include "testing/option_tables.h"

#include "bandolier/agent/filter_agent_options.h"

namespace bandolier::option_tables_test {
namespace {

using testing::expect_every_option_comes_back;

TEST(AgentOptions, ComeBackAsTheyWereTyped) {
  expect_every_option_comes_back(filter_agent_options());
  expect_every_option_comes_back(original_space_options());
}

}  // namespace
}  // namespace bandolier::option_tables_test
