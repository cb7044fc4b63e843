#include "bandolier/lab/decide/decision_stream.h"

#include "bandolier/core/error.h"
#include "bandolier/lab/log/json_text.h"

namespace bandolier {

std::string DecisionStream::take(const Request& request) {
  if (!request.has_context) {
    const auto found = by_id_.find(request.id);
    if (found == by_id_.end()) {
      ++without_decision_;
      return {};
    }
    const Waiting& waiting = *found->second;
    learn(waiting.request, waiting.action, *request.reward);
    waiting_.erase(found->second);
    by_id_.erase(found);
    return {};
  }
  if (request.action) {
    learn(request, *request.action, *request.reward);
    return {};
  }
  std::string action;
  std::string answer = decide(request, action);
  if (request.reward) {
    learn(request, action, *request.reward);
  } else if (request.has_id) {
    keep(request, std::move(action));
  }
  return answer;
}

std::string DecisionStream::decide(const Request& request, std::string& action) {
  Random random({options_.seed, Purpose::kChoose, 0, static_cast<std::uint32_t>(decided_)});
  const auto offered = request.offered();
  const NamedDecision decision = agent_.decide(request.context, offered, random, scratch_);
  ++decided_;
  action = decision.action;
  nlohmann::ordered_json scores = nlohmann::ordered_json::object();
  for (std::size_t a = 0; a < decision.decision.scores.size(); ++a) {
    const bool fixed = !agent_.actions().empty();
    const std::string& name = fixed ? agent_.actions()[a] : request.actions[a];
    // Of actions that stay the same, those that are not on offer have no score to speak of.
    if (fixed && decision.decision.probabilities[a] == 0 && !request.actions.empty()) continue;
    scores[name] = decision.decision.scores[a];
  }
  nlohmann::ordered_json answer;
  answer["id"] = nlohmann::ordered_json::parse(request.id);
  answer["action"] = action;
  answer["propensity"] = *decision.decision.propensity;
  answer["scores"] = std::move(scores);
  return json_text(answer);
}

void DecisionStream::learn(const Request& request, std::string_view action, float reward) {
  const auto offered = request.offered();
  Random random(
      {options_.seed, Purpose::kObserve, 0, static_cast<std::uint32_t>(learnt_ + refused_)});
  const bool accepted = agent_.observe(request.context, offered, action, reward, random, scratch_);
  ++(accepted ? learnt_ : refused_);
}

void DecisionStream::keep(const Request& request, std::string action) {
  const auto old = by_id_.find(request.id);
  if (old != by_id_.end()) {
    waiting_.erase(old->second);
    by_id_.erase(old);
  }
  waiting_.push_back({request, std::move(action)});
  by_id_[request.id] = std::prev(waiting_.end());
  if (waiting_.size() <= options_.pending) return;
  by_id_.erase(waiting_.front().request.id);
  waiting_.pop_front();
  ++forgotten_;
}

std::vector<Note> DecisionStream::notes() const {
  std::vector<Note> notes;
  if (without_decision_ > 0) {
    notes.push_back({"rewards-without-decision",
                     "rewards were left out: no decision of their id is known", without_decision_});
  }
  // Where no rewards come at all, nothing is lost.
  if (forgotten_ > 0 && learnt_ + without_decision_ > 0) {
    notes.push_back({"decisions-forgotten",
                     fmt::format("decisions were forgotten before a reward came: more than {} "
                                 "waited",
                                 options_.pending),
                     forgotten_});
  }
  if (refused_ > 0) {
    notes.push_back({"rewards-refused",
                     "rewards were refused: they would have made the belief infinite", refused_});
  }
  return notes;
}

}  // namespace bandolier
