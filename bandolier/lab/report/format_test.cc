#include "bandolier/lab/report/format.h"

#include <gtest/gtest.h>

#include <limits>

#include "bandolier/lab/report/text_table.h"

namespace bandolier::format_test {
namespace {

TEST(Format, ThousandsHaveCommasAndMinusIsAMinus) {
  EXPECT_EQ(with_commas(0), "0");
  EXPECT_EQ(with_commas(999), "999");
  EXPECT_EQ(with_commas(1000), "1,000");
  EXPECT_EQ(with_commas(-1234567.25, 1), "−1,234,567.2");
  EXPECT_EQ(with_commas(-0.4), "0");
  EXPECT_EQ(with_commas(std::numeric_limits<double>::quiet_NaN()), "–");
}

TEST(Format, AnEstimateShowsItsIntervalWhereThereIsOne) {
  EXPECT_EQ(show_estimate({10, 4431.4, 12.0, 8.6}), "4,431 ± 9");
  EXPECT_EQ(show_estimate({1, 4431.4, std::nullopt, std::nullopt}), "4,431");
  EXPECT_EQ(show_estimate({0, 0, std::nullopt, std::nullopt}), "–");
  EXPECT_EQ(show_difference({10, 12.34, 1.0, 0.5}), "+12.3 ± 0.5");
  EXPECT_EQ(show_difference({10, -12.34, 1.0, 0.5}), "−12.3 ± 0.5");
}

TEST(Format, NumbersOfAnySizeCanBeRead) {
  EXPECT_EQ(show_reward(999'999'999), "999,999,999");
  EXPECT_EQ(show_reward(1.2345e15), "1.23e+15");
  EXPECT_EQ(show_reward(-1.2345e15), "−1.23e+15");
  EXPECT_EQ(show_reward(0), "0.00");
  EXPECT_EQ(show_reward(0.25), "0.25");
  EXPECT_EQ(show_reward(0.01234), "0.0123");
  EXPECT_EQ(show_reward(0.00000123), "1.23e-06");
  EXPECT_EQ(show_estimate({10, 1.2345e15, 1e13, 4.5e13}), "1.23e+15 ± 4.50e+13");
  EXPECT_EQ(show_estimate({10, 0, 1e-7, 2e-6}), "0 ± 2.00e-06");
  EXPECT_EQ(show_share(0.9731), "97.3");
  EXPECT_EQ(show_share(-12345678.0), "−1.23e+09");
  EXPECT_EQ(show_share(std::nullopt), "–");
}

TEST(Format, BytesAndSecondsHaveFittingUnits) {
  EXPECT_EQ(show_bytes(0), "0 B");
  EXPECT_EQ(show_bytes(999), "999 B");
  EXPECT_EQ(show_bytes(1300), "1.3 kB");
  EXPECT_EQ(show_bytes(6.3e9), "6.3 GB");
  EXPECT_EQ(show_seconds(12e-6), "12 µs");
  EXPECT_EQ(show_seconds(0.0123), "12.3 ms");
  EXPECT_EQ(show_seconds(1.234), "1.23 s");
  EXPECT_EQ(show_seconds(125), "2 min 05 s");
  EXPECT_EQ(show_seconds(3725), "1 h 02 min");
}

TEST(TextTable, AlignsByCharactersNotBytes) {
  TextTable table({{"name", TextTable::Align::kLeft}, {"µs", TextTable::Align::kRight}});
  table.add_row({"a", "1"});
  table.add_row({"größer", "1,000"});
  EXPECT_EQ(table.str(),
            "name       µs\n"
            "a           1\n"
            "größer  1,000\n");
}

TEST(TextTable, TextsAreShortenedByCharacters) {
  EXPECT_EQ(shortened("größer", 6), "größer");
  EXPECT_EQ(shortened("größer", 4), "grö…");
}

}  // namespace
}  // namespace bandolier::format_test
