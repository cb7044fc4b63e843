#include "bandolier/lab/report/paper_figures.h"

#include <fmt/format.h>

#include <algorithm>

#include "bandolier/core/options.h"
#include "bandolier/core/text.h"
#include "bandolier/lab/report/format.h"

namespace bandolier {
namespace {

constexpr std::string_view kDimension = "subspace-dim-", kTime = "time-";

const std::string& method_of(const Results& results, const Summary& s) {
  return results.settings.agents[static_cast<std::size_t>(s.agent)].shown();
}

// The methods of the paper, and others, in this order in every figure.
std::size_t place_of(const std::string& method) {
  using namespace paper_method;
  static const std::vector<std::string> order = {
      kSvdFull,         kRndFull,         kSvdDiag,     kRndDiag,  kOrigFull, kOrigDiag,
      kNlLimited,       kNlWindow,        kNlUnlimited, kLinear,   kLim2,     kNeuralTs,
      kSvdRandomOffset, kRndRandomOffset, kSmallSub,    kLargeSub, kLargeDiag};
  return static_cast<std::size_t>(std::find(order.begin(), order.end(), method) - order.begin());
}

std::string figure_stem(const std::string& problem, const Results& results, Index environment) {
  const auto& spec = results.environments[static_cast<std::size_t>(environment)].spec;
  const bool several = results.environments.size() > 1;
  return "paper-" + (several ? fmt::format("{}-{}", problem, parse_spec(spec).name) : problem);
}

struct Found {
  const Summary* summary;
  std::string method;
};

std::vector<Found> in_order(const Results& results, const std::vector<Summary>& summaries,
                            Index environment) {
  std::vector<Found> found;
  for (const Summary& s : summaries) {
    if (s.environment == environment && s.reward.count > 0) {
      found.push_back({&s, method_of(results, s)});
    }
  }
  std::stable_sort(found.begin(), found.end(), [](const Found& a, const Found& b) {
    return place_of(a.method) < place_of(b.method);
  });
  return found;
}

// The same method under the leak; nothing where it did not run, or the leak does not concern it.
std::optional<Estimate> leaked(const PaperTables& leak, const std::string& problem,
                               Index environment, const std::string& method) {
  const auto table = leak.find(problem);
  if (table == leak.end()) return std::nullopt;
  for (const Summary& s : summarise(table->second, 0)) {
    if (s.environment == environment && method_of(table->second, s) == method &&
        s.reward.count > 0) {
      return s.reward;
    }
  }
  return std::nullopt;
}

}  // namespace

std::vector<NamedFigure> paper_reward_figures(const PaperTables& bandit, const PaperTables& leak) {
  std::vector<NamedFigure> figures;
  for (const auto& [problem, results] : bandit) {
    if (problem.starts_with(kDimension) || problem.starts_with(kTime)) continue;
    const auto summaries = summarise(results, 0);
    for (std::size_t e = 0; e < results.environments.size(); ++e) {
      const auto environment = static_cast<Index>(e);
      const auto found = in_order(results, summaries, environment);
      if (found.empty()) continue;
      const std::string stem = figure_stem(problem, results, environment);
      BarChart chart;
      chart.title = fmt::format("Total reward, 95 % interval: {}", stem.substr(6));
      bool marked = false, faint = false;
      for (const auto& [s, method] : found) {
        const auto published = published_reward(problem, results.environments[e], method);
        const auto place = place_of(method);
        marked |= published.has_value();
        chart.bars.push_back({method, place, s->reward.mean, s->reward.ci95,
                              show_reward(s->reward.mean), published});
        const auto other = leaked(leak, problem, environment, method);
        if (!other || other->mean == s->reward.mean) continue;
        faint = true;
        chart.bars.push_back(
            {"with the leak", place, other->mean, other->ci95, show_reward(other->mean), {}, true});
      }
      if (marked) chart.title += "; tick: published";
      if (faint) chart.title += "; faint: with the leak";
      const Summary& any = *found.front().summary;
      chart.references = {{"uniform", any.uniform.mean}, {"oracle", any.oracle.mean}};
      figures.push_back({stem + "-reward", draw_bars(chart)});
    }
  }
  return figures;
}

std::vector<NamedFigure> paper_dimension_figures(const PaperTables& tables) {
  std::vector<NamedFigure> figures;
  for (const auto& [problem, results] : tables) {
    if (!problem.starts_with(kDimension)) continue;
    LineChart chart;
    chart.title = "Reward against subspace dimension: " + problem.substr(kDimension.size());
    chart.x_title = "d (log)";
    chart.y_title = "total reward";
    chart.log_x = true;
    chart.lines = {{"SVD", 0, {}, {}, {}, {}}, {"random", 1, {}, {}, {}, {}}};
    for (const Summary& s : summarise(results, 0)) {
      const std::string& label = method_of(results, s);
      const auto dim = parse_double(label.substr(label.find('=') + 1));
      if (s.reward.count == 0 || !dim) continue;
      Line& line = chart.lines[label.starts_with("SVD") ? 0 : 1];
      const double margin = s.reward.ci95.value_or(0);
      line.x.push_back(*dim);
      line.y.push_back(s.reward.mean);
      line.low.push_back(s.reward.mean - margin);
      line.high.push_back(s.reward.mean + margin);
    }
    std::erase_if(chart.lines, [](const Line& line) { return line.x.empty(); });
    if (!chart.lines.empty()) figures.push_back({"paper-" + problem, draw_lines(chart)});
  }
  return figures;
}

std::vector<NamedFigure> paper_time_figures(const PaperTables& tables) {
  std::vector<NamedFigure> figures;
  for (const auto& [problem, results] : tables) {
    const bool timed = problem.starts_with(kTime) || problem.starts_with("mnist-");
    if (!timed) continue;
    const auto summaries = summarise(results, 0);
    const std::string name(problem.starts_with(kTime) ? problem.substr(kTime.size()) : problem);
    BarChart chart;
    chart.title = "CPU seconds of a trial (log): " + name;
    chart.log = true;
    chart.show_tick = show_seconds;
    for (const auto& [s, method] : in_order(results, summaries, 0)) {
      if (s->cpu_seconds.mean <= 0) continue;
      chart.bars.push_back({method,
                            place_of(method),
                            s->cpu_seconds.mean,
                            {},
                            show_seconds(s->cpu_seconds.mean),
                            {}});
    }
    if (!chart.bars.empty()) figures.push_back({"paper-time-" + name, draw_bars(chart)});
  }
  return figures;
}

}  // namespace bandolier
