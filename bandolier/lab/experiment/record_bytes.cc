#include "bandolier/lab/experiment/record_bytes.h"

#include <bit>
#include <limits>

#include "bandolier/core/archive.h"
#include "bandolier/core/error.h"

namespace bandolier {
namespace {

using Bits = std::vector<std::int64_t>;  // of doubles, which may be NaN

constexpr double TrialResult::*kNumbers[] = {
    &TrialResult::reward,         &TrialResult::regret,         &TrialResult::uniform,
    &TrialResult::best_fixed,     &TrialResult::oracle,         &TrialResult::seconds,
    &TrialResult::warmup_seconds, &TrialResult::choose_seconds, &TrialResult::observe_seconds,
    &TrialResult::cpu_seconds,    &TrialResult::step_us_p50,    &TrialResult::step_us_p99};
constexpr Index kUnknown = -1;  // of sizes that may lack

Bits bits_of(const std::vector<double>& values) {
  Bits bits;
  for (const double value : values) bits.push_back(std::bit_cast<std::int64_t>(value));
  return bits;
}

std::vector<double> doubles_of(const Bits& bits) {
  std::vector<double> values;
  for (const auto one : bits) values.push_back(std::bit_cast<double>(one));
  return values;
}

std::optional<Index> known(Index size) {
  return size == kUnknown ? std::nullopt : std::optional<Index>(size);
}

void write(const AgentReport& report, ArchiveWriter& out) {
  out.write("belief_bytes", report.belief_bytes);
  out.write("parameters", report.parameters.value_or(kUnknown));
  out.write("subspace_dim", report.subspace_dim.value_or(kUnknown));
  out.write("learnt", report.steps);
  std::vector<std::string> kinds, texts, signals;
  Bits counts;
  for (const Note& note : report.notes) {
    kinds.push_back(note.kind);
    texts.push_back(note.text);
    counts.push_back(note.count);
  }
  std::vector<double> values;
  for (const auto& [name, value] : report.signals) {
    signals.push_back(name);
    values.push_back(value);
  }
  out.write("note_kinds", kinds);
  out.write("note_texts", texts);
  out.write("note_counts", counts);
  out.write("signals", signals);
  out.write("signal_values", bits_of(values));
}

void require_as_many(const ArchiveReader& in, const char* field, std::size_t found,
                     std::size_t expected) {
  if (found != expected) fail("{} has {} values: expected {}", in.where(field), found, expected);
}

void read(const ArchiveReader& in, AgentReport& report) {
  report.belief_bytes = static_cast<std::size_t>(in.read_count("belief_bytes"));
  report.parameters = known(in.read_integer("parameters", kUnknown));
  report.subspace_dim = known(in.read_integer("subspace_dim", kUnknown));
  report.steps = in.read_count("learnt");
  const auto kinds = in.read_texts("note_kinds"), texts = in.read_texts("note_texts"),
             signals = in.read_texts("signals");
  const Bits counts = in.read_integers("note_counts");
  const auto values = doubles_of(in.read_integers("signal_values"));
  require_as_many(in, "note_texts", texts.size(), kinds.size());
  require_as_many(in, "note_counts", counts.size(), kinds.size());
  require_as_many(in, "signal_values", values.size(), signals.size());
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    report.notes.push_back({kinds[i], texts[i], counts[i]});
  }
  for (std::size_t i = 0; i < signals.size(); ++i) report.signals[signals[i]] = values[i];
}

}  // namespace

std::string to_bytes(const TrialRecord& record) {
  ArchiveWriter out;
  out.write("environment", record.environment);
  out.write("agent", record.agent);
  out.write("trial", record.trial);
  out.write("error", record.error);
  const TrialResult& result = record.result;
  out.write("steps", result.steps);
  std::vector<double> numbers;
  for (const auto member : kNumbers) numbers.push_back(result.*member);
  out.write("numbers", bits_of(numbers));
  out.write("chosen", Bits(result.chosen.begin(), result.chosen.end()));
  out.write("curve_steps", Bits(result.curve_steps.begin(), result.curve_steps.end()));
  out.write("curve_reward", bits_of(result.curve_reward));
  out.write("curve_regret", bits_of(result.curve_regret));
  write(result.report, out);
  return out.finish();
}

TrialRecord record_from_bytes(std::string bytes) {
  const ArchiveReader in(std::move(bytes), "a trial's record");
  TrialRecord record;
  record.environment = in.read_count("environment");
  record.agent = in.read_count("agent");
  record.trial = static_cast<std::uint32_t>(
      in.read_integer("trial", 0, std::numeric_limits<std::uint32_t>::max()));
  record.error = in.read_text("error");
  TrialResult& result = record.result;
  result.steps = in.read_count("steps");
  const auto numbers = doubles_of(in.read_integers("numbers"));
  require_as_many(in, "numbers", numbers.size(), std::size(kNumbers));
  for (std::size_t i = 0; i < numbers.size(); ++i) result.*kNumbers[i] = numbers[i];
  const Bits chosen = in.read_integers("chosen"), steps = in.read_integers("curve_steps");
  result.chosen.assign(chosen.begin(), chosen.end());
  result.curve_steps.assign(steps.begin(), steps.end());
  result.curve_reward = doubles_of(in.read_integers("curve_reward"));
  result.curve_regret = doubles_of(in.read_integers("curve_regret"));
  require_as_many(in, "curve_reward", result.curve_reward.size(), steps.size());
  require_as_many(in, "curve_regret", result.curve_regret.size(), steps.size());
  read(in, result.report);
  return record;
}

}  // namespace bandolier
