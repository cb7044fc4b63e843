#include "bandolier/lab/log/learn_log.h"

#include "bandolier/core/stop.h"

namespace bandolier {

Learnt learn_log(std::span<const std::filesystem::path> files, const LogOptions& options,
                 LoggedPlayer& player, const std::function<void(Index)>& progress) {
  Learnt learnt;
  const auto reader = open_log(files, options);
  for (LoggedEvent event; reader->next(event); ++learnt.events) {
    throw_if_stopped();
    if (progress) progress(learnt.events);
    if (event.skip_learn) {
      ++learnt.skipped;
      continue;
    }
    at_event(*reader, [&] { learnt.refused += player.observe(event, learnt.events) ? 0 : 1; });
  }
  learnt.notes = reader->notes();
  return learnt;
}

}  // namespace bandolier
