// libFuzzer target for everything that reads logs: whatever the bytes, a reader returns or throws
// Error, and what it returns makes sense and can be written. The first byte chooses the reader,
// whether wrong rows are skipped, and whether propensities are uniform. Run by scripts/fuzz.
#include <cstddef>
#include <cstdint>

#include "bandolier/lab/log/csv_log.h"
#include "bandolier/lab/log/dsjson_reader.h"
#include "bandolier/lab/log/dsjson_writer.h"
#include "bandolier/lab/log/obd_log.h"
#include "bandolier/lab/log/vw_format.h"
#include "bandolier/lab/log/vw_reader.h"
#include "bandolier/model/slot_encoder.h"

namespace {

using namespace bandolier;

void check(bool holds) {
  if (!holds) __builtin_trap();
}

std::shared_ptr<const CsvActions> csv_actions(bool numbered) {
  auto actions = std::make_shared<CsvActions>();
  actions->numbered = numbered;
  actions->names =
      numbered ? std::vector<std::string>{"0", "1"} : std::vector<std::string>{"red", "blue"};
  actions->places = {{actions->names[0], 0}, {actions->names[1], 1}};
  return actions;
}

ObdItems obd_items() {
  ObdItems items;
  for (const char* name : {"0", "1"}) {
    items.names.emplace_back(name);
    items.values.emplace_back().word("kind", name);
  }
  return items;
}

std::unique_ptr<LogReader> reader_of(unsigned kind, std::unique_ptr<Input> input,
                                     LogOptions options) {
  switch (kind) {
    case 0:
      return std::make_unique<DsjsonReader>(std::move(input), options);
    case 1:
      is_vw_adf(*input);
      return std::make_unique<VwCbReader>(std::move(input), options, 3);
    case 2:
      return std::make_unique<VwAdfReader>(std::move(input), options);
    case 3:
      return std::make_unique<CsvLogReader>(std::move(input), options, csv_actions(true));
    case 4:
      options.columns = "pi_";
      options.position = "position";
      return std::make_unique<CsvLogReader>(std::move(input), options, csv_actions(false));
    default:
      return std::make_unique<ObdReader>(std::move(input), options, obd_items());
  }
}

// What dsjson cannot hold is an Error; what it holds reads back as the same.
void write(const LoggedEvent& event) {
  std::string text;
  try {
    DsjsonFormat().append(event, text);
    VwFormat vw;
    std::string lines;
    vw.look_at(event);
    vw.append(event, lines);
  } catch (const Error&) {
    return;
  }
  LoggedEvent again;
  JsonParser parser;
  check(read_dsjson(parser, std::string_view(text).substr(0, text.size() - 1), again).empty());
  check(again.action == event.action && again.actions == event.actions);
  check(again.reward == event.reward && again.propensity == event.propensity);
  check(again.dense == event.dense ? again.features == event.features : again.dense);
}

void read_log(std::uint8_t choice, std::string bytes) {
  LogOptions options;
  options.lenient = choice % 2 != 0;
  if (choice / 2 % 2 != 0) options.propensity = kUniformPropensity;
  const auto reader = reader_of(choice / 4 % 6, text_input(std::move(bytes), "fuzz"), options);
  SlotEncoder encoder({16});
  FeatureScratch scratch;
  SparseVector out;
  for (LoggedEvent event; reader->next(event);) {
    const auto actions = static_cast<std::size_t>(event.actions);
    check(event.action >= 0 && event.action < event.actions);
    check(event.propensity > 0 && event.propensity <= 1);
    check(event.probabilities.empty() || event.probabilities.size() == actions);
    check(event.action_names.size() == actions);
    check(event.position >= 0 && event.position <= kMostPositions);
    for (const auto& column : event.columns) check(column.size() == actions);
    if (!event.skip_learn) write(event);
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
    read_log(data[0], std::string(reinterpret_cast<const char*>(data) + 1, size - 1));
  } catch (const Error&) {
  }
  return 0;
}
