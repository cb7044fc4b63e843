#include "bandolier/lab/evaluation/test_rows.h"

#include "bandolier/core/file.h"
#include "bandolier/lab/log/log_reader.h"

namespace bandolier::testing {

std::filesystem::path ope_file(const std::string& name) {
  return std::filesystem::path(BANDOLIER_SOURCE_DIR) / "testing" / "golden" / "ope" / name;
}

nlohmann::json ope_answers(const std::string& log) {
  return nlohmann::json::parse(read_file(ope_file("answers.json"))).at(log);
}

LoggedRow OwnedRow::view() const {
  LoggedRow out = row;
  out.target = target;
  out.logged = logged;
  out.predictions = predictions;
  return out;
}

std::vector<OwnedRow> ope_rows(const std::string& name) {
  const std::filesystem::path file = ope_file(name);
  LogOptions options;
  options.columns = "pi_+q_";
  const auto reader = open_log({&file, 1}, options);
  std::vector<OwnedRow> rows;
  for (LoggedEvent event; reader->next(event);) {
    OwnedRow& out = rows.emplace_back();
    out.target = event.columns[0];
    out.predictions = event.columns[1];
    const auto taken = static_cast<std::size_t>(event.action);
    out.row.action = event.action;
    out.row.reward = event.reward;
    out.row.weight = out.target[taken] / event.propensity;
    out.row.predicted = out.predictions[taken];
    for (std::size_t a = 0; a < out.target.size(); ++a) {
      out.row.value += out.target[a] * out.predictions[a];
    }
  }
  return rows;
}

TinyProblem tiny_problem() {
  const double context_share[2] = {0.3, 0.7};
  const std::vector<double> logged[2] = {{0.5, 0.3, 0.2}, {0.1, 0.1, 0.8}};
  const std::vector<double> target[2] = {{0, 0.25, 0.75}, {0.6, 0.4, 0}};
  const std::vector<double> mean[2] = {{0.2, 0.9, 0.5}, {0.7, 0.1, 0.4}};
  const std::vector<double> predicted[2] = {{0.3, 0.3, 0.8}, {0.5, 0.2, -0.1}};
  TinyProblem problem;
  for (std::size_t x = 0; x < 2; ++x) {
    for (std::size_t a = 0; a < 3; ++a) {
      problem.truth += context_share[x] * target[x][a] * mean[x][a];
      for (const double reward : {0.0, 1.0}) {
        OwnedRow& out = problem.outcomes.emplace_back();
        out.target = target[x];
        out.logged = logged[x];
        out.predictions = predicted[x];
        out.row.action = static_cast<Index>(a);
        out.row.reward = reward;
        out.row.count =
            context_share[x] * logged[x][a] * (reward == 1 ? mean[x][a] : 1 - mean[x][a]);
        out.row.weight = target[x][a] / logged[x][a];
        out.row.predicted = predicted[x][a];
        for (std::size_t b = 0; b < 3; ++b) out.row.value += target[x][b] * predicted[x][b];
      }
    }
  }
  return problem;
}

TermMoments moments_of(const NamedEstimator& estimator, const std::vector<OwnedRow>& rows) {
  TermMoments moments(estimator.estimator->terms());
  std::vector<double> terms(static_cast<std::size_t>(moments.terms()));
  for (const OwnedRow& row : rows) {
    estimator.estimator->terms_of(row.view(), terms);
    moments.add(terms, row.row.count);
  }
  return moments;
}

double value_of(const std::string& spec, const std::vector<OwnedRow>& rows,
                const WeightBounds& weights) {
  const NamedEstimator estimator = make_estimator(spec);
  const TermMoments moments = moments_of(estimator, rows);
  return estimator.estimator->value({moments.means(), moments.effective_rows(), weights},
                                    estimator.estimator->choose(moments));
}

}  // namespace bandolier::testing
