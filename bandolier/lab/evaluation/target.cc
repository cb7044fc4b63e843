#include "bandolier/lab/evaluation/target.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "bandolier/agent/registry.h"
#include "bandolier/core/text.h"
#include "bandolier/lab/evaluation/policy_table.h"

namespace bandolier {
namespace {

class LoggedTarget : public Target {
 public:
  std::span<const double> probabilities(const LoggedEvent& event, std::int64_t) override {
    return event.probabilities;
  }
  bool is_logging_policy() const override { return true; }
};

class UniformTarget : public Target {
 public:
  std::span<const double> probabilities(const LoggedEvent& event, std::int64_t) override {
    each_.assign(static_cast<std::size_t>(event.actions), 1 / static_cast<double>(event.actions));
    return each_;
  }

 private:
  std::vector<double> each_;
};

class FixedTarget : public Target {
 public:
  explicit FixedTarget(std::string action)
      : action_(std::move(action)), place_(parse_integer(action_)) {}

  std::span<const double> probabilities(const LoggedEvent& event, std::int64_t) override {
    each_.assign(static_cast<std::size_t>(event.actions), 0);
    each_[place(event)] = 1;
    return each_;
  }

 private:
  std::size_t place(const LoggedEvent& event) const {
    const auto& names = event.action_names;
    const auto named = std::find(names.begin(), names.end(), action_);
    if (named != names.end()) return static_cast<std::size_t>(named - names.begin());
    if (place_ && *place_ >= 0 && *place_ < event.actions) return static_cast<std::size_t>(*place_);
    fail(
        "policy 'fixed:{}': this decision has {} actions and none is called so: expected a name "
        "or an index from 0 to {}",
        action_, event.actions, event.actions - 1);
  }

  std::string action_;
  std::optional<std::int64_t> place_;
  std::vector<double> each_;
};

class ColumnsTarget : public Target {
 public:
  explicit ColumnsTarget(std::size_t column) : column_(column) {}
  std::span<const double> probabilities(const LoggedEvent& event, std::int64_t) override {
    return event.columns[column_];
  }

 private:
  std::size_t column_;
};

class TableTarget : public Target {
 public:
  explicit TableTarget(const std::string& file) : table_(file) {}
  std::span<const double> probabilities(const LoggedEvent& event, std::int64_t) override {
    return table_.probabilities(event);
  }

 private:
  PolicyTable table_;
};

class AgentTarget : public Target {
 public:
  AgentTarget(const std::string& spec, bool learns, const LogSurvey& log,
              const LoggedPlayerOptions& options)
      : player_(spec, log, options), learns_(learns) {}

  std::span<const double> probabilities(const LoggedEvent& event, std::int64_t row) override {
    const LoggedAnswer answer = player_.decide(event, row);
    return answer.probabilities;
  }
  void learn(const LoggedEvent& event, std::int64_t row) override {
    if (learns_) player_.observe(event, row);
  }
  bool learns() const override { return learns_; }
  std::vector<std::string> notes() const override {
    return learns_ ? to_texts(player_.report().notes) : std::vector<std::string>();
  }

 private:
  LoggedPlayer player_;
  bool learns_;
};

}  // namespace

std::size_t ColumnPrefixes::place(const std::string& prefix) {
  const auto known = std::find(prefixes_.begin(), prefixes_.end(), prefix);
  if (known != prefixes_.end()) return static_cast<std::size_t>(known - prefixes_.begin());
  prefixes_.push_back(prefix);
  return prefixes_.size() - 1;
}

std::string ColumnPrefixes::text() const { return join(prefixes_, "+"); }

TargetSpec::TargetSpec(const std::string& text, ColumnPrefixes& columns) : text_(text) {
  const auto colon = text.find(':');
  const std::string name = text.substr(0, colon);
  const bool has_argument = colon != std::string::npos && colon + 1 < text.size();
  if (has_argument) argument_ = text.substr(colon + 1);
  const auto takes = [&](const char* what) {
    if (!has_argument) fail("policy '{}': expected {}:{}", text, name, what);
  };
  if (text == "logged") {
    kind_ = Kind::kLogged;
  } else if (text == "uniform") {
    kind_ = Kind::kUniform;
  } else if (name == "fixed") {
    takes("ACTION");
    kind_ = Kind::kFixed;
  } else if (name == "columns") {
    takes("PREFIX");
    kind_ = Kind::kColumns;
    column_ = columns.place(argument_);
  } else if (name == "table") {
    takes("FILE");
    kind_ = Kind::kTable;
  } else if (is_saved_agent(text)) {
    kind_ = Kind::kSaved;
  } else {
    kind_ = Kind::kAgent;
    std::vector<std::string> known = {"logged", "fixed", "columns", "table"};
    for (const AgentEntry& agent : agents()) known.push_back(agent.name);
    if (std::find(known.begin() + 4, known.end(), name) == known.end()) {
      fail("no policy is called '{}'{}", name, suggestion(name, known));
    }
  }
}

std::unique_ptr<Target> TargetSpec::make(const LogSurvey& log,
                                         const LoggedPlayerOptions& agents) const {
  switch (kind_) {
    case Kind::kLogged:
      return std::make_unique<LoggedTarget>();
    case Kind::kUniform:
      return std::make_unique<UniformTarget>();
    case Kind::kFixed:
      return std::make_unique<FixedTarget>(argument_);
    case Kind::kColumns:
      return std::make_unique<ColumnsTarget>(column_);
    case Kind::kTable:
      return std::make_unique<TableTarget>(argument_);
    case Kind::kAgent:
    case Kind::kSaved:
      break;
  }
  return std::make_unique<AgentTarget>(text_, learns(), log, agents);
}

}  // namespace bandolier
