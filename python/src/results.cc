// Results: the texts of their files, their summary and their page.
#include "python/src/results.h"

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "bandolier/lab/experiment/merge.h"
#include "bandolier/lab/experiment/result_columns.h"
#include "bandolier/lab/report/experiment_report.h"
#include "bandolier/lab/report/summary_output.h"
#include "bandolier/lab/report/summary_table.h"
#include "python/src/interruptible.h"
#include "python/src/module.h"

namespace bandolier::python {
namespace {

using Lines = std::string (*)(const TrialRecord&, const Results&);

// A file as a finished run leaves it.
std::string file_of(const Results& results, const std::vector<ResultColumn>& columns, Lines lines,
                    bool of_failed) {
  const nb::gil_scoped_release release;
  std::string out = header_of(columns);
  for (const auto& record : results.records) {
    if (of_failed || !record.failed()) out += lines(record, results);
  }
  return out;
}

template <class Output>
std::string summary_of(const PythonResults& results, const std::string& baseline, Output output) {
  const Results& all = results.stored.results;
  const Index index = find_baseline(all.settings, baseline);
  return output(all, summarise(all, index), index);
}

// (spec, shown) of each.
std::vector<std::pair<std::string, std::string>> names_of(const std::vector<LabelledSpec>& list) {
  std::vector<std::pair<std::string, std::string>> names;
  for (const auto& one : list) names.emplace_back(one.spec, one.shown());
  return names;
}

// What failed: (environment, agent, trial, why).
std::vector<std::tuple<std::string, std::string, std::uint32_t, std::string>> failures_of(
    const Results& results) {
  std::vector<std::tuple<std::string, std::string, std::uint32_t, std::string>> out;
  const auto& [settings, environments, records] = results;
  for (const auto& record : records) {
    if (!record.failed()) continue;
    out.emplace_back(settings.environments[static_cast<std::size_t>(record.environment)].spec,
                     settings.agents[static_cast<std::size_t>(record.agent)].spec, record.trial,
                     record.error);
  }
  return out;
}

std::string page_of(const PythonResults& results, const std::string& baseline) {
  std::vector<NamedFigure> figures;
  return experiment_page(results.stored, baseline, figures);
}

nb::list merge(const std::vector<std::filesystem::path>& shares, const std::filesystem::path& out) {
  std::vector<Merged> all;
  run_interruptibly([&] { all = merge_shares(shares, out); });
  nb::list list;
  for (const Merged& merged : all) {
    std::vector<std::string> notes = merged.damage;
    notes.insert(notes.end(), merged.missing.begin(), merged.missing.end());
    list.append(nb::make_tuple(merged.folder.string(), notes));
  }
  return list;
}

}  // namespace

void bind_results(nb::module_& m) {
  nb::class_<PythonResults>(m, "Results")
      .def_prop_ro("trials",
                   [](const PythonResults& r) {
                     return file_of(r.stored.results, trial_columns(), trial_line, true);
                   })
      .def_prop_ro("curves",
                   [](const PythonResults& r) {
                     return file_of(r.stored.results, curve_columns(), curve_lines, false);
                   })
      .def_prop_ro("timings",
                   [](const PythonResults& r) {
                     return file_of(r.stored.results, timing_columns(), timing_line, false);
                   })
      .def("summary",
           [](const PythonResults& r, const std::string& baseline) {
             return summary_of(r, baseline, summary_csv);
           })
      .def("table",
           [](const PythonResults& r, const std::string& baseline) {
             return summary_of(r, baseline, summary_table);
           })
      .def("page", &page_of)
      .def_prop_ro("title", [](const PythonResults& r) { return r.stored.results.settings.name; })
      .def_prop_ro("honest",
                   [](const PythonResults& r) {
                     return r.stored.results.settings.warmup_feedback == WarmupFeedback::kBandit;
                   })
      .def_prop_ro(
          "environments",
          [](const PythonResults& r) { return names_of(r.stored.results.settings.environments); })
      .def_prop_ro(
          "agents",
          [](const PythonResults& r) { return names_of(r.stored.results.settings.agents); })
      .def_prop_ro("failures", [](const PythonResults& r) { return failures_of(r.stored.results); })
      .def_prop_ro("damage", [](const PythonResults& r) { return r.stored.damage; })
      .def_prop_ro("count", [](const PythonResults& r) { return r.stored.results.records.size(); })
      .def_prop_ro("expected",
                   [](const PythonResults& r) { return r.stored.results.expected_records(); });
  m.def("read_results", [](const std::filesystem::path& folder) {
    const nb::gil_scoped_release release;
    return PythonResults{read_results(folder)};
  });
  m.def("merge", &merge, nb::arg("folders"), nb::arg("out"));
}

}  // namespace bandolier::python
