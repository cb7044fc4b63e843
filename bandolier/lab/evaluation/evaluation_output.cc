#include "bandolier/lab/evaluation/evaluation_output.h"

#include <cmath>

#include "bandolier/lab/report/json_row.h"

namespace bandolier {
namespace {

using Json = nlohmann::ordered_json;

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(); }

Json interval(const Figure& figure) {
  Json out;
  out["value"] = number(figure.value);
  out["low"] = number(figure.interval.low);
  out["high"] = number(figure.interval.high);
  return out;
}

}  // namespace

Json evaluation_json(const Evaluation& evaluation) {
  Json out = Json::array();
  for (const EvaluatedPolicy& policy : evaluation.policies) {
    for (const EstimatedValue& value : policy.values) {
      Json row;
      row["policy"] = policy.policy;
      row["estimator"] = value.estimator;
      row.update(interval(value.figure));
      row["level"] = evaluation.level;
      row["n"] = policy.weights.rows();
      row["effective_n"] = number(policy.weights.effective_rows());
      row["mean_weight"] = number(policy.weights.mean());
      row["max_weight"] = number(policy.weights.most());
      row["interval"] = to_word(evaluation.interval);
      row["chosen"] = value.figure.chosen.empty() ? Json() : Json(value.figure.chosen);
      const Figure difference = value.difference.value_or(Figure{});
      row["difference_from"] = value.difference ? Json(evaluation.policies.front().policy) : Json();
      row["difference"] = number(difference.value);
      row["difference_low"] = number(difference.interval.low);
      row["difference_high"] = number(difference.interval.high);
      row["logged_mean"] = number(evaluation.mean_reward);
      row["notes"] = policy.notes;
      for (const auto& note : value.notes) row["notes"].push_back(note);
      for (const auto& note : to_texts(evaluation.notes)) row["notes"].push_back(note);
      row["positions"] = Json::array();
      for (const PositionFigure& position : value.positions) {
        Json one;
        one["position"] = position.position;
        one["n"] = position.rows;
        one.update(interval(position.figure));
        row["positions"].push_back(std::move(one));
      }
      out.push_back(std::move(row));
    }
  }
  return out;
}

std::string evaluation_csv(const Evaluation& evaluation) {
  return csv_of_json(evaluation_json(evaluation));
}

}  // namespace bandolier
