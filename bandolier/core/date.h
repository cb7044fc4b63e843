// Dates as people write them, as numbers.
#pragma once

#include <optional>
#include <string_view>

namespace bandolier {

// Days since 1970-01-01 00:00 UTC, with fractions for the time of day, of an ISO 8601 date or date
// and time: 2024-03-05 or 2024/03/05, then perhaps T or a blank and 17:30, 17:30:05 or 17:30:05.25,
// then perhaps Z or an offset, +02, +0200 or +02:00. A time without an offset counts as UTC. Years
// 0000 to 9999 of the Gregorian calendar. Nothing where the whole text is no such date.
std::optional<double> parse_date(std::string_view text);

}  // namespace bandolier
