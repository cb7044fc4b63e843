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

// A number, or `auto`: the method finds the value.
struct AutoNumber {
  std::optional<double> value;  // nothing: auto
};

// What a number must satisfy. `says` completes "expected ...".
struct Limit {
  std::function<bool(double)> holds;
  std::string says;
};
Limit positive();                            // finite, > 0
Limit non_negative();                        // finite, >= 0
Limit at_least(double low);                  // finite, >= low
Limit between(double low, double high);      // low <= value <= high
Limit above_up_to(double low, double high);  // low < value <= high

// One of a few words.
struct Choices {
  std::vector<std::string> words;
};

// A row of a table as documentation sees it.
struct OptionDoc {
  std::string name;
  std::string value;     // the default, as it would be typed
  std::string expected;  // "a number > 0", "full|diag|block", ...
  std::string help;
};

namespace internal {
// Each converts a typed text, or throws Error("{where}: {name}={text}: expected ...").
void read_option(const std::string& what, const std::string& text, const Limit& limit, double& out);
void read_option(const std::string& what, const std::string& text, const Limit& limit,
                 std::int64_t& out);
void read_option(const std::string& what, const std::string& text, const Limit& limit,
                 AutoNumber& out);
void read_option(const std::string& what, const std::string& text, const Limit& limit, bool& out);
void read_option(const std::string& what, const std::string& text, const Choices& choices,
                 std::string& out);
std::string show_option(double value);
std::string show_option(std::int64_t value);
std::string show_option(bool value);
std::string show_option(const AutoNumber& value);
std::string show_option(const std::string& value);
std::string expected_text(double, const Limit& limit);
std::string expected_text(std::int64_t, const Limit& limit);
std::string expected_text(bool, const Limit& limit);
std::string expected_text(const AutoNumber&, const Limit& limit);
std::string expected_text(const std::string&, const Choices& choices);
}  // namespace internal

template <class Options>
class OptionTable {
 public:
  struct Row {
    std::string name;
    std::string help;
    // `what` opens the error message: "agent 'linear': lambda=-1".
    std::function<void(const std::string& what, const std::string& text, Options&)> read;
    std::function<std::string(const Options&)> show;
    std::string expected;

    Row(std::string name_, std::string help_,
        std::function<void(const std::string&, const std::string&, Options&)> read_,
        std::function<std::string(const Options&)> show_, std::string expected_)
        : name(std::move(name_)),
          help(std::move(help_)),
          read(std::move(read_)),
          show(std::move(show_)),
          expected(std::move(expected_)) {}

    // Numbers and switches. A number without a limit must be finite.
    template <class T>
    requires(!std::is_same_v<T, std::string>)
        Row(std::string name_, T Options::*member, std::string help_, Limit limit = Limit{})
        : name(std::move(name_)),
          help(std::move(help_)),
          read([member, limit](const std::string& what, const std::string& text, Options& out) {
            internal::read_option(what, text, limit, out.*member);
          }),
          show([member](const Options& o) { return internal::show_option(o.*member); }),
          expected(internal::expected_text(T{}, limit)) {}

    // Words; any text where `choices` is empty.
    Row(std::string name_, std::string Options::*member, std::string help_,
        Choices choices = Choices{})
        : name(std::move(name_)),
          help(std::move(help_)),
          read([member, choices](const std::string& what, const std::string& text, Options& out) {
            internal::read_option(what, text, choices, out.*member);
          }),
          show([member](const Options& o) { return internal::show_option(o.*member); }),
          expected(internal::expected_text(std::string{}, choices)) {}
  };

  OptionTable(std::initializer_list<Row> rows) : rows_(rows) {}

  // Appends the rows of a base class's table: how methods share groups of options (policy,
  // training, ...).
  template <class Base>
  requires std::derived_from<Options, Base> OptionTable& include(const OptionTable<Base>& base) {
    for (const auto& row : base.rows()) {
      rows_.push_back(Row(
          row.name, row.help,
          [read = row.read](const std::string& what, const std::string& text, Options& out) {
            read(what, text, out);
          },
          [show = row.show](const Options& options) { return show(options); }, row.expected));
    }
    return *this;
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
      row->read(fmt::format("{}: {}={}", where, name, text), text, defaults);
    }
    return defaults;
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
