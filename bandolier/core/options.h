// One table per method: every option's name, default, meaning and limits, next to the struct that
// holds it. Command line, `list`, docs and bindings all read these tables; nothing else parses
// options.
//
//   struct RidgeOptions { double lambda = 0.25; bool intercept = true; };
//   const OptionTable<RidgeOptions>& ridge_options() {
//     static const OptionTable<RidgeOptions> table = {
//         {"lambda", &RidgeOptions::lambda, "prior precision of a weight", positive()},
//         {"intercept", &RidgeOptions::intercept, "append a constant 1 to the features"}};
//     return table;
//   }
//   RidgeOptions options = ridge_options().parse("agent 'ridge'", {{"lambda", "0.5"}});
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "bandolier/core/error.h"
#include "bandolier/core/text.h"
#include "bandolier/core/words.h"

namespace bandolier {

// Option texts as typed, by name.
using OptionTexts = std::map<std::string, std::string>;

// `NAME`, `NAME:key=value,key=value` or, for names that take them, `NAME:argument,key=value`.
// Only the first colon separates; a value with a comma is quoted. A part with a '/' before any '='
// is an argument: a path that holds a '=' is typed with its folder.
struct Spec {
  std::string text;                    // as typed
  std::string name;                    // before the first colon
  std::vector<std::string> arguments;  // parts without a key
  OptionTexts options;
};
Spec parse_spec(std::string_view text);

// What a number must satisfy. `says` completes "expected ..." and begins with "a number".
struct Limit {
  std::function<bool(double)> holds;
  std::string says;
};
Limit positive();                            // finite, > 0
Limit non_negative();                        // finite, >= 0
Limit at_least(double low);                  // finite, >= low
Limit between(double low, double high);      // low <= value <= high
Limit above_up_to(double low, double high);  // low < value <= high

// A row of a table as documentation sees it.
struct OptionDoc {
  std::string name;
  std::string value;     // the default, as it would be typed
  std::string expected;  // "a number > 0", "full|diag|block", ...
  std::string help;
};

namespace internal {
// For each type of value: the value that a text stands for (false: it is none within the limit),
// the text as it would be typed, and what completes "expected ...".
bool read_option(const std::string& text, const Limit& limit, double& out);
bool read_option(const std::string& text, const Limit& limit, std::int64_t& out);
bool read_option(const std::string& text, const Limit& limit, std::vector<double>& out);
bool read_option(const std::string& text, const Limit& limit, bool& out);
std::string show_option(double value);
std::string show_option(std::int64_t value);
std::string show_option(const std::vector<double>& value);
std::string show_option(bool value);
std::string expected_text(double, const Limit& limit);
std::string expected_text(std::int64_t, const Limit& limit);
std::string expected_text(const std::vector<double>&, const Limit& limit);
std::string expected_text(bool, const Limit& limit);

template <class T>
concept LimitedOption = std::same_as<T, double> || std::same_as<T, std::int64_t> ||
    std::same_as<T, std::vector<double>> || std::same_as<T, bool>;
}  // namespace internal

template <class Options>
class OptionTable {
 public:
  struct Row {
    std::string name;
    std::string help;
    std::string expected;
    std::vector<std::string> words;  // those it knows, for the nearest in errors
    std::function<bool(const std::string& text, Options&)> read;  // false: not what is expected
    std::function<std::string(const Options&)> show;

    // Numbers, lists of numbers (typed 3/15/90) and switches. A number without a limit must be
    // finite.
    template <internal::LimitedOption T>
    Row(std::string name_, T Options::*member, std::string help_, Limit limit = Limit{})
        : name(std::move(name_)),
          help(std::move(help_)),
          expected(internal::expected_text(T{}, limit)),
          read([member, limit](const std::string& text, Options& out) {
            return internal::read_option(text, limit, out.*member);
          }),
          show([member](const Options& o) { return internal::show_option(o.*member); }) {}

    // A number, or the word that stands for nothing.
    template <internal::LimitedOption T>
    Row(std::string name_, std::optional<T> Options::*member, std::string help_, Limit limit,
        std::string nothing)
        : name(std::move(name_)),
          help(std::move(help_)),
          expected(internal::expected_text(T{}, limit) + " or " + nothing),
          words{nothing},
          read([member, limit, nothing](const std::string& text, Options& out) {
            T value{};
            if (text != nothing && !internal::read_option(text, limit, value)) return false;
            out.*member = text == nothing ? std::nullopt : std::optional<T>(std::move(value));
            return true;
          }),
          show([member, nothing](const Options& o) {
            return o.*member ? internal::show_option(*(o.*member)) : nothing;
          }) {}

    // One of an enum's words; of those in `allowed`, where it is given.
    template <WordedEnum E>
    Row(std::string name_, E Options::*member, std::string help_,
        std::type_identity_t<std::vector<E>> allowed = {})
        : name(std::move(name_)),
          help(std::move(help_)),
          show([member](const Options& o) { return std::string(to_word(o.*member)); }) {
      for (const E value : allowed) words.emplace_back(to_word(value));
      if (allowed.empty()) words.assign(words_of(E{}).begin(), words_of(E{}).end());
      expected = join(words, "|");
      read = [member, known = words](const std::string& text, Options& out) {
        if (std::find(known.begin(), known.end(), text) == known.end()) return false;
        out.*member = *find_word<E>(text);
        return true;
      };
    }

    // The same, or the word that stands for nothing.
    template <WordedEnum E>
    Row(std::string name_, std::optional<E> Options::*member, std::string help_,
        std::string nothing)
        : name(std::move(name_)),
          help(std::move(help_)),
          words(words_of(E{}).begin(), words_of(E{}).end()),
          read([member, nothing](const std::string& text, Options& out) {
            out.*member = find_word<E>(text);
            return out.*member || text == nothing;
          }),
          show([member, nothing](const Options& o) {
            return o.*member ? std::string(to_word(*(o.*member))) : nothing;
          }) {
      words.insert(words.begin(), nothing);
      expected = join(words, "|");
    }

    // Any text that `check` lets pass: it throws Error in its own words.
    Row(std::string name_, std::string Options::*member, std::string help_,
        std::function<void(const std::string&)> check = {})
        : name(std::move(name_)),
          help(std::move(help_)),
          expected("text"),
          read([member, check](const std::string& text, Options& out) {
            if (check) check(text);
            out.*member = text;
            return true;
          }),
          show([member](const Options& o) { return o.*member; }) {}

    // A row of a base class's table.
    template <class BaseRow>
    requires(!std::same_as<BaseRow, Row>) explicit Row(const BaseRow& base)
        : name(base.name),
          help(base.help),
          expected(base.expected),
          words(base.words),
          read(base.read),
          show(base.show) {}
  };

  OptionTable(std::initializer_list<Row> rows) : rows_(rows) {}

  // Appends the rows of a base class's table: how methods share groups of options (policy,
  // training, ...).
  template <class Base>
  requires std::derived_from<Options, Base> OptionTable& include(const OptionTable<Base>& base) {
    for (const auto& row : base.rows()) rows_.push_back(Row(row));
    return *this;
  }

  // The same table without these rows.
  OptionTable without(const std::vector<std::string>& names) const {
    OptionTable some = *this;
    std::erase_if(some.rows_, [&](const Row& row) {
      return std::find(names.begin(), names.end(), row.name) != names.end();
    });
    return some;
  }

  // Defaults overridden by `texts`. `where` names the thing in errors: "agent 'linear'".
  Options parse(const std::string& where, const OptionTexts& texts,
                Options defaults = Options{}) const {
    for (const auto& [name, text] : texts) {
      const Row* row = find(name);
      if (row == nullptr) {
        std::vector<std::string> known;
        for (const auto& r : rows_) known.push_back(r.name);
        fail("{} has no option '{}'{}", where, name,
             known.empty() ? std::string("; it takes none") : suggestion(name, known));
      }
      if (!row->read(text, defaults)) {
        fail("{}: {}={}: expected {}{}", where, name, text, row->expected,
             nearest(text, row->words));
      }
    }
    return defaults;
  }

  // Every option as it would be typed: parse(where, texts(options)) gives them back.
  OptionTexts texts(const Options& options) const {
    OptionTexts texts;
    for (const auto& row : rows_) texts.emplace(row.name, row.show(options));
    return texts;
  }

  std::vector<OptionDoc> docs() const {
    std::vector<OptionDoc> docs;
    const Options defaults{};
    for (const auto& row : rows_)
      docs.push_back({row.name, row.show(defaults), row.expected, row.help});
    return docs;
  }

  const std::vector<Row>& rows() const { return rows_; }

 private:
  const Row* find(const std::string& name) const {
    for (const auto& row : rows_) {
      if (row.name == name) return &row;
    }
    return nullptr;
  }

  std::vector<Row> rows_;
};

}  // namespace bandolier
