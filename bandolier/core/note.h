// Something worth telling a user: a fallback taken, rewards refused, a training that diverged.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "bandolier/core/archive.h"

namespace bandolier {

struct Note {
  std::string kind;        // a word for programs: "rewards-refused"
  std::string text;        // for people, without the count
  std::int64_t count = 0;  // how often; 0: it is said once

  bool operator==(const Note&) const = default;

  // "12 rewards were refused" for a count of 12 and the text "rewards were refused"; the text alone
  // where nothing is counted.
  std::string to_text() const;
};

std::vector<std::string> to_texts(std::span<const Note> notes);

// Notes of the same kind and text become one, their counts summed, in the order of first
// appearance.
std::vector<Note> merge_notes(std::span<const Note> notes);

// As fields of the open section.
void save_notes(std::span<const Note> notes, ArchiveWriter& out);
std::vector<Note> load_notes(const ArchiveReader& in);

}  // namespace bandolier
