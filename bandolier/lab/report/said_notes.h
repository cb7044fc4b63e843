// Notes as they are said: the same note of several agents or environments once.
#pragma once

#include <span>
#include <vector>

#include "bandolier/lab/experiment/results.h"

namespace bandolier {

struct SaidNote {
  Note note;                        // its count summed
  std::vector<Index> environments;  // who has it
  std::vector<Index> agents;        // empty: it is about the environments themselves
};

// The notes of the agents in `rows` and then of their environments.
std::vector<SaidNote> said_notes(const Results& results, std::span<const Summary* const> rows);

}  // namespace bandolier
