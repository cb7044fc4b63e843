// Every environment's options come back from their texts.
#include "testing/option_tables.h"

#include "bandolier/lab/env/change.h"
#include "bandolier/lab/env/csv_problem.h"
#include "bandolier/lab/env/images.h"
#include "bandolier/lab/env/items.h"
#include "bandolier/lab/env/linear.h"
#include "bandolier/lab/env/movielens.h"
#include "bandolier/lab/env/mushroom.h"
#include "bandolier/lab/env/uci.h"
#include "bandolier/lab/env/wheel.h"
#include "bandolier/lab/env/words.h"

namespace bandolier::env_option_tables_test {
namespace {

using testing::expect_every_option_comes_back;

TEST(EnvironmentOptions, ComeBackAsTheyWereTyped) {
  expect_every_option_comes_back(change_options());
  expect_every_option_comes_back(csv_options());
  expect_every_option_comes_back(image_options());
  expect_every_option_comes_back(items_options());
  expect_every_option_comes_back(linear_problem_options());
  expect_every_option_comes_back(movielens_options());
  expect_every_option_comes_back(mushroom_options());
  expect_every_option_comes_back(sparse_linear_options());
  expect_every_option_comes_back(uci_options());
  expect_every_option_comes_back(wheel_options());
  expect_every_option_comes_back(words_options());
}

}  // namespace
}  // namespace bandolier::env_option_tables_test
