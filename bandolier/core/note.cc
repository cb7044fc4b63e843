#include "bandolier/core/note.h"

#include <fmt/format.h>

#include <algorithm>

#include "bandolier/core/error.h"

namespace bandolier {

std::string Note::to_text() const { return count > 0 ? fmt::format("{} {}", count, text) : text; }

std::vector<std::string> to_texts(std::span<const Note> notes) {
  std::vector<std::string> texts;
  for (const Note& note : notes) texts.push_back(note.to_text());
  return texts;
}

std::vector<Note> merge_notes(std::span<const Note> notes) {
  std::vector<Note> merged;
  for (const Note& note : notes) {
    const auto same = std::find_if(merged.begin(), merged.end(), [&](const Note& other) {
      return other.kind == note.kind && other.text == note.text;
    });
    if (same == merged.end()) {
      merged.push_back(note);
    } else {
      same->count += note.count;
    }
  }
  return merged;
}

void save_notes(std::span<const Note> notes, ArchiveWriter& out) {
  std::vector<std::string> kinds, texts;
  std::vector<std::int64_t> counts;
  for (const Note& note : notes) {
    kinds.push_back(note.kind);
    texts.push_back(note.text);
    counts.push_back(note.count);
  }
  out.write("note_kinds", kinds);
  out.write("note_texts", texts);
  out.write("note_counts", counts);
}

std::vector<Note> load_notes(const ArchiveReader& in) {
  std::vector<Note> notes;
  // Files from before notes had kinds hold their texts alone.
  if (!in.has("note_kinds")) {
    for (auto& text : in.read_texts("notes")) notes.push_back({"note", std::move(text)});
    return notes;
  }
  const auto kinds = in.read_texts("note_kinds"), texts = in.read_texts("note_texts");
  const auto counts = in.read_integers("note_counts", kinds.size(), 0, kMostCount);
  if (texts.size() != kinds.size()) {
    fail("{} has {} words, expected one for each of {} texts", in.where("note_kinds"), kinds.size(),
         texts.size());
  }
  for (std::size_t i = 0; i < kinds.size(); ++i) notes.push_back({kinds[i], texts[i], counts[i]});
  return notes;
}

}  // namespace bandolier
