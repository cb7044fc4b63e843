#include "bandolier/lab/decide/request.h"

namespace bandolier {

void Request::clear() {
  id.clear();
  has_id = has_context = false;
  context.clear();
  actions.clear();
  of_actions.clear();
  action.reset();
  reward.reset();
}

std::vector<NamedAction> Request::offered() const {
  std::vector<NamedAction> out;
  for (std::size_t a = 0; a < actions.size(); ++a) out.push_back({actions[a], &of_actions[a]});
  return out;
}

}  // namespace bandolier
