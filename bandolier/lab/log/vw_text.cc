#include "bandolier/lab/log/vw_text.h"

#include <algorithm>

#include "bandolier/core/text.h"
#include "bandolier/lab/env/fields.h"
#include "bandolier/lab/log/row_reader.h"

namespace bandolier {
namespace {

constexpr std::string_view kBlanks = " \t";

// The next word of `text`, cut off from it; empty at the end.
std::string_view next_word(std::string_view& text) {
  const auto begin = std::min(text.find_first_not_of(kBlanks), text.size());
  const auto end = std::min(text.find_first_of(kBlanks, begin), text.size());
  const std::string_view word = text.substr(begin, end - begin);
  text.remove_prefix(end);
  return word;
}

bool is_label(std::string_view word) {
  return word.find(':') != word.npos || parse_integer(word).has_value();
}

VwLabel read_label(std::string_view text, bool uniform) {
  constexpr std::string_view kExpected = "action:cost:probability";
  const auto colon = text.find(':');
  const auto second = colon == text.npos ? colon : text.find(':', colon + 1);
  const auto action = parse_integer(text.substr(0, colon));
  if (!action || *action < 0 || *action > kMostLoggedActions || colon == text.npos) {
    refuse_field("the label", "is '{}': expected {}", shorten(text), kExpected);
  }
  const auto cost = parse_number(text.substr(colon + 1, second - colon - 1));
  if (!cost || !fits_float(*cost)) {
    refuse_field("the cost", "in '{}' is no finite number: expected {}", shorten(text), kExpected);
  }
  if (uniform) return {*action, *cost, 0};
  const auto probability =
      second == text.npos ? std::nullopt : parse_number(text.substr(second + 1));
  if (!probability) {
    refuse_field("the probability", "in '{}' is missing: expected {}", shorten(text),
                 kPropensityExpected);
  }
  check_propensity("the probability", *probability);
  return {*action, *cost, *probability};
}

}  // namespace

VwHead read_vw_head(std::string_view line, bool uniform) {
  const auto bar = line.find('|');
  if (bar == line.npos) refuse_field("the line", "has no '|': expected one before the features");
  VwHead head;
  head.features = line.substr(bar);
  std::string_view rest = line.substr(0, bar);
  bool first = true;
  for (std::string_view word; !(word = next_word(rest)).empty(); first = false) {
    if (word.starts_with('\'')) {
      head.tag = word.substr(1);
    } else if (first && word == "shared") {
      head.shared = true;
    } else if (is_label(word) && !head.label && !head.shared) {
      head.label = read_label(word, uniform);
    } else if (rest.empty() && head.tag.empty()) {
      head.tag = word;  // one that touches the bar
    } else {
      refuse_field("the label", "is followed by '{}': expected one label, a tag and '|'",
                   shorten(word));
    }
  }
  return head;
}

void read_vw_features(std::string_view text, NamedValues& out) {
  const auto number_in = [](std::string_view word, std::string_view value) {
    const auto number = parse_number(value);
    if (!number || !fits_float(*number)) {
      refuse_field("the feature", "'{}' has no finite number after its colon: expected name:value",
                   shorten(word));
    }
    return *number;
  };
  while (!text.empty()) {
    text.remove_prefix(1);  // the bar
    const auto end = std::min(text.find('|'), text.size());
    std::string_view part = text.substr(0, end);
    text.remove_prefix(end);
    std::string_view space;
    double scale = 1;
    if (!part.empty() && kBlanks.find(part.front()) == kBlanks.npos) {
      space = next_word(part);
      if (const auto colon = space.find(':'); colon != space.npos) {
        scale = number_in(space, space.substr(colon + 1));
        space = space.substr(0, colon);
      }
    }
    for (std::string_view word; !(word = next_word(part)).empty();) {
      const auto colon = word.rfind(':');
      const std::string_view name = word.substr(0, colon);
      if (name.empty()) {
        refuse_field("the feature", "'{}' has no name: expected name:value", shorten(word));
      }
      const double value = colon == word.npos ? 1 : number_in(word, word.substr(colon + 1));
      try {
        if (colon == word.npos && scale == 1) {
          out.another_word(space, name);
        } else {
          if (!space.empty()) out.enter(space);
          out.number(name, scale * value);
          if (!space.empty()) out.leave();
        }
      } catch (const Error& error) {
        refuse_field("the features", "cannot be taken: {}", error.what());
      }
    }
  }
}

}  // namespace bandolier
