// How fast tables are read and contexts made.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "bandolier/core/random.h"
#include "bandolier/lab/env/registry.h"
#include "bandolier/lab/env/table.h"

namespace bandolier {
namespace {

// rows × columns numbers of about 9 characters, and a label.
std::string csv(int rows, int columns) {
  Random random({1, Purpose::kTest, 0, 0});
  std::string text;
  for (int i = 0; i < columns; ++i) text += fmt::format("x{},", i);
  text += "label\n";
  for (int row = 0; row < rows; ++row) {
    for (int i = 0; i < columns; ++i) text += fmt::format("{:.6f},", random.normal());
    text += fmt::format("{}\n", random.below(5));
  }
  return text;
}

void read_table_of_numbers(benchmark::State& state) {
  const std::string text = csv(5000, 100);
  for (auto _ : state) {
    const auto input = text_input(text, "bench");
    benchmark::DoNotOptimize(read_table(*input, {.categorical = {"label"}}).rows);
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
}
BENCHMARK(read_table_of_numbers)->Unit(benchmark::kMillisecond);

void context_of(benchmark::State& state, const std::string& spec) {
  const auto environment = make_environment(spec);
  const auto trial = environment->trial(1, 0, 1000);
  ContextBuffer buffer;
  Index t = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(trial->context(t, buffer).features.values.data());
    t = (t + 1) % 1000;
  }
}
BENCHMARK_CAPTURE(context_of, wheel, "wheel");
BENCHMARK_CAPTURE(context_of, linear, "linear");
BENCHMARK_CAPTURE(context_of, items, "items");
BENCHMARK_CAPTURE(context_of, words, "words");

}  // namespace
}  // namespace bandolier
