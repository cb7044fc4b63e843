#include "bandolier/core/date.h"

#include <gtest/gtest.h>

namespace bandolier::date_test {
namespace {

TEST(ParseDate, CountsDaysSince1970) {
  EXPECT_EQ(parse_date("1970-01-01"), 0);
  EXPECT_EQ(parse_date("1969-12-31"), -1);
  EXPECT_EQ(parse_date("2024-02-29"), 19'782);
  EXPECT_EQ(parse_date("2024/02/29"), 19'782);
}

TEST(ParseDate, TakesTimesAndOffsets) {
  EXPECT_EQ(parse_date("1970-01-02T12:00"), 1.5);
  EXPECT_EQ(parse_date("1970-01-02 06:00:00"), 1.25);
  EXPECT_EQ(parse_date("1970/01/01T00:00:21.6"), 21.6 / 86'400);
  EXPECT_EQ(parse_date("1970-01-02T12:00:00Z"), 1.5);
  EXPECT_EQ(parse_date("1970-01-02T12:00+06:00"), 1.25);
  EXPECT_EQ(parse_date("1970-01-02T12:00-0600"), 1.75);
  EXPECT_EQ(parse_date("1970-01-02T12:00:00+06"), 1.25);
}

TEST(ParseDate, RefusesWhatIsNoDate) {
  for (const char* text : {"",
                           "2024",
                           "2024-02",
                           "20240229",
                           "2023-02-29",
                           "2024-13-01",
                           "2024-00-10",
                           "2024-01-32",
                           "2024-01/02",
                           "24-01-02",
                           "2024-1-2",
                           "2024-01-02x",
                           "2024-01-02T",
                           "2024-01-02T24:00",
                           "2024-01-02T12",
                           "2024-01-02T12:60",
                           "2024-01-02T12:00:61",
                           "2024-01-02T12:00:00.",
                           "2024-01-02T12:00Zx",
                           "2024-01-02T12:00+",
                           "2024-01-02T12:00+6",
                           "x2024-01-02",
                           "-024-01-02",
                           "2024-01-02 12:00 PM"}) {
    EXPECT_EQ(parse_date(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace bandolier::date_test
