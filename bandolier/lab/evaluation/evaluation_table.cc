#include <algorithm>
#include <cmath>

#include "bandolier/core/text.h"
#include "bandolier/lab/evaluation/evaluation_output.h"
#include "bandolier/lab/report/format.h"
#include "bandolier/lab/report/text_table.h"

namespace bandolier {
namespace {

constexpr std::size_t kName = 30;  // characters of a policy's name

std::string shown_interval(const Figure& figure) {
  if (!std::isfinite(figure.interval.low)) return "–";
  return fmt::format("{} … {}", show_reward(figure.interval.low),
                     show_reward(figure.interval.high));
}

std::string shown_difference(const std::optional<Figure>& difference) {
  if (!difference) return "";
  const std::string sign = difference->value > 0 ? "+" : "";
  return fmt::format("{}{} ({})", sign, show_reward(difference->value),
                     shown_interval(*difference));
}

// Each note once, with those that it is of.
class Remarks {
 public:
  void add(const std::string& of, const std::string& note) {
    const auto known = std::find_if(notes_.begin(), notes_.end(),
                                    [&](const auto& one) { return one.first == note; });
    if (known == notes_.end()) {
      notes_.push_back({note, {of}});
    } else if (known->second.back() != of) {
      known->second.push_back(of);
    }
  }
  std::string str() const {
    std::string out;
    for (const auto& [note, of] : notes_) out += fmt::format("  {}: {}\n", join(of, ", "), note);
    return out;
  }

 private:
  std::vector<std::pair<std::string, std::vector<std::string>>> notes_;
};

}  // namespace

std::string evaluation_table(const Evaluation& evaluation) {
  const bool compared = evaluation.policies.size() > 1;
  std::vector<TextTable::Column> columns = {
      {"policy", TextTable::Align::kLeft},
      {"estimator", TextTable::Align::kLeft},
      {"value"},
      {fmt::format("{:.0f} % interval", 100 * evaluation.level)},
      {"worth rows"},
      {"mean weight"},
      {"max"}};
  if (compared) {
    columns.push_back({"less " + shortened(evaluation.policies.front().policy, kName)});
  }
  TextTable table(columns);
  Remarks remarks;
  for (const EvaluatedPolicy& policy : evaluation.policies) {
    const std::string name = shortened(policy.policy, kName);
    for (const EstimatedValue& value : policy.values) {
      std::vector<std::string> cells = {name,
                                        shortened(value.estimator, kName),
                                        show_reward(value.figure.value),
                                        shown_interval(value.figure),
                                        with_commas(policy.weights.effective_rows()),
                                        with_commas(policy.weights.mean(), 2),
                                        show_reward(policy.weights.most())};
      if (compared) cells.push_back(shown_difference(value.difference));
      table.add_row(std::move(cells));
      for (const auto& note : value.notes) {
        remarks.add(fmt::format("{} of {}", value.estimator, name), note);
      }
    }
    for (const auto& note : policy.notes) remarks.add(name, note);
  }
  std::string out =
      fmt::format("{} decisions, mean reward {}; intervals: {}\n\n{}", with_commas(evaluation.rows),
                  show_reward(evaluation.mean_reward), to_word(evaluation.interval), table.str());
  const std::string said = remarks.str();
  if (!said.empty()) out += "\n" + said;
  for (const auto& note : to_texts(evaluation.notes)) out += fmt::format("  log: {}\n", note);
  return out;
}

}  // namespace bandolier
