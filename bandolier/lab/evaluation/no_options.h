// An estimator without options.
#pragma once

#include <string>
#include <utility>

#include "bandolier/lab/evaluation/estimators.h"

namespace bandolier {

struct NoOptions {};

// `finish` says what the estimator needs and which intervals belong to it.
template <class Make, class Finish>
EstimatorEntry plain_estimator(const std::string& name, std::string summary, Make make,
                               Finish finish) {
  return {name, std::move(summary), {}, [name, make, finish](const OptionTexts& texts) {
            OptionTable<NoOptions>({}).parse("estimator '" + name + "'", texts);
            NamedEstimator made;
            made.estimator = make();
            finish(made);
            return made;
          }};
}

}  // namespace bandolier
