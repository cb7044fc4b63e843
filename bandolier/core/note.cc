#include "bandolier/core/note.h"

#include <fmt/format.h>

#include <algorithm>

#include "bandolier/core/text.h"

namespace bandolier {

std::string Note::to_text() const { return count > 0 ? fmt::format("{} {}", count, text) : text; }

Note Note::from_text(std::string_view text) {
  const auto blank = text.find(' ');
  const auto count = parse_integer(text.substr(0, blank));
  if (blank == std::string_view::npos || !count || *count <= 0) return {std::string(text)};
  return {std::string(text.substr(blank + 1)), *count};
}

std::vector<std::string> to_texts(std::span<const Note> notes) {
  std::vector<std::string> texts;
  for (const Note& note : notes) texts.push_back(note.to_text());
  return texts;
}

std::vector<Note> merge_notes(std::span<const Note> notes) {
  std::vector<Note> merged;
  for (const Note& note : notes) {
    const auto same = std::find_if(merged.begin(), merged.end(),
                                   [&](const Note& other) { return other.text == note.text; });
    if (same == merged.end()) {
      merged.push_back(note);
    } else {
      same->count += note.count;
    }
  }
  return merged;
}

}  // namespace bandolier
