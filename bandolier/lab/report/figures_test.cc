// Figures by what is in their text: places, ticks, escapes.
#include "bandolier/lab/report/figures.h"

#include <gtest/gtest.h>

#include "bandolier/lab/report/axis.h"
#include "bandolier/lab/report/html_page.h"

namespace bandolier::figures_test {
namespace {

std::size_t occurrences(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

TEST(Axis, TicksOfThreeToFourThousandNineHundredAreRoundAndCoverIt) {
  const Axis axis = Axis::linear(3, 4900, 0, 100);
  EXPECT_DOUBLE_EQ(axis.low(), 0);
  EXPECT_DOUBLE_EQ(axis.high(), 5000);
  ASSERT_EQ(axis.ticks().size(), 6U);
  EXPECT_EQ(axis.ticks()[1].label, "1,000");
  EXPECT_DOUBLE_EQ(axis.place(2500), 50);
}

TEST(Axis, FractionsHaveAsManyDecimalsAsTheirStepNeeds) {
  const Axis axis = Axis::linear(0, 0.9, 0, 100);
  EXPECT_EQ(axis.ticks()[1].label, "0.2");
}

TEST(Axis, EqualEndsAreWidened) {
  const Axis axis = Axis::linear(5, 5, 0, 100);
  EXPECT_LT(axis.low(), 5);
  EXPECT_GT(axis.high(), 5);
}

TEST(Axis, ALogarithmicAxisPutsTheGeometricMeanInTheMiddle) {
  const Axis axis = Axis::logarithmic(1e-3, 10, 0, 100);
  EXPECT_NEAR(axis.place(0.1), 50, 1e-9);
  for (const auto& tick : axis.ticks()) {
    EXPECT_GE(axis.place(tick.value), 0);
    EXPECT_LE(axis.place(tick.value), 100);
  }
}

TEST(Bars, EachHasARectangleAndWhereGivenAnErrorBarOfThreeLines) {
  const Svg svg =
      draw_bars({"t", {{"a", 0, 10, 2.0, "10"}, {"b", 1, 5, {}, "5"}}, {{"oracle", 12}}});
  EXPECT_EQ(occurrences(svg.str(), "<rect "), 2U);
  EXPECT_EQ(occurrences(svg.str(), "class=\"error\""), 3U);
  EXPECT_EQ(occurrences(svg.str(), "class=\"reference\""), 1U);
}

TEST(Lines, ALineAboveTheLimitEndsAtTheEdge) {
  LineChart chart;
  chart.y_limit = 10;
  chart.lines = {{"a", 0, {0, 1, 2}, {0, 5, 10}, {}, {}},
                 {"b", 1, {0, 1, 2, 3}, {0, 50, 99, 120}, {}, {}}};
  const std::string text = draw_lines(chart).str();
  EXPECT_EQ(occurrences(text, "<polyline"), 2U);
  EXPECT_EQ(text.find("NaN"), std::string::npos);
  EXPECT_EQ(text.find('-', text.find("<polyline points=")) <
                text.find('"', text.find("<polyline points=") + 18),
            false);
}

TEST(Spots, NamesDoNotCoverEachOther) {
  SpotChart chart{"t", "x", "y", [](double) { return std::string("x"); }, {}};
  for (std::size_t i = 0; i < 3; ++i) chart.spots.push_back({"same place", i, 1, 1, {}});
  EXPECT_EQ(occurrences(draw_spots(chart).str(), ">same place</text>"), 3U);
}

TEST(Spots, TicksAreWrittenWithoutTrailingZeros) {
  const auto show = [](double x) { return x < 1 ? std::string("0.10 s") : std::string("10.0 s"); };
  const SpotChart chart{"t", "x", "y", show, {{"a", 0, 0.1, 1, {}}, {"b", 1, 10, 2, {}}}};
  const std::string text = draw_spots(chart).str();
  EXPECT_NE(text.find(">0.1 s</text>"), std::string::npos);
  EXPECT_NE(text.find(">10 s</text>"), std::string::npos);
}

TEST(Bars, AnIntervalBeyondTheAxisIsCutThereWithoutAnEndMark) {
  const Svg svg = draw_bars({"t", {{"a", 0, 10, 100.0, "10"}}, {}});
  EXPECT_EQ(occurrences(svg.str(), "class=\"error\""), 1U);
}

TEST(Markup, NamesCannotBreakOutOfText) {
  Svg svg(10, 10, "a\"b");
  svg.text({0, 0}, "<script>&", "start");
  EXPECT_NE(svg.str().find("&lt;script&gt;&amp;"), std::string::npos);
  EXPECT_NE(svg.str().find("aria-label=\"a&quot;b\""), std::string::npos);
  HtmlPage page("<t>");
  page.paragraph("<p>");
  EXPECT_NE(page.str().find("<title>&lt;t&gt;</title>"), std::string::npos);
  EXPECT_NE(page.str().find("<p>&lt;p&gt;</p>"), std::string::npos);
}

TEST(Svg, AFileCarriesItsStyleAndAnInlineOneDoesNot) {
  const Svg svg(10, 10, "t");
  EXPECT_EQ(svg.str().find("<style>"), std::string::npos);
  EXPECT_NE(svg.standalone().find("prefers-color-scheme: dark"), std::string::npos);
}

}  // namespace
}  // namespace bandolier::figures_test
