#include "bandolier/lab/report/experiment_figures.h"

#include <algorithm>
#include <cctype>

#include "bandolier/lab/report/format.h"
#include "bandolier/lab/report/text_table.h"

namespace bandolier {
namespace {

struct View {
  const Results& results;
  std::vector<const Summary*> done;  // of the environment, with at least one trial
  std::string environment;           // as figures name it
  std::string name(const Summary& s) const {
    return figure_name(results.settings.agents[static_cast<std::size_t>(s.agent)]);
  }
};

Svg reward_bars(const View& view) {
  BarChart chart;
  chart.title = "Total reward, 95 % interval: " + view.environment;
  for (const auto* s : view.done) {
    chart.bars.push_back({view.name(*s),
                          static_cast<std::size_t>(s->agent),
                          s->reward.mean,
                          s->reward.ci95,
                          show_reward(s->reward.mean),
                          {}});
  }
  std::stable_sort(chart.bars.begin(), chart.bars.end(),
                   [](const Bar& a, const Bar& b) { return a.value > b.value; });
  const Summary& any = *view.done.front();
  chart.references.push_back({"uniform", any.uniform.mean});
  if (any.best_fixed) chart.references.push_back({"best fixed", any.best_fixed->mean});
  chart.references.push_back({"oracle", any.oracle.mean});
  return draw_bars(chart);
}

// Mean cumulative regret with its 95 % band, at the steps of the curves.
Line regret_line(const View& view, const Summary& s) {
  Line line;
  line.name = view.name(s);
  line.colour = static_cast<std::size_t>(s.agent);
  std::vector<std::vector<double>> at;  // by point, one value per trial
  for (const auto& record : view.results.records) {
    if (record.environment != s.environment || record.agent != s.agent || record.failed()) continue;
    const TrialResult& r = record.result;
    if (at.empty()) {
      at.resize(r.curve_steps.size());
      for (const Index step : r.curve_steps) line.x.push_back(static_cast<double>(step));
    }
    for (std::size_t i = 0; i < at.size(); ++i) at[i].push_back(r.curve_regret[i]);
  }
  for (const auto& values : at) {
    const Estimate e = estimate(values);
    line.y.push_back(e.mean);
    if (e.ci95) {
      line.low.push_back(e.mean - *e.ci95);
      line.high.push_back(e.mean + *e.ci95);
    }
  }
  return line;
}

// Results may be kept without their curves (results_store.h).
bool has_curves(const View& view) {
  return std::all_of(view.results.records.begin(), view.results.records.end(),
                     [](const auto& r) { return r.failed() || !r.result.curve_steps.empty(); });
}

Svg learning_curves(const View& view) {
  LineChart chart;
  chart.title = "Learning curves (lower is better): " + view.environment;
  chart.x_title = "steps";
  chart.y_title = "cumulative regret";
  std::vector<double> ends;
  for (const auto* s : view.done) {
    chart.lines.push_back(regret_line(view, *s));
    ends.push_back(chart.lines.back().y.back());
  }
  // One line far above the rest (uniform, mostly) would flatten them all: let it leave the figure.
  std::sort(ends.begin(), ends.end());
  if (ends.size() > 1) {
    const double others = ends[ends.size() - 2];
    if (others > 0 && ends.back() > 2 * others) chart.y_limit = 1.3 * others;
  }
  return draw_lines(chart);
}

template <class Cost>
Svg cost_against_reward(const View& view, const std::string& title, const std::string& x_title,
                        const std::function<std::string(double)>& show, Cost cost) {
  SpotChart chart{title + ": " + view.environment, x_title, "total reward", show, {}};
  for (const auto* s : view.done) {
    if (cost(*s) <= 0) continue;
    chart.spots.push_back({view.name(*s), static_cast<std::size_t>(s->agent), cost(*s),
                           s->reward.mean, s->reward.ci95});
  }
  return draw_spots(chart);
}

}  // namespace

std::string figure_name(const LabelledSpec& one) {
  constexpr std::size_t kLongest = 28;
  return shortened(one.shown(), kLongest);
}

std::string file_stem(const std::string& text) {
  std::string stem;
  for (const char c : text) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-';
    if (plain) {
      stem += c;
    } else if (!stem.empty() && stem.back() != '_') {
      stem += '_';
    }
  }
  constexpr std::size_t kLongest = 60;
  return stem.substr(0, kLongest);
}

std::vector<NamedFigure> environment_figures(const Results& results,
                                             const std::vector<Summary>& summaries,
                                             Index environment) {
  const LabelledSpec& setting =
      results.settings.environments[static_cast<std::size_t>(environment)];
  View view{results, {}, figure_name(setting)};
  for (const Summary& s : summaries) {
    if (s.environment == environment && s.reward.count > 0) view.done.push_back(&s);
  }
  if (view.done.empty()) return {};
  const std::string stem = file_stem(setting.spec);
  std::vector<NamedFigure> figures;
  figures.push_back({stem + "-reward", reward_bars(view)});
  if (has_curves(view)) figures.push_back({stem + "-curves", learning_curves(view)});
  const auto positive = [&](auto cost) {
    return std::any_of(view.done.begin(), view.done.end(), [&](auto* s) { return cost(*s) > 0; });
  };
  const auto seconds = [](const Summary& s) { return s.seconds.mean; };
  const auto bytes = [](const Summary& s) { return static_cast<double>(s.belief_bytes); };
  if (positive(seconds)) {
    figures.push_back(
        {stem + "-time", cost_against_reward(view, "Time against reward", "time of a trial (log)",
                                             show_seconds, seconds)});
  }
  if (positive(bytes)) {
    figures.push_back({stem + "-memory",
                       cost_against_reward(view, "Memory against reward",
                                           "all that learning writes (log)", show_bytes, bytes)});
  }
  return figures;
}

}  // namespace bandolier
