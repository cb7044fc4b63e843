#include "bandolier/lab/report/said_notes.h"

#include <algorithm>
#include <iterator>

namespace bandolier {
namespace {

void add_once(std::vector<Index>& list, Index index) {
  if (std::find(list.begin(), list.end(), index) == list.end()) list.push_back(index);
}

// `agent`: nothing for a note about the environment itself.
void say(std::vector<SaidNote>& said, const Note& note, Index environment,
         std::optional<Index> agent) {
  auto same = std::find_if(said.begin(), said.end(), [&](const SaidNote& other) {
    return other.note.kind == note.kind && other.note.text == note.text &&
           other.agents.empty() == !agent;
  });
  if (same == said.end()) {
    said.push_back({{note.kind, note.text, 0}, {}, {}});
    same = std::prev(said.end());
  }
  same->note.count += note.count;
  add_once(same->environments, environment);
  if (agent) add_once(same->agents, *agent);
}

}  // namespace

std::vector<SaidNote> said_notes(const Results& results, std::span<const Summary* const> rows) {
  std::vector<SaidNote> said;
  std::vector<Index> environments;
  for (const Summary* s : rows) {
    add_once(environments, s->environment);
    for (const auto& note : s->notes) say(said, note, s->environment, s->agent);
  }
  for (const Index e : environments) {
    for (const auto& note : results.environments[static_cast<std::size_t>(e)].notes) {
      say(said, note, e, std::nullopt);
    }
  }
  return said;
}

}  // namespace bandolier
