// Enums that users type as words. The words stand once, beside the enum, in the order of its
// enumerators, which count from 0:
//
//   enum class Rule { kSgd, kRmsprop };
//   inline Words words_of(Rule) {
//     static constexpr std::string_view kWords[] = {"sgd", "rmsprop"};
//     return kWords;
//   }
//   to_word(Rule::kSgd);                   // "sgd"
//   parse_word<Rule>("optimiser", "sgd");  // Rule::kSgd
#pragma once

#include <concepts>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>

namespace bandolier {

using Words = std::span<const std::string_view>;

template <class E>
concept WordedEnum = std::is_enum_v<E> && requires(E value) {
  { words_of(value) } -> std::same_as<Words>;
};

template <WordedEnum E>
std::string_view to_word(E value) {
  return words_of(value)[static_cast<std::size_t>(value)];
}

template <WordedEnum E>
std::optional<E> find_word(std::string_view word) {
  const Words words = words_of(E{});
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == word) return static_cast<E>(i);
  }
  return std::nullopt;
}

namespace internal {
[[noreturn]] void fail_word(std::string_view name, std::string_view word, Words words);
}  // namespace internal

// Throws Error("{name}={word}: expected a|b|c"), with the nearest of them.
template <WordedEnum E>
E parse_word(std::string_view name, std::string_view word) {
  const auto value = find_word<E>(word);
  if (!value) internal::fail_word(name, word, words_of(E{}));
  return *value;
}

}  // namespace bandolier
