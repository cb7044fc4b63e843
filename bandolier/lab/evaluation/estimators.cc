#include "bandolier/lab/evaluation/estimators.h"

#include <limits>

#include "bandolier/core/find_named.h"

namespace bandolier {

const std::vector<EstimatorEntry>& estimators() {
  static const std::vector<EstimatorEntry> entries = {
      ips_estimator(),  snips_estimator(),        dm_estimator(),
      dr_estimator(),   sndr_estimator(),         switch_dr_estimator(),
      dros_estimator(), cressie_read_estimator(), mips_estimator(),
  };
  return entries;
}

NamedEstimator make_estimator(const std::string& text) {
  const Spec spec = parse_spec(text);
  const EstimatorEntry& entry = find_named(estimators(), spec.name, "estimator");
  if (!spec.arguments.empty()) {
    fail("estimator '{}': '{}' is not an option: expected key=value", spec.name, spec.arguments[0]);
  }
  NamedEstimator made = entry.make(spec.options);
  made.text = text;
  return made;
}

std::vector<double> weight_thresholds() {
  return {std::numeric_limits<double>::infinity(), 1000, 500, 200, 100, 50, 20, 10, 5, 2, 1};
}

}  // namespace bandolier
