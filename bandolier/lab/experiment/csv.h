// Lines of comma-separated values (RFC 4180) as results are written and read.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace bandolier {

// One line with its end; fields that hold commas, quotes or line ends are quoted.
std::string csv_line(const std::vector<std::string>& fields);

// The next record of `text` from `position` on, which moves past it; nothing where no line end
// follows (the record is incomplete). Throws nothing.
std::optional<std::vector<std::string>> next_csv_record(std::string_view text,
                                                        std::size_t& position);

}  // namespace bandolier
