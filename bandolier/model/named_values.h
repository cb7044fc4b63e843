// Values by name: what a JSON object, a row of a table or a dictionary says of a context or of an
// action, flattened. Names of nested objects are joined by '.', as in "user.age". Reused: once warm
// it allocates nothing.
//
//   NamedValues values;
//   values.enter("user");
//   values.number("age", 37);               // user.age = 37
//   values.word("country", "PE");           // user.country=PE
//   values.leave();
//   values.numbers("x", {{0.5, 0, -1}});    // x[0] = 0.5, x[1] = 0, x[2] = -1
//   values.boolean("mobile", true);         // mobile=true
//
// A name may have several words, each once. Anything else given twice is an Error, as are a number
// that is not finite or beyond a float's range, and what exceeds the limits below.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bandolier/model/name_hash.h"
#include "bandolier/model/name_index.h"

namespace bandolier {

inline constexpr Index kMostNameDepth = 16;        // namespaces within namespaces
inline constexpr Index kMostNamedValues = 10'000;  // of one object
inline constexpr std::size_t kLongestName = 512;   // bytes of a full name, and of a word

// Whether a number can be a feature: finite and within a float's range.
bool is_feature_number(double number);

class NamedValues {
 public:
  enum class Kind : std::uint8_t { kNumber, kWord, kElement };

  // Views, alive until the values change.
  struct Value {
    Kind kind;
    std::string_view name;     // in full; an element's with its place: "x[0]"
    std::string_view word;     // empty but for words
    std::string_view feature;  // what a model knows it by: the name, or name=word
    double number;             // 1 for a word
    std::uint64_t name_hash;   // hash_name() of `name`
    std::uint64_t hash;        // of `feature`
  };

  NamedValues() { path_hashes_.resize(1); }

  void clear();  // of values and open namespaces; O(1)

  void enter(std::string_view name);
  void leave();

  void number(std::string_view name, double number);
  void word(std::string_view name, std::string_view word);
  // As word(), but a word that is there already is left as it is: false.
  bool another_word(std::string_view name, std::string_view word);
  void boolean(std::string_view name, bool truth) { word(name, truth ? "true" : "false"); }
  // Numbers that are features as they are, never standardised: NAME[0], NAME[1], ...
  void numbers(std::string_view name, std::span<const double> numbers);

  // In the order in which they were given.
  Index size() const { return static_cast<Index>(entries_.size()); }
  bool empty() const { return entries_.empty(); }
  Value operator[](Index i) const;

  std::size_t bytes() const;

 private:
  struct Entry {
    Kind kind;
    std::uint32_t name_size;
    double number;
    std::uint64_t name_hash;
  };
  // path_ + name, checked; cut off again by add().
  NameHash append(std::string_view name);
  // False where it is there already; path_ then holds its name.
  bool try_add(Kind kind, double number, NameHash name, std::string_view word);
  void add(Kind kind, double number, NameHash name, std::string_view word);
  std::string take_back();  // what was appended: the full name, short enough to be shown
  std::size_t path_size() const { return path_sizes_.empty() ? 0 : path_sizes_.back(); }

  NameIndex features_;  // texts; its places are those of entries_
  std::vector<Entry> entries_;
  std::string path_;                     // of the open namespaces, "user.": then a name's memory
  std::vector<std::size_t> path_sizes_;  // one per open namespace
  std::vector<NameHash> path_hashes_;    // the same, and that of no name first
};

}  // namespace bandolier
