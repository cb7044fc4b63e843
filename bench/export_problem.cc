// Prints one trial of an environment for programs that are no part of Bandolier: export_problem ENV
// SEED TRIAL [STEPS]. A line of JSON for each step: x (and `indices` where x is sparse), the
// actions' ids and features (a list per action) where they have any, `available` where some may not
// be taken, and the expected and the drawn reward of every action. Numbers read back exactly.
#include <fmt/ranges.h>

#include <cstdio>
#include <vector>

#include "bandolier/core/text.h"
#include "bandolier/lab/env/registry.h"

namespace bandolier {
namespace {

constexpr const char* kUsage = "export_problem ENV SEED TRIAL [STEPS]";

template <class Values>
std::string list(const Values& values) {
  return fmt::format("[{}]", fmt::join(values, ","));
}

// Rewards of actions that may not be taken are 0.
std::string line(const Trial& trial, Index t, ContextBuffer& buffer) {
  const Context context = trial.context(t, buffer);
  std::string out = fmt::format("{{\"x\":{}", list(context.features.values));
  if (context.features.sparse())
    out += fmt::format(",\"indices\":{}", list(context.features.indices));
  if (!context.action_ids.empty()) out += fmt::format(",\"ids\":{}", list(context.action_ids));
  if (!context.available.empty()) out += fmt::format(",\"available\":{}", list(context.available));
  const auto actions = static_cast<std::size_t>(context.actions);
  if (!context.action_features.empty()) {
    const std::size_t width = context.action_features.size() / actions;
    std::vector<std::string> rows;
    for (std::size_t a = 0; a < actions; ++a) {
      rows.push_back(list(context.action_features.subspan(a * width, width)));
    }
    out += fmt::format(",\"actions\":{}", list(rows));
  }
  std::vector<float> expected(actions), rewards(actions);
  trial.expected_rewards(t, expected);
  for (std::size_t a = 0; a < actions; ++a) {
    if (context.allows(static_cast<Index>(a))) {
      rewards[a] = trial.reward(t, static_cast<Index>(a));
    } else {
      expected[a] = 0;
    }
  }
  return out + fmt::format(",\"expected\":{},\"rewards\":{}}}\n", list(expected), list(rewards));
}

std::int64_t number(const char* text, const char* what) {
  const auto value = parse_integer(text);
  if (!value || *value < 0) fail("{} '{}': expected a number >= 0; {}", what, text, kUsage);
  return *value;
}

void run(int argc, char** argv) {
  if (argc != 4 && argc != 5) fail("found {} arguments: expected {}", argc - 1, kUsage);
  const auto environment = make_environment(argv[1]);
  const auto seed = static_cast<std::uint64_t>(number(argv[2], "seed"));
  const auto index = static_cast<std::uint32_t>(number(argv[3], "trial"));
  const Index steps = argc == 5 ? number(argv[4], "steps") : environment->default_steps();
  const Index most = environment->max_steps().value_or(steps);
  if (steps < 1 || steps > most) fail("{} steps: expected 1 to {}", steps, most);
  const auto trial = environment->trial(seed, index, steps);
  ContextBuffer buffer;
  for (Index t = 0; t < steps; ++t) {
    const std::string text = line(*trial, t, buffer);
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) fail("cannot write");
  }
  if (std::fflush(stdout) != 0) fail("cannot write");
}

}  // namespace
}  // namespace bandolier

int main(int argc, char** argv) {
  try {
    bandolier::run(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "export_problem: {}\n", error.what());
    return 1;
  }
}
