// Contexts of a call: one or many rows of numbers, dense or sparse, with what is said of the
// actions; or rows by name.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bandolier/agent/shared_agent.h"
#include "python/src/arrays.h"

namespace bandolier::python {

// Arguments as given; None where one is not.
struct ContextArguments {
  nb::handle context, available, action_features, action_ids;
};

class ArrayRows final : public ContextRows {
 public:
  // Throws Error, with both shapes, where an argument does not suit the shape. Values are checked
  // by the agent.
  ArrayRows(const ContextArguments& given, const ProblemShape& shape);

  bool one() const { return one_; }  // a single context: no batch of one
  Index size() const override { return rows_; }
  Index actions() const { return actions_; }  // of each row
  std::span<const Context> rows(Index first, Index count, RowMemory& memory) const override;

 private:
  struct Sparse {
    Array values, indices, starts;
    Sparse(nb::handle parts, const char* name);
  };
  void read_features(nb::handle context);
  void read_sparse(nb::handle context);
  void read_action_features(nb::handle given);
  // Of one entry per action, or a row of them per context; true for the latter.
  bool by_row(const Array& array, const char* name) const;
  Features features(Index row, Index first, const RowMemory& memory) const;

  ProblemShape shape_;
  Index rows_ = 1, actions_ = 0;
  bool one_ = true;
  std::optional<Array> dense_;
  std::unique_ptr<Sparse> sparse_;
  std::optional<Array> action_features_;
  bool own_features_ = false;  // a matrix of action features per row
  std::vector<float> features_of_all_;
  std::vector<std::uint8_t> available_;
  bool own_available_ = false;
  std::vector<std::int64_t> ids_;
  bool own_ids_ = false;
};

// Actions offered by name, with what is known of them.
struct Offered {
  std::vector<std::string> names;
  std::vector<NamedValues> values;
  std::vector<NamedAction> actions;  // views of the two
  nb::object ids;                    // a tuple of them as they were given; null: none were offered

  Offered() = default;
  Offered(const Offered&) = delete;
  Offered& operator=(const Offered&) = delete;
  // `fixed`: names of actions that are there, without values.
  void read(nb::handle list, bool fixed);
};

// A dictionary as values by name: nested dictionaries are namespaces, texts and truth are words,
// lists of numbers or of texts several values of one name; None is missing. Throws Error, with the
// name, for all else.
void read_values(nb::handle dictionary, NamedValues& out);

// Rows by name, encoded when they are asked for.
class NamedRows final : public ContextRows {
 public:
  // A dictionary, or a list of them.
  NamedRows(nb::handle context, const NamedAgent& agent, const Offered& offered);
  Index size() const override { return static_cast<Index>(values_.size()); }
  std::span<const Context> rows(Index first, Index count, RowMemory& memory) const override;
  const NamedValues& operator[](Index row) const { return values_[static_cast<std::size_t>(row)]; }

 private:
  const NamedAgent& agent_;
  const Offered& offered_;
  std::vector<NamedValues> values_;
};

}  // namespace bandolier::python
