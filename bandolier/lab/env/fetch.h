// Files of data sets, from their sources or from a mirror.
#pragma once

#include <filesystem>

#include "bandolier/lab/env/download.h"
#include "bandolier/lab/env/sources.h"

namespace bandolier {

// File `i` of a data set from its source, or from $BANDOLIER_MIRROR, the address of a copy of a
// data folder (plain or .gz files). Returns where it is.
std::filesystem::path fetch(const DataSet& set, std::size_t i, const DownloadOptions& options = {});

}  // namespace bandolier
