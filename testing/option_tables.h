// What every option table promises, for the tests of those who have one.
#pragma once

#include <gtest/gtest.h>

#include "bandolier/core/options.h"

namespace bandolier::testing {

// A text for every option that is not its default, and another number for each.
template <class Options>
OptionTexts other_texts(const OptionTable<Options>& table) {
  OptionTexts texts;
  Options options;
  int number = 1;
  for (const auto& row : table.rows()) {
    ++number;
    auto candidates = split(row.expected, '|');
    candidates.push_back(to_text(number));
    candidates.push_back(to_text(number / 128.0));
    candidates.push_back(fmt::format("mlp:{}", number));
    for (const std::string& text : candidates) {
      const bool other = text != row.show(options);
      try {
        if (other && row.read(text, options)) {
          texts.emplace(row.name, text);
          break;
        }
      } catch (const Error&) {  // refused by the row's own check
      }
    }
  }
  return texts;
}

// Every option is read into a member of its own and typed back as it was read.
template <class Options>
void expect_every_option_comes_back(const OptionTable<Options>& table) {
  const OptionTexts typed = other_texts(table);
  EXPECT_EQ(typed.size(), table.rows().size());
  const Options options = table.parse("the table", typed);
  EXPECT_EQ(table.texts(options), typed);
}

}  // namespace bandolier::testing
