#include "python/src/environment.h"

#include <nanobind/ndarray.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bandolier/core/error.h"
#include "bandolier/lab/env/array_table.h"
#include "bandolier/lab/env/change.h"
#include "bandolier/lab/env/registry.h"
#include "bandolier/lab/env/table_rows.h"
#include "bandolier/lab/experiment/data_sum.h"
#include "python/src/interruptible.h"

namespace bandolier::python {
namespace {

template <class T>
using Column = nb::ndarray<const T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Rows = nb::ndarray<const float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

struct TableOptions : RowsOptions, StandardiseOptions, ChangeOptions {};

const OptionTable<TableOptions>& table_options() {
  static const OptionTable<TableOptions> table = [] {
    OptionTable<TableOptions> rows = {};
    rows.include(rows_options()).include(standardise_options()).include(change_options());
    return rows;
  }();
  return table;
}

ArrayColumn column_of(nb::handle one) {
  const auto parts = nb::cast<nb::tuple>(one);  // name, outcome, numbers or codes, words
  ArrayColumn column;
  column.name = nb::cast<std::string>(parts[0]);
  column.outcome = nb::cast<bool>(parts[1]);
  column.words = nb::cast<std::vector<std::string>>(parts[3]);
  if (column.words.empty()) {
    const auto numbers = nb::cast<Column<double>>(parts[2]);
    column.numbers.assign(numbers.data(), numbers.data() + numbers.size());
  } else {
    const auto codes = nb::cast<Column<std::int32_t>>(parts[2]);
    column.codes.assign(codes.data(), codes.data() + codes.size());
  }
  return column;
}

// `outcome`: the label's name, or what the names of reward columns begin with.
SharedEnvironment from_arrays(const std::string& name, const nb::list& columns,
                              const std::string& outcome, bool labels, const Rows& of_actions,
                              const OptionTexts& texts) {
  const TableOptions options = table_options().parse(fmt::format("environment '{}'", name), texts);
  std::vector<ArrayColumn> arrays;
  for (const auto one : columns) arrays.push_back(column_of(one));
  Matrix<float> features(static_cast<Index>(of_actions.shape(0)),
                         static_cast<Index>(of_actions.shape(1)));
  for (Index row = 0; row < features.rows(); ++row) {
    for (Index c = 0; c < features.cols(); ++c) {
      features(row, c) = of_actions.data()[row * features.cols() + c];
    }
  }
  const nb::gil_scoped_release release;
  Table table = make_array_table(name, arrays);
  arrays = {};
  auto rows = labels ? make_label_rows(std::move(table), outcome, std::move(features))
                     : make_reward_rows(std::move(table), outcome, std::move(features));
  return {make_changed(make_rows_environment(std::move(rows), options, options, name), options)};
}

SharedEnvironment by_name(const std::string& spec) {
  SharedEnvironment out;
  run_interruptibly([&] { out.environment = make_environment(spec); });
  return out;
}

}  // namespace

void bind_environment(nb::module_& m) {
  nb::class_<SharedEnvironment>(m, "Environment")
      .def_prop_ro("features",
                   [](const SharedEnvironment& e) { return e.environment->shape().features; })
      .def_prop_ro("actions",
                   [](const SharedEnvironment& e) { return e.environment->shape().actions; })
      .def_prop_ro("steps",
                   [](const SharedEnvironment& e) { return e.environment->default_steps(); })
      .def_prop_ro("notes",
                   [](const SharedEnvironment& e) { return to_texts(e.environment->notes()); })
      .def(
          "data_sum",
          [](const SharedEnvironment& e) {
            std::string sum;
            run_interruptibly([&] { sum = data_sum(*e.environment); });
            return sum;
          },
          "A checksum of its data; empty where rows are generated.");
  m.def("environment_by_name", &by_name, nb::arg("spec"));
  m.def("environment_from_arrays", &from_arrays);
  m.def("environment_from_object", [](const std::string& name, nb::object adapter) {
    return SharedEnvironment{make_python_environment(name, std::move(adapter))};
  });
}

}  // namespace bandolier::python
