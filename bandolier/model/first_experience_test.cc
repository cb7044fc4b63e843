#include "bandolier/model/first_experience.h"

#include <gtest/gtest.h>

namespace bandolier::first_experience_test {
namespace {

const ProblemShape kShape{.features = 3, .actions = 2};

class FirstExperienceTest : public ::testing::Test {
 protected:
  Experience next() {
    x_ = {static_cast<float>(t_), 1, 2};
    return {{Features::dense(x_), 2, {}, {}}, t_ % 2, static_cast<float>(t_++)};
  }
  // The numbers of rewards at which an agent is set up anew.
  std::vector<int> set_up_at(FirstExperience& first, int rewards) {
    std::vector<int> at;
    for (int i = 1; i <= rewards; ++i) {
      if (first.add(next())) at.push_back(i);
      first.close_if_enough();
    }
    return at;
  }
  std::vector<float> x_;
  Index t_ = 0;
};

TEST_F(FirstExperienceTest, WithoutAWarmUpAnAgentIsSetUpAtTheFirstTheEighthAndTheLastWanted) {
  FirstExperience first;
  first.start({}, 32);
  EXPECT_EQ(set_up_at(first, 100), (std::vector<int>{1, 8, 32}));
  EXPECT_FALSE(first.open());
  EXPECT_EQ(first.bytes(), 0u);
}

TEST_F(FirstExperienceTest, AShortWarmUpIsCompletedAndALongOneIsNotKept) {
  const std::vector<Experience> four(4, next());
  FirstExperience first;
  first.start(four, 10);
  EXPECT_EQ(set_up_at(first, 100), (std::vector<int>{6}));
  first.start(four, 4);
  EXPECT_FALSE(first.open());
  first.start(four, 0);
  EXPECT_FALSE(first.open());
}

TEST_F(FirstExperienceTest, KeepsCopies) {
  FirstExperience first;
  first.start({}, 32);
  for (int i = 0; i < 3; ++i) first.add(next());
  const auto list = first.list();
  ASSERT_EQ(list.size(), 3u);
  EXPECT_EQ(list[1].context.features.values[0], 1);
  EXPECT_EQ(list[1].action, 1);
  EXPECT_EQ(list[2].reward, 2);
}

TEST_F(FirstExperienceTest, GoesOnAfterSaveAndLoadAndRefusesWhatDoesNotFit) {
  FirstExperience first, loaded;
  first.start({}, 32);
  for (int i = 0; i < 5; ++i) first.add(next());
  ArchiveWriter out;
  first.save(out);
  const ArchiveReader in(out.finish(), "saved");
  loaded.load(in, kShape);
  EXPECT_EQ(loaded.list()[4].context.features.values[0], 4);
  EXPECT_EQ(set_up_at(loaded, 50), (std::vector<int>{3, 27}));
  EXPECT_THROW(loaded.load(in, {.features = 4, .actions = 2}), Error);
}

}  // namespace
}  // namespace bandolier::first_experience_test
