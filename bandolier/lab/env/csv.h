// Lines of comma-separated values (RFC 4180) as results are written; records.h reads them.
#pragma once

#include <string>
#include <vector>

namespace bandolier {

// One line with its end. Fields that hold commas, quotes or line ends, or begin or end with a
// blank, are quoted.
std::string csv_line(const std::vector<std::string>& fields);

}  // namespace bandolier
