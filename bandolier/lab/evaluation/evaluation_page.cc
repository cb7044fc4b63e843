// The page: forest plots, histograms, table.
#include <algorithm>
#include <cmath>

#include "bandolier/core/text.h"
#include "bandolier/lab/evaluation/evaluation_output.h"
#include "bandolier/lab/report/axis.h"
#include "bandolier/lab/report/figures.h"
#include "bandolier/lab/report/format.h"
#include "bandolier/lab/report/html_page.h"

namespace bandolier {
namespace {

constexpr double kRow = 26, kTop = 40, kBottom = 26;

// Values with their intervals, a row per policy; the dashed line is what the log earned.
Svg forest_plot(const Evaluation& evaluation, std::size_t estimator) {
  double low = evaluation.mean_reward, high = low, names = 40;
  for (const EvaluatedPolicy& policy : evaluation.policies) {
    const Figure& figure = policy.values[estimator].figure;
    names = std::max(names, std::min(label_width(policy.policy), 190.0));
    for (const double end : {figure.value, figure.interval.low, figure.interval.high}) {
      if (!std::isfinite(end)) continue;
      low = std::min(low, end);
      high = std::max(high, end);
    }
  }
  const std::string title = evaluation.policies.front().values[estimator].estimator;
  const double height = kTop + kRow * static_cast<double>(evaluation.policies.size()) + kBottom;
  Svg svg(kFigureWidth, height, fmt::format("Values and intervals by {}", title));
  const Axis axis = Axis::linear(low, high, names + 16, kFigureWidth - 26);
  const double bottom = height - kBottom;
  svg.text({4, 14}, title, "start");
  for (const Tick& tick : axis.ticks()) {
    const double x = axis.place(tick.value);
    svg.line({x, kTop - 6}, {x, bottom}, "grid");
    svg.text({x, bottom + 15}, tick.label, "middle", "soft small");
  }
  const double logged = axis.place(evaluation.mean_reward);
  svg.line({logged, kTop - 6}, {logged, bottom}, "reference");
  svg.text({logged, kTop - 12}, "logged", "middle", "soft small");
  double y = kTop + kRow / 2;
  std::size_t colour = 0;
  for (const EvaluatedPolicy& policy : evaluation.policies) {
    const Figure& figure = policy.values[estimator].figure;
    svg.text({names + 8, y + 4}, policy.policy, "end");
    if (std::isfinite(figure.interval.low) && std::isfinite(figure.interval.high)) {
      const double from = axis.place(figure.interval.low), to = axis.place(figure.interval.high);
      svg.line({from, y}, {to, y}, "error");
      for (const double x : {from, to}) svg.line({x, y - 4}, {x, y + 4}, "error");
    }
    if (std::isfinite(figure.value)) {
      svg.circle({axis.place(figure.value), y}, 5, series_class("fill", colour),
                 fmt::format("{}: {}", policy.policy, show_reward(figure.value)));
    }
    y += kRow;
    ++colour;
  }
  return svg;
}

// The share of rows by weight, on a logarithmic scale; weights of 0 stand apart on the left.
Svg weight_histogram(const EvaluatedPolicy& policy, std::size_t colour) {
  const auto shares = policy.weights.histogram();
  const double highest = *std::max_element(shares.begin(), shares.end());
  const Axis y_axis = Axis::linear(0, std::max(highest, 1e-3), kPlotBottom, kPlotTop);
  Svg svg(kFigureWidth, kPlotBottom + 42, fmt::format("Weights of {}", policy.policy));
  svg.text({4, 14}, policy.policy, "start");
  draw_grid(svg, y_axis, kPlotLeft, kPlotRight);
  const double width = (kPlotRight - kPlotLeft) / static_cast<double>(shares.size() + 1);
  for (std::size_t bin = 0; bin < shares.size(); ++bin) {
    const double x = kPlotLeft + width * static_cast<double>(bin == 0 ? 0 : bin + 1);
    const double top = y_axis.place(shares[bin]);
    svg.rectangle({x, top}, width * 0.9, kPlotBottom - top, series_class("fill", colour),
                  fmt::format("{} % of the rows", show_share(shares[bin])));
    if (bin == 0) svg.text({x + width / 2, kPlotBottom + 15}, "0", "middle", "soft small");
    // Bins 2, 6, 10, ... begin at powers of ten.
    if (bin >= 2 && bin % 4 == 2) {
      svg.text({x, kPlotBottom + 15}, to_text(Weights::bin_start(bin)), "middle", "soft small");
    }
  }
  svg.text({(kPlotLeft + kPlotRight) / 2, kPlotBottom + 34}, "weight", "middle", "soft");
  return svg;
}

}  // namespace

std::string evaluation_page(const Evaluation& evaluation, const std::string& command,
                            std::vector<NamedFigure>& figures) {
  HtmlPage page("What other policies would have earned");
  page.heading(1, "What other policies would have earned");
  page.add(
      fmt::format("<p class=\"lead\">{} logged decisions that earned {} on average. Intervals: "
                  "{} %, {}.</p>\n",
                  with_commas(evaluation.rows), show_reward(evaluation.mean_reward),
                  100 * evaluation.level, to_word(evaluation.interval)));
  page.code(command);
  page.heading(2, "Values");
  std::vector<std::string> shown;
  const auto show = [&](std::string name, Svg svg) {
    shown.push_back(svg.str());
    figures.push_back({std::move(name), std::move(svg)});
  };
  for (std::size_t e = 0; e < evaluation.policies.front().values.size(); ++e) {
    show(fmt::format("values-{}", e + 1), forest_plot(evaluation, e));
  }
  page.figures(shown);
  page.code(evaluation_table(evaluation));
  page.heading(2, "Weights");
  page.paragraph(
      "How much more often the policy does what was done than the log did. An estimate rests on "
      "the "
      "rows with large weights: where they are few, it means little.");
  shown.clear();
  for (std::size_t i = 0; i < evaluation.policies.size(); ++i) {
    show(fmt::format("weights-{}", i + 1), weight_histogram(evaluation.policies[i], i));
  }
  page.figures(shown);
  return page.str();
}

}  // namespace bandolier
