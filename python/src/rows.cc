#include "python/src/rows.h"

#include <algorithm>
#include <limits>

#include "bandolier/core/error.h"

namespace bandolier::python {
namespace {

bool is_sparse(nb::handle object) { return nb::hasattr(object, "tocsr"); }

std::string found(const char* name, const Array& array) {
  return fmt::format("{} has the shape {}", name, array.shape_text());
}

}  // namespace

ArrayRows::Sparse::Sparse(nb::handle parts, const char* name)
    : values(parts[0], name), indices(parts[1], name), starts(parts[2], name) {}

ArrayRows::ArrayRows(const ContextArguments& given, const ProblemShape& shape)
    : shape_(shape), actions_(shape.actions) {
  const PyObject* object = given.context.ptr();
  if (PyObject_CheckBuffer(given.context.ptr()) == 0 && object != Py_None &&
      is_sparse(given.context)) {
    read_sparse(given.context);
  } else {
    read_features(given.context);
  }
  read_action_features(given.action_features);
  if (!given.available.is_none()) {
    const Array mask(given.available, "available");
    if (!mask.integral()) fail("available has numbers with fractions: expected truth, or 0 and 1");
    own_available_ = by_row(mask, "available");
    for (const std::int64_t allowed : mask.integers()) available_.push_back(allowed != 0);
  }
  if (!given.action_ids.is_none()) {
    const Array ids(given.action_ids, "action_ids");
    if (!ids.integral()) fail("action_ids has numbers with fractions: expected whole numbers");
    own_ids_ = by_row(ids, "action_ids");
    ids_ = ids.integers();
  }
}

void ArrayRows::read_features(nb::handle context) {
  Array& array = dense_.emplace(context, "context");
  const ImageShape& image = shape_.image;
  const Index wanted = shape_.features;
  if (image.size() > 0 && array.dimensions() >= 2 && array.size(array.dimensions() - 1) != wanted) {
    // height × width, and channels where there are several, or one is given.
    const int d = array.dimensions();
    const bool channels = d >= 3 && array.size(d - 1) == image.channels &&
                          array.size(d - 2) == image.width && array.size(d - 3) == image.height;
    const bool plain = image.channels == 1 && array.size(d - 1) == image.width &&
                       array.size(d - 2) == image.height;
    if ((channels || plain) && !array.flatten_last(channels ? 3 : 2)) {
      const nb::object copy = nb::module_::import_("numpy").attr("ascontiguousarray")(context);
      dense_.emplace(copy, "context").flatten_last(channels ? 3 : 2);
    }
  }
  const Array& x = *dense_;
  if (x.dimensions() < 1 || x.dimensions() > 2 || x.size(x.dimensions() - 1) != wanted) {
    fail("{}: expected ({},), or (n, {}) for many", found("context", x), wanted, wanted);
  }
  one_ = x.dimensions() == 1;
  rows_ = one_ ? 1 : x.size(0);
}

void ArrayRows::read_sparse(nb::handle context) {
  const nb::object parts =
      nb::module_::import_("bandolier._inputs").attr("sparse_rows")(context, "context");
  const Index columns = nb::cast<Index>(parts[4]);
  one_ = false;
  rows_ = nb::cast<Index>(parts[3]);
  if (columns != shape_.features) {
    fail("context has the shape {}: expected (n, {})", shape_text({rows_, columns}),
         shape_.features);
  }
  sparse_ = std::make_unique<Sparse>(parts, "context");
  const auto* starts = static_cast<const std::int64_t*>(sparse_->starts.data());
  const Index entries = sparse_->values.count();
  if (sparse_->starts.count() != rows_ + 1 || sparse_->indices.count() != entries ||
      starts[0] != 0 || starts[rows_] != entries || !std::is_sorted(starts, starts + rows_ + 1)) {
    fail("context holds no sparse rows: its indices and values do not fit together");
  }
}

void ArrayRows::read_action_features(nb::handle given) {
  const Index width = shape_.action_features;
  if (given.is_none()) {
    if (width > 0) fail("action_features is missing: expected {} of every action", width);
    return;
  }
  const Array& array = action_features_.emplace(given, "action_features");
  const int d = array.dimensions();
  const bool fits = width > 0 && (d == 2 || (d == 3 && !one_)) && array.size(d - 1) == width &&
                    (!shape_.fixed_actions || array.size(d - 2) == actions_) &&
                    (d == 2 || array.size(0) == rows_);
  if (!fits) {
    const std::string actions = shape_.fixed_actions ? std::to_string(actions_) : "actions";
    if (width == 0) fail("action_features is given: this agent's actions have none");
    fail("{}: expected ({}, {}){}", found("action_features", array), actions, width,
         one_ ? std::string() : fmt::format(", or ({}, {}, {})", rows_, actions, width));
  }
  actions_ = array.size(d - 2);
  own_features_ = d == 3;
  if (!own_features_ && !(array.contiguous() && array.type() == NumberType::kFloat)) {
    features_of_all_ = array.floats();
  }
}

bool ArrayRows::by_row(const Array& array, const char* name) const {
  const int d = array.dimensions();
  if (d == 1 && array.size(0) == actions_) return false;
  if (d == 2 && !one_ && array.size(0) == rows_ && array.size(1) == actions_) return true;
  fail("{}: expected ({},){}", found(name, array), actions_,
       one_ ? std::string() : fmt::format(", or ({}, {})", rows_, actions_));
}

Features ArrayRows::features(Index row, Index first, const RowMemory& memory) const {
  const auto width = static_cast<std::size_t>(shape_.features);
  if (sparse_) {
    const auto* starts = static_cast<const std::int64_t*>(sparse_->starts.data());
    const auto* values = static_cast<const float*>(sparse_->values.data());
    const auto* indices = static_cast<const std::int32_t*>(sparse_->indices.data());
    const auto count = static_cast<std::size_t>(starts[row + 1] - starts[row]);
    return {{values + starts[row], count}, {indices + starts[row], count}, shape_.features};
  }
  const bool direct = dense_->contiguous() && dense_->type() == NumberType::kFloat;
  const float* begin = direct ? static_cast<const float*>(dense_->data()) + row * shape_.features
                              : memory.values.data() + (row - first) * shape_.features;
  return Features::dense({begin, width});
}

std::span<const Context> ArrayRows::rows(Index first, Index count, RowMemory& memory) const {
  const auto actions = static_cast<std::size_t>(actions_);
  const auto width = static_cast<std::size_t>(actions_ * shape_.action_features);
  if (dense_ && !(dense_->contiguous() && dense_->type() == NumberType::kFloat)) {
    memory.values.resize(static_cast<std::size_t>(count * shape_.features));
    if (one_) {
      dense_->read(0, shape_.features, memory.values.data());
    } else {
      dense_->read(first, count, memory.values.data());
    }
  }
  const float* of_actions = features_of_all_.data();
  if (action_features_ && features_of_all_.empty()) {
    of_actions = static_cast<const float*>(action_features_->data());
    if (own_features_ &&
        !(action_features_->contiguous() && action_features_->type() == NumberType::kFloat)) {
      memory.action_features.resize(static_cast<std::size_t>(count) * width);
      action_features_->read(first, count, memory.action_features.data());
      of_actions = memory.action_features.data();
    } else if (own_features_) {
      of_actions += static_cast<std::size_t>(first) * width;
    }
  }
  memory.contexts.clear();
  for (Index row = first; row < first + count; ++row) {
    const auto here = static_cast<std::size_t>(row - first), at = static_cast<std::size_t>(row);
    Context context{features(row, first, memory), actions_, {}, {}};
    if (width > 0)
      context.action_features = {of_actions + (own_features_ ? here * width : 0), width};
    if (!ids_.empty()) context.action_ids = {ids_.data() + (own_ids_ ? at * actions : 0), actions};
    if (!available_.empty()) {
      context.available = {available_.data() + (own_available_ ? at * actions : 0), actions};
    }
    memory.contexts.push_back(context);
  }
  return memory.contexts;
}

}  // namespace bandolier::python
