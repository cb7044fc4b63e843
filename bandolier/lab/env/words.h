// Documents as sparse words: which of a few topics is it?
#pragma once

#include "bandolier/core/options.h"
#include "bandolier/lab/env/environment.h"

namespace bandolier {

// A document is of one of `actions` topics, all as likely, and has Poisson(length) words, at least
// one. A word is with probability `topic_share` of the topic's own `topic_words`, else of the whole
// vocabulary; either way the r-th is drawn with probability ∝ 1/r. x holds the words' counts,
// scaled to ‖x‖ = 1. The document's topic pays 1 with probability 0.9, any other with 0.05, else 0.
// A topic's words are drawn without replacement, anew for every trial. A context is O(length·log
// vocabulary), a trial takes 8 bytes per word of the vocabulary.
struct WordsOptions {
  std::int64_t vocabulary = 100'000;
  std::int64_t length = 30;
  std::int64_t actions = 10;
  std::int64_t topic_words = 2000;
  double topic_share = 0.2;
};
const OptionTable<WordsOptions>& words_options();
std::unique_ptr<Environment> make_words(const WordsOptions& options);

}  // namespace bandolier
