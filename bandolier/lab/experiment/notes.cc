#include "bandolier/lab/experiment/notes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "bandolier/core/text.h"

namespace bandolier {
namespace {

// A note, taken apart: words[0] number[0] words[1] number[1] … words[n]. A number is a range once
// notes were merged.
struct Note {
  std::vector<std::string> words;
  std::vector<std::int64_t> low, high;

  explicit Note(const std::string& text) {
    words.emplace_back();
    for (std::size_t i = 0; i < text.size();) {
      const std::size_t end = std::min(text.find_first_not_of("0123456789", i), text.size());
      if (const auto number = parse_integer(text.substr(i, end - i))) {
        low.push_back(*number);
        words.emplace_back();
        i = end;
      } else {
        words.back() += text[i++];
      }
    }
    high = low;
  }

  // One that begins with a number counts.
  bool counts() const { return words.front().empty() && !low.empty(); }

  void merge(const Note& other) {
    for (std::size_t i = 0; i < low.size(); ++i) {
      const bool sum = i == 0 && counts();
      low[i] = sum ? low[i] + other.low[i] : std::min(low[i], other.low[i]);
      high[i] = sum ? low[i] : std::max(high[i], other.high[i]);
    }
  }

  std::string text() const {
    std::string out = words.front();
    for (std::size_t i = 0; i < low.size(); ++i) {
      out +=
          low[i] == high[i] ? fmt::format("{}", low[i]) : fmt::format("{} to {}", low[i], high[i]);
      out += words[i + 1];
    }
    return out;
  }
};

}  // namespace

std::vector<std::string> merge_notes(const std::vector<std::string>& notes) {
  std::vector<Note> merged;
  for (const std::string& text : notes) {
    const Note note(text);
    const auto same = std::find_if(merged.begin(), merged.end(),
                                   [&](const Note& other) { return other.words == note.words; });
    if (same == merged.end()) {
      merged.push_back(note);
    } else {
      same->merge(note);
    }
  }
  std::vector<std::string> texts;
  for (const Note& note : merged) texts.push_back(note.text());
  return texts;
}

}  // namespace bandolier
