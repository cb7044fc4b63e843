#include "bandolier/lab/log/learn_log.h"

#include "bandolier/core/stop.h"

namespace bandolier {

double weight_of(const LoggedEvent& event, LogWeights weights) {
  switch (weights) {
    case LogWeights::kDropped:
      return event.drop_weight();
    case LogWeights::kIps:
      return event.drop_weight() / (static_cast<double>(event.actions) * event.propensity);
    default:
      return 1;
  }
}

Learnt learn_log(std::span<const std::filesystem::path> files, const LogOptions& options,
                 LoggedPlayer& player, LogWeights weights,
                 const std::function<void(Index)>& progress) {
  if (weights != LogWeights::kNone && !player.agent().takes_weights()) {
    fail(
        "agent '{}' takes no weights: expected linear, auto, subspace-ekf, ekf or lofi, or "
        "--weights none",
        player.agent().spec().name);
  }
  Learnt learnt;
  const auto reader = open_log(files, options);
  for (LoggedEvent event; reader->next(event); ++learnt.events) {
    throw_if_stopped();
    if (progress) progress(learnt.events);
    if (event.skip_learn) {
      ++learnt.skipped;
      continue;
    }
    at_event(*reader, [&] {
      learnt.refused += player.observe(event, learnt.events, weight_of(event, weights)) ? 0 : 1;
    });
  }
  learnt.notes = reader->notes();
  return learnt;
}

}  // namespace bandolier
