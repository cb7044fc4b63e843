// Something worth telling a user: a fallback taken, rewards refused, a training that diverged.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bandolier {

struct Note {
  std::string text;        // without the count; does not begin with a number
  std::int64_t count = 0;  // how often; 0: it is said once

  bool operator==(const Note&) const = default;

  // "12 rewards were refused" for a count of 12 and the text "rewards were refused"; the text alone
  // where nothing is counted.
  std::string to_text() const;
  static Note from_text(std::string_view text);
};

std::vector<std::string> to_texts(std::span<const Note> notes);

// Notes of the same text become one, their counts summed, in the order of first appearance.
std::vector<Note> merge_notes(std::span<const Note> notes);

}  // namespace bandolier
