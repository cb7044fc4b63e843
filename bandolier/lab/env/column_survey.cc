#include "bandolier/lab/env/column_survey.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "bandolier/core/date.h"
#include "bandolier/core/error.h"
#include "bandolier/core/text.h"
#include "bandolier/lab/env/fields.h"
#include "bandolier/lab/env/table.h"
#include "bandolier/model/named_values.h"

namespace bandolier {
namespace {

// Words beyond these are no categories: more than 100 of them, in more than a quarter of the rows
// another; or all different in 20 rows and more.
constexpr Index kManyWords = 100;
constexpr Index kFewestIds = 20;

// A number is kept as a float where that moves it by less than this share of the column's standard
// deviation.
constexpr double kRounding = 1e-4;

// The last word of a name: "id" of customer_id, customerId, "Customer ID" and ID.
std::string last_part(const std::string& name) {
  std::size_t first = name.size();
  const auto at = [&](std::size_t i) { return static_cast<unsigned char>(name[i]); };
  while (first > 0 && std::isalnum(at(first - 1)) != 0) {
    --first;
    if (std::isupper(at(first)) != 0 && first > 0 && std::islower(at(first - 1)) != 0) break;
  }
  std::string part = name.substr(first);
  for (char& c : part) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return part;
}

// pandas calls an index that was written without a name "Unnamed: 0".
bool is_id_name(const std::string& name) {
  const std::string part = last_part(name);
  return part == "id" || part == "uuid" || part == "guid" || part == "key" ||
         name.starts_with("Unnamed:");
}

}  // namespace

// Unix seconds of one afternoon differ by less than a float can tell: |x|·2⁻²⁴ is how far rounding
// moves x.
double origin_of(const RunningMoments& moments, double largest, double first) {
  if (moments.count == 0) return 0;
  const double deviation = std::sqrt(moments.variance());
  return deviation > 0 && std::ldexp(largest, -24) > kRounding * deviation ? first : 0;
}

std::string ColumnSurvey::selector() const {
  return name.find_first_of("+,=\"") == std::string::npos ? valid_utf8(name)
                                                          : std::to_string(number);
}

ColumnSurveyor::ColumnSurveyor(ColumnSurvey& column, const std::string& file)
    : column_(column),
      file_(file),
      named_id_(is_id_name(column.name)),
      may_be_id_(named_id_ && column.free()) {}

// A field at its place, for errors: "a.csv line 3, column 2 ('age')".
std::string ColumnSurveyor::place(Index line) const {
  return fmt::format("{} line {}, column {} ('{}')", file_, line, column_.number,
                     shorten(column_.name));
}

void ColumnSurveyor::look_at(std::string_view field, Index line) {
  ++values_;
  if (!column_.categorical) {
    if (const auto value = parse_number(field)) {
      if (numbers_++ == 0) first_number_line_ = line;
      if (fits_float(*value)) {
        add_number(*value);
      } else if (first_infinite_line_ == 0) {
        first_infinite_line_ = line;
        first_infinite_ = shorten(field);
      }
      return;
    }
    if (dates_ == words_ && !column_.outcome) {
      if (const auto date = parse_date(field)) {
        ++dates_;
        add_number(*date);
      }
    }
    if (words_++ == 0) {
      first_word_line_ = line;
      first_word_ = shorten(field);
    }
  }
  add_word(field, line);
}

void ColumnSurveyor::add_number(double value) {
  if (moments_.count == 0) first_ = value;
  moments_.add(value);
  largest_ = std::max(largest_, std::abs(value));
  if (may_be_id_ && (value != std::floor(value) || !ids_.insert(value).second)) {
    may_be_id_ = false;
    ids_.clear();
  }
}

void ColumnSurveyor::add_word(std::string_view word, Index line) {
  if (too_many_words_) return;
  longest_word_ = std::max(longest_word_, word.size());
  if (column_.codes.find(word) != column_.codes.end()) return;
  if (static_cast<Index>(column_.codes.size()) == kMostWords) {
    if (column_.categorical || column_.required || column_.outcome) {
      fail("{}: found the {}th different word '{}': expected {}", place(line), kMostWords + 1,
           shorten(word),
           column_.required || column_.outcome
               ? fmt::format("at most {} classes", kMostWords)
               : fmt::format("numbers or at most {} categories; leave the column out with drop={}",
                             kMostWords, column_.selector()));
    }
    too_many_words_ = true;
    column_.codes.clear();
    return;
  }
  column_.codes.emplace(word, 0);
}

std::optional<Note> ColumnSurveyor::decide(Index rows) {
  const std::string shown = shorten(column_.name);
  const auto left_out = [&](const std::string& reason) {
    column_.dropped = true;
    column_.codes.clear();
    return Note{"column-left-out",
                fmt::format("column '{}' left out: {}; drop={} leaves it out without this note",
                            shown, reason, column_.selector())};
  };
  if (values_ == 0 && !column_.required && !column_.outcome) {
    return left_out("it has no value in any row");
  }
  if (const auto reason = reason_to_leave_out(rows)) return left_out(*reason);
  if (words_ > 0 && numbers_ > 0) {
    const bool odd_word = words_ <= numbers_;
    fail("{}: found '{}' in a column with {} numbers and {} words: expected {}",
         place(odd_word ? first_word_line_ : first_number_line_),
         odd_word ? first_word_ : "a number", numbers_, words_,
         column_.required || column_.outcome
             ? "numbers, or nothing, ? or NA where one is missing"
             : "one kind; correct it, name its missing=WORD, or read all as words with "
               "categorical=" +
                   column_.selector());
  }
  if (first_infinite_line_ > 0) {
    fail("{}: found '{}': expected a finite number, or nothing, ? or NA where it is missing",
         place(first_infinite_line_), first_infinite_);
  }
  column_.mean = moments_.mean;
  if (words_ > 0 && dates_ == words_) {
    column_.date = true;
    column_.codes.clear();
    column_.origin = origin_of(moments_, largest_, first_);
    return Note{"column-of-dates",
                fmt::format("column '{}' read as dates: days since 1970", shown)};
  }
  if (words_ > 0) column_.categorical = true;
  code_words();
  if (!column_.categorical && !column_.outcome) {
    column_.origin = origin_of(moments_, largest_, first_);
  }
  return std::nullopt;
}

// Ids, keys, names, free text: what tells rows apart and teaches nothing about the next.
std::optional<std::string> ColumnSurveyor::reason_to_leave_out(Index rows) const {
  if (too_many_words_ && numbers_ == 0 && dates_ < words_) {
    return fmt::format("more than {} different words in {} rows, too many for categories",
                       with_commas(kMostWords), with_commas(rows));
  }
  if (!column_.free()) return std::nullopt;
  const std::string keep = fmt::format("categorical={} keeps it", column_.selector());
  const auto different = static_cast<Index>(column_.codes.size());
  if (words_ > 0 && numbers_ > 0) {
    if (!named_id_) return std::nullopt;
    return fmt::format("ids, {} words and {} numbers; {}", with_commas(words_),
                       with_commas(numbers_), keep);
  }
  if (words_ > 0 && dates_ < words_) {
    if ((different > kManyWords && 4 * different > values_) ||
        (different == values_ && values_ >= kFewestIds)) {
      return fmt::format("{} different words in {} rows; {}", with_commas(different),
                         with_commas(rows), keep);
    }
    if (longest_word_ > kLongestName) {
      return fmt::format("free text, up to {} bytes; {}",
                         with_commas(static_cast<Index>(longest_word_)), keep);
    }
  }
  if (numbers_ >= kFewestIds && words_ == 0 && may_be_id_) {
    return fmt::format("ids, {} different whole numbers in {} rows; keep={} keeps it",
                       with_commas(numbers_), with_commas(rows), column_.selector());
  }
  return std::nullopt;
}

void ColumnSurveyor::code_words() {
  for (const auto& [word, code] : column_.codes) column_.words.push_back(word);
  sort_words(column_.words);
  std::uint16_t code = 0;
  for (const std::string& word : column_.words) column_.codes[word] = code++;
}

}  // namespace bandolier
