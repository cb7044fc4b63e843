// Notes as JSON objects {kind, text, count}: nlohmann::ordered_json(notes), and back by
// get<std::vector<Note>>().
#pragma once

#include <nlohmann/json.hpp>

#include "bandolier/core/note.h"

namespace bandolier {

inline void to_json(nlohmann::ordered_json& json, const Note& note) {
  json = {{"kind", note.kind}, {"text", note.text}, {"count", note.count}};
}

inline void from_json(const nlohmann::ordered_json& json, Note& note) {
  json.at("kind").get_to(note.kind);
  json.at("text").get_to(note.text);
  json.at("count").get_to(note.count);
}

}  // namespace bandolier
