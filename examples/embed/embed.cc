// Bandolier inside a program of your own: decide, learn from the reward, save, load and go on.
#include <cstdio>
#include <exception>
#include <vector>

#include "bandolier/bandolier.h"

using namespace bandolier;

int main() try {
  const ProblemShape shape{.features = 2, .actions = 3};
  auto agent = make_agent("linear", shape);

  // Every random number comes from a stream that you name: the same names, the same run.
  const auto stream = [](Purpose purpose, int step) {
    return Random({.seed = 1, .purpose = purpose, .step = static_cast<std::uint32_t>(step)});
  };
  Random warm_up = stream(Purpose::kWarmUp, 0);
  agent->warm_up({}, warm_up);
  auto scratch = agent->make_scratch();  // one per thread

  // Action a earns -x0, x1 or 0.5: the best choice depends on the context x.
  double earned = 0;
  std::vector<float> x(2);
  for (int t = 0; t < 1000; ++t) {
    Random context_stream = stream(Purpose::kContext, t);
    for (float& value : x) value = static_cast<float>(context_stream.normal());
    const Context context{.features = Features::dense(x), .actions = shape.actions};

    Random choose = stream(Purpose::kChoose, t);
    const Decision decision = agent->choose(context, choose, *scratch);
    const float rewards[] = {-x[0], x[1], 0.5f};
    const float reward = rewards[decision.action];
    earned += reward;

    Random observe = stream(Purpose::kObserve, t);
    agent->observe({context, decision.action, reward, decision.ticket}, observe, *scratch);
  }
  std::printf("1000 decisions earned %.1f (always the third: 500)\n", earned);

  save_agent("embed.bndl", *agent);
  const auto loaded = load_agent("embed.bndl");
  std::printf("loaded %s after %lld rewards, %zu bytes of belief\n", loaded->spec().text.c_str(),
              static_cast<long long>(loaded->report().steps), loaded->report().belief_bytes);
  return earned > 600 ? 0 : 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "embed: %s\n", error.what());
  return 1;
}
