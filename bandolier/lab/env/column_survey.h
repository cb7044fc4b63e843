// What the first pass over a table learns of one column.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "bandolier/core/note.h"
#include "bandolier/core/running_moments.h"
#include "bandolier/core/types.h"

namespace bandolier {

struct TextHash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const {
    return std::hash<std::string_view>{}(text);
  }
};

using WordCodes = std::unordered_map<std::string, std::uint16_t, TextHash, std::equal_to<>>;

struct ColumnSurvey {
  std::string name;
  Index number = 0;  // in the file, from 1
  bool dropped = false, required = false, kept = false;
  bool outcome = false;  // one of these is required
  bool categorical = false;
  bool date = false;
  Index missing = 0;
  double mean = 0;                      // of its numbers
  double origin = 0;                    // they are stored less this
  std::vector<std::string> words = {};  // ascending
  WordCodes codes = {};                 // a word's position in `words`

  // Whether the column may be left out for what it holds.
  bool free() const { return !required && !kept && !outcome && !categorical; }
  // What an option calls it: its name, or its number where a name would not be understood.
  std::string selector() const;
};

// What a column's numbers are stored less: 0, or their first where they lie so close together that
// a float would not tell them apart. `largest`: by absolute value.
double origin_of(const RunningMoments& moments, double largest, double first);

// Looks at a column's fields one by one, then decides what they are. Throws Error, with file, line
// and column, on an odd word among numbers, numbers that are not finite and too many words.
class ColumnSurveyor {
 public:
  // Both outlive it.
  ColumnSurveyor(ColumnSurvey& column, const std::string& file);

  void look_at(std::string_view field, Index line);  // one that is not missing

  // Numbers, dates or words, and the words' codes. A note where the column is left out (`dropped`)
  // or read as dates.
  std::optional<Note> decide(Index rows);

 private:
  std::string place(Index line) const;
  void add_number(double value);
  void add_word(std::string_view word, Index line);
  void code_words();
  std::optional<std::string> reason_to_leave_out(Index rows) const;

  ColumnSurvey& column_;
  const std::string& file_;
  Index values_ = 0, numbers_ = 0, words_ = 0, dates_ = 0;
  Index first_word_line_ = 0, first_number_line_ = 0, first_infinite_line_ = 0;
  std::string first_word_, first_infinite_;
  bool too_many_words_ = false;
  std::size_t longest_word_ = 0;
  RunningMoments moments_;
  double first_ = 0, largest_ = 0;  // number; absolute value
  bool named_id_, may_be_id_;       // by its name; and by its numbers too
  std::unordered_set<double> ids_;  // while may_be_id_
};

}  // namespace bandolier
