// An agent that starts from a log: it learns every row in order.
#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <vector>

#include "bandolier/lab/log/logged_player.h"

namespace bandolier {

struct Learnt {
  Index events = 0;
  Index skipped = 0;  // not to be learnt from
  Index refused = 0;  // Agent::observe
  std::vector<Note> notes;
};

// `progress` is told how many events are done.
Learnt learn_log(std::span<const std::filesystem::path> files, const LogOptions& options,
                 LoggedPlayer& player, const std::function<void(Index)>& progress = {});

}  // namespace bandolier
