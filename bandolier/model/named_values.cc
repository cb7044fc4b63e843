#include "bandolier/model/named_values.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "bandolier/core/error.h"

namespace bandolier {
namespace {

// A name that may be far too long, for an error.
std::string shown(std::string_view name) {
  constexpr std::size_t kShown = 60;
  return name.size() <= kShown ? std::string(name) : fmt::format("{}...", name.substr(0, kShown));
}

}  // namespace

bool is_feature_number(double number) {
  return std::abs(number) <= static_cast<double>(std::numeric_limits<float>::max());
}

void NamedValues::clear() {
  features_.clear();
  entries_.clear();
  path_.clear();
  path_sizes_.clear();
  path_hashes_.resize(1);
}

void NamedValues::enter(std::string_view name) {
  NameHash hash = append(name);
  if (static_cast<Index>(path_sizes_.size()) == kMostNameDepth) {
    fail("'{}' lies {} objects deep: expected at most {}; flatten what is sent", take_back(),
         kMostNameDepth + 1, kMostNameDepth);
  }
  hash.add(".");
  path_ += '.';
  path_sizes_.push_back(path_.size());
  path_hashes_.push_back(hash);
}

void NamedValues::leave() {
  if (path_sizes_.empty()) fail("leave() without enter(): expected one for each");
  path_sizes_.pop_back();
  path_hashes_.pop_back();
  path_.resize(path_size());
}

std::string NamedValues::take_back() {
  std::string name = shown(path_);
  path_.resize(path_size());
  return name;
}

NameHash NamedValues::append(std::string_view name) {
  path_ += name;
  if (path_.size() > kLongestName) {
    const std::size_t found = path_.size();
    fail("the name '{}' has {} bytes: expected at most {}", take_back(), found, kLongestName);
  }
  NameHash hash = path_hashes_.back();
  hash.add(name);
  return hash;
}

bool NamedValues::try_add(Kind kind, double number, NameHash name, std::string_view word) {
  const std::size_t name_size = path_.size();
  if (!is_feature_number(number)) {
    fail("'{}' is {}: expected a finite number within a float's range", take_back(), number);
  }
  if (size() == kMostNamedValues) {
    fail("'{}' is value {}: expected at most {} in one object", take_back(), size() + 1,
         kMostNamedValues);
  }
  NameHash feature = name;
  if (kind == Kind::kWord) {
    if (word.size() > kLongestName) {
      fail("the word of '{}' has {} bytes: expected at most {}", take_back(), word.size(),
           kLongestName);
    }
    path_ += '=';
    path_ += word;
    feature.add("=");
    feature.add(word);
  }
  const std::uint64_t hash = feature.value();
  const auto tag = static_cast<std::uint8_t>(kind == Kind::kWord);
  if (features_.find(path_, hash, tag) != NameIndex::kNone) return false;
  features_.add(path_, hash, tag);
  entries_.push_back({kind, static_cast<std::uint32_t>(name_size), number, name.value()});
  path_.resize(path_size());
  return true;
}

void NamedValues::add(Kind kind, double number, NameHash name, std::string_view word) {
  if (try_add(kind, number, name, word)) return;
  fail("'{}' is given twice: expected each name once, and each of its words", take_back());
}

bool NamedValues::another_word(std::string_view name, std::string_view word) {
  if (try_add(Kind::kWord, 1, append(name), word)) return true;
  path_.resize(path_size());
  return false;
}

void NamedValues::number(std::string_view name, double number) {
  add(Kind::kNumber, number, append(name), {});
}

void NamedValues::word(std::string_view name, std::string_view word) {
  add(Kind::kWord, 1, append(name), word);
}

void NamedValues::numbers(std::string_view name, std::span<const double> numbers) {
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const fmt::format_int place(i);
    NameHash hash = append(name);
    const std::string_view digits(place.data(), place.size());
    for (const std::string_view part : {std::string_view("["), digits, std::string_view("]")}) {
      path_ += part;
      hash.add(part);
    }
    add(Kind::kElement, numbers[i], hash, {});
  }
}

NamedValues::Value NamedValues::operator[](Index i) const {
  const Entry& entry = entries_[static_cast<std::size_t>(i)];
  const std::string_view feature = features_.name(i);
  Value value{entry.kind,
              feature.substr(0, entry.name_size),
              {},
              feature,
              entry.number,
              entry.name_hash,
              features_.hash(i)};
  if (entry.kind == Kind::kWord) value.word = feature.substr(entry.name_size + 1);
  return value;
}

std::size_t NamedValues::bytes() const {
  return sizeof *this + features_.bytes() + entries_.capacity() * sizeof(Entry) + path_.capacity() +
         path_sizes_.capacity() * sizeof(std::size_t) + path_hashes_.capacity() * sizeof(NameHash);
}

}  // namespace bandolier
