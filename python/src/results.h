// The results of an experiment as Python holds them.
#pragma once

#include "bandolier/lab/experiment/results_store.h"

namespace bandolier::python {

// `manifest` as a results folder would have it.
struct PythonResults {
  StoredResults stored;
};

}  // namespace bandolier::python
