// What agents note of their trials, put together for a reader.
#pragma once

#include <string>
#include <vector>

namespace bandolier {

// Notes that are the same but for their whole numbers become one, in the order of first appearance.
// One that begins with a number counts, and counts are summed: "2 trainings diverged" and "3
// trainings diverged" are "5 trainings diverged". Other numbers become a range.
std::vector<std::string> merge_notes(const std::vector<std::string>& notes);

}  // namespace bandolier
