#include "bandolier/lab/env/words.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "bandolier/lab/env/generated.h"

namespace bandolier {
namespace {

constexpr double kRight = 0.9;
constexpr double kWrong = 0.05;

// Poisson: how many gaps of a process of rate 1 end within `mean`. O(mean).
Index poisson(double mean, Random& random) {
  Index count = -1;
  for (double time = 0; time <= mean; ++count) time -= std::log(1 - random.uniform());
  return count;
}

class WordsTrial final : public GeneratedTrial {
 public:
  WordsTrial(const WordsOptions& options, std::uint64_t seed, std::uint32_t trial, Index steps)
      : GeneratedTrial(seed, trial, steps),
        options_(options),
        harmonic_(static_cast<std::size_t>(options.vocabulary)) {
    double sum = 0;
    for (std::size_t r = 0; r < harmonic_.size(); ++r) {
      harmonic_[r] = sum += 1 / static_cast<double>(r + 1);
    }
    std::vector<std::int32_t> words(harmonic_.size());
    std::iota(words.begin(), words.end(), 0);
    Random random = hidden_stream();
    const auto own = static_cast<std::size_t>(options.topic_words);
    for (Index topic = 0; topic < options.actions; ++topic) {
      shuffle_first(words, own, random);
      topics_.insert(topics_.end(), words.begin(), words.begin() + options.topic_words);
    }
  }

  Context context(Index t, ContextBuffer& buffer) const override {
    Random random = context_stream(t);
    const Index first = draw_topic(random) * options_.topic_words;
    auto& words = buffer.indices;
    words.resize(static_cast<std::size_t>(
        std::max<Index>(1, poisson(static_cast<double>(options_.length), random))));
    for (auto& word : words) {
      word = random.uniform() < options_.topic_share
                 ? topics_[static_cast<std::size_t>(first + rank(options_.topic_words, random))]
                 : static_cast<std::int32_t>(rank(options_.vocabulary, random));
    }
    std::sort(words.begin(), words.end());

    buffer.values.clear();
    double squares = 0;
    std::size_t kept = 0;
    for (std::size_t i = 0, end = 0; i < words.size(); i = end) {
      while (end < words.size() && words[end] == words[i]) ++end;
      const auto count = static_cast<double>(end - i);
      squares += count * count;
      buffer.values.push_back(static_cast<float>(count));
      words[kept++] = words[i];
    }
    words.resize(kept);
    for (float& value : buffer.values) value /= static_cast<float>(std::sqrt(squares));
    return {{buffer.values, words, options_.vocabulary}, options_.actions, {}, {}};
  }

  float reward(Index t, Index action) const override {
    Random random = reward_stream(t, action);
    return random.uniform() < (action == topic(t) ? kRight : kWrong) ? 1 : 0;
  }

  void expected_rewards(Index t, std::span<float> out) const override {
    std::fill_n(out.begin(), options_.actions, static_cast<float>(kWrong));
    out[static_cast<std::size_t>(topic(t))] = static_cast<float>(kRight);
  }

 private:
  Index draw_topic(Random& random) const {
    return static_cast<Index>(random.below(static_cast<std::uint64_t>(options_.actions)));
  }
  Index topic(Index t) const {
    Random random = context_stream(t);
    return draw_topic(random);
  }

  // 0 .. n-1, r with probability ∝ 1/(r + 1).
  Index rank(Index n, Random& random) const {
    const auto last = harmonic_.begin() + (n - 1);
    return std::upper_bound(harmonic_.begin(), last, *last * random.uniform()) - harmonic_.begin();
  }

  WordsOptions options_;
  std::vector<double> harmonic_;      // 1 + 1/2 + … + 1/(r + 1)
  std::vector<std::int32_t> topics_;  // topic_words for each topic, the most frequent first
};

constexpr std::int64_t kMostOwnWords = 10'000'000;

}  // namespace

const OptionTable<WordsOptions>& words_options() {
  using O = WordsOptions;
  static const OptionTable<O> table = {
      {"vocabulary", &O::vocabulary, "words that there are: features", between(2, 10'000'000)},
      {"length", &O::length, "words of a document, on average", between(1, 10'000)},
      {"actions", &O::actions, "topics", between(2, 10'000)},
      {"topic_words", &O::topic_words, "words of a topic's own, at most vocabulary",
       between(1, 10'000'000)},
      {"topic_share", &O::topic_share, "share of a document's words that are its topic's own",
       between(0, 1)}};
  return table;
}

std::unique_ptr<Environment> make_words(const WordsOptions& options) {
  if (options.topic_words > options.vocabulary) {
    fail("environment 'words': topic_words={}: expected at most vocabulary={}", options.topic_words,
         options.vocabulary);
  }
  if (options.actions * options.topic_words > kMostOwnWords) {
    fail("environment 'words': actions={} and topic_words={}: expected a product of at most {}",
         options.actions, options.topic_words, kMostOwnWords);
  }
  return std::make_unique<GeneratedEnvironment<WordsTrial, WordsOptions>>(
      ProblemShape{.features = options.vocabulary, .actions = options.actions}, options);
}

}  // namespace bandolier
