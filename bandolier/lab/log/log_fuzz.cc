// libFuzzer target for everything that reads logs: whatever the bytes, a reader returns or throws
// Error, and what it returns makes sense. The first byte chooses whether wrong lines are skipped.
// Run by scripts/fuzz.
#include <cstddef>
#include <cstdint>

#include "bandolier/lab/log/dsjson_reader.h"
#include "bandolier/model/slot_encoder.h"

namespace {

using namespace bandolier;

void check(bool holds) {
  if (!holds) __builtin_trap();
}

void read_log(bool lenient, std::string bytes) {
  DsjsonReader reader(text_input(std::move(bytes), "fuzz"), {.lenient = lenient});
  SlotEncoder encoder({16});
  FeatureScratch scratch;
  SparseVector out;
  for (LoggedEvent event; reader.next(event);) {
    const auto actions = static_cast<std::size_t>(event.actions);
    check(event.action >= 0 && event.action < event.actions);
    check(event.propensity > 0 && event.propensity <= 1);
    check(event.probabilities.empty() || event.probabilities.size() == actions);
    check(event.action_names.size() == actions);
    if (event.dense) {
      check(event.action_ids.size() == actions && event.action_features.size() % actions == 0);
      continue;
    }
    check(event.own.size() >= actions);
    encoder.learn(event.shared);
    encoder.encode(event.shared, scratch, out);
    for (const std::int32_t index : out.indices) check(index >= 0 && index < 16);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  try {
    read_log(data[0] % 2 != 0, std::string(reinterpret_cast<const char*>(data) + 1, size - 1));
  } catch (const Error&) {
  }
  return 0;
}
