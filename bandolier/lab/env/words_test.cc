// Words: documents and rewards, by their closed forms.
#include "bandolier/lab/env/words.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "testing/errors.h"

namespace bandolier::words_test {
namespace {

constexpr Index kSteps = 5000;

double harmonic(int n) {
  double sum = 0;
  for (int r = n; r > 0; --r) sum += 1.0 / r;
  return sum;
}

Index topic_of(const Trial& trial, Index t, std::size_t actions) {
  std::vector<float> expected(actions);
  trial.expected_rewards(t, expected);
  return std::max_element(expected.begin(), expected.end()) - expected.begin();
}

TEST(Words, HasSparseDocumentsOfUnitNormAndThirtyWords) {
  const auto trial = make_words({})->trial(1, 0, kSteps);
  ContextBuffer buffer;
  double length = 0, squares = 0;
  for (Index t = 0; t < kSteps; ++t) {
    const Features x = trial->context(t, buffer).features;
    ASSERT_EQ(x.size, 100'000);
    ASSERT_TRUE(x.sparse());
    double norm = 0, sum = 0;
    for (const float value : x.values) {
      norm += static_cast<double>(value * value);
      sum += static_cast<double>(value);
    }
    EXPECT_NEAR(norm, 1, 1e-5);
    // The rarest word of a document is there once, or almost always is.
    const double words =
        sum / static_cast<double>(*std::min_element(x.values.begin(), x.values.end()));
    length += words;
    squares += words * words;
  }
  length /= kSteps;
  EXPECT_NEAR(length, 30, 4 * std::sqrt(30.0 / kSteps));
  EXPECT_NEAR(squares / kSteps - length * length, 30, 4 * std::sqrt((30 + 2 * 900.0) / kSteps));
}

TEST(Words, DrawsTheRthWordWithProbabilityInverseToR) {
  const auto trial = make_words({.topic_share = 0})->trial(2, 0, kSteps);
  ContextBuffer buffer;
  std::map<std::int32_t, double> counts;
  for (Index t = 0; t < kSteps; ++t) {
    const Features x = trial->context(t, buffer).features;
    const float one = *std::min_element(x.values.begin(), x.values.end());
    for (std::size_t i = 0; i < x.values.size(); ++i) {
      counts[x.indices[i]] += static_cast<double>(x.values[i] / one);
    }
  }
  const double draws = 30.0 * kSteps;
  for (const int rank : {1, 2, 10, 100}) {
    const double share = 1 / (rank * harmonic(100'000));
    EXPECT_NEAR(counts[rank - 1] / draws, share, 4 * std::sqrt(share / draws)) << "rank " << rank;
  }
  EXPECT_GT(counts.rbegin()->first, 99'000);
}

TEST(Words, HasTopicsWithWordsOfTheirOwnAnewForEveryTrial) {
  const auto environment = make_words({.actions = 3, .topic_words = 50, .topic_share = 1});
  const auto words_of = [&](std::uint32_t number) {
    const auto trial = environment->trial(3, number, kSteps);
    ContextBuffer buffer;
    std::vector<std::map<std::int32_t, double>> counts(3);
    for (Index t = 0; t < kSteps; ++t) {
      const Features x = trial->context(t, buffer).features;
      auto& mine = counts[static_cast<std::size_t>(topic_of(*trial, t, 3))];
      for (const auto word : x.indices) ++mine[word];
    }
    return counts;
  };
  const auto counts = words_of(0), others = words_of(1);
  for (std::size_t topic = 0; topic < 3; ++topic) {
    EXPECT_EQ(counts[topic].size(), 50u);
    std::size_t shared = 0;
    for (const auto& [word, count] : counts[topic]) shared += others[topic].count(word);
    EXPECT_LT(shared, 5u);
  }
  std::set<std::int32_t> all;
  for (const auto& topic : counts) {
    for (const auto& [word, count] : topic) all.insert(word);
  }
  EXPECT_GT(all.size(), 145u);
}

TEST(Words, TakesAFifthOfItsWordsFromTheTopic) {
  // A vocabulary of 10,000 whose topics have one word each: P(a word is it) = 1/5 + its share of
  // the background, which is below 1/(10·H) beyond rank 10.
  const auto trial =
      make_words({.vocabulary = 10'000, .actions = 2, .topic_words = 1})->trial(4, 0, kSteps);
  ContextBuffer buffer;
  std::map<std::int32_t, double> counts;
  double words = 0;
  for (Index t = 0; t < kSteps; ++t) {
    const Features x = trial->context(t, buffer).features;
    const float one = *std::min_element(x.values.begin(), x.values.end());
    for (std::size_t i = 0; i < x.values.size(); ++i) {
      if (topic_of(*trial, t, 2) != 0) continue;
      counts[x.indices[i]] += static_cast<double>(x.values[i] / one);
      words += static_cast<double>(x.values[i] / one);
    }
  }
  double most = 0;
  for (const auto& [word, count] : counts) most = std::max(most, count);
  EXPECT_NEAR(most / words, 0.2, 0.02);
}

TEST(Words, PaysTheRightTopicNineTimesInTenAndAnyOtherOnceInTwenty) {
  const auto trial = make_words({})->trial(5, 0, kSteps);
  std::vector<float> expected(10);
  std::vector<double> topics(10);
  double right = 0, wrong = 0;
  for (Index t = 0; t < kSteps; ++t) {
    trial->expected_rewards(t, expected);
    EXPECT_EQ(std::count(expected.begin(), expected.end(), 0.9f), 1);
    EXPECT_EQ(std::count(expected.begin(), expected.end(), 0.05f), 9);
    const Index topic = topic_of(*trial, t, 10);
    ++topics[static_cast<std::size_t>(topic)];
    right += static_cast<double>(trial->reward(t, topic));
    wrong += static_cast<double>(trial->reward(t, (topic + 1 + t % 9) % 10));
  }
  EXPECT_NEAR(right / kSteps, 0.9, 4 * std::sqrt(0.09 / kSteps));
  EXPECT_NEAR(wrong / kSteps, 0.05, 4 * std::sqrt(0.0475 / kSteps));
  for (const double count : topics) EXPECT_NEAR(count / kSteps, 0.1, 4 * std::sqrt(0.09 / kSteps));
}

TEST(Words, HasAtLeastOneWordInAShortDocument) {
  const auto trial = make_words({.length = 1})->trial(6, 0, 1000);
  ContextBuffer buffer;
  for (Index t = 0; t < 1000; ++t) EXPECT_GE(trial->context(t, buffer).features.values.size(), 1u);
}

TEST(Words, RefusesTopicsLargerThanTheVocabularyOrThanMemory) {
  EXPECT_EQ(testing::error_of([] { make_words({.vocabulary = 1000}); }),
            "environment 'words': topic_words=2000: expected at most vocabulary=1000");
  EXPECT_EQ(testing::error_of([] { make_words({.actions = 10'000}); }),
            "environment 'words': actions=10000 and topic_words=2000: expected a product of at "
            "most 10000000");
}

}  // namespace
}  // namespace bandolier::words_test
