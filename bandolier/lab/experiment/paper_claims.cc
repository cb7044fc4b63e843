#include "bandolier/lab/experiment/paper_claims.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "bandolier/core/options.h"
#include "bandolier/core/text.h"

namespace bandolier {
namespace {

using Parts = std::map<std::string, Results>;

// The trials of one method on one environment of one part.
struct Cell {
  std::vector<const TrialRecord*> records;
  double reward() const {
    return mean([](const TrialResult& r) { return r.reward; });
  }
  double seconds() const {
    return mean([](const TrialResult& r) { return r.seconds; });
  }

 private:
  template <class Field>
  double mean(Field field) const {
    std::vector<double> values;
    for (const auto* record : records) values.push_back(field(record->result));
    return estimate(values).mean;
  }
};

std::optional<Cell> find_cell(const Parts& parts, const std::string& id, const std::string& env,
                              const std::string& method) {
  const auto part = parts.find(id);
  if (part == parts.end()) return std::nullopt;
  const Results& results = part->second;
  Cell cell;
  for (const auto& record : results.records) {
    const auto& spec = results.settings.environments[static_cast<std::size_t>(record.environment)];
    const auto& agent = results.settings.agents[static_cast<std::size_t>(record.agent)];
    if (record.failed() || parse_spec(spec).name != env || agent.shown() != method) continue;
    cell.records.push_back(&record);
  }
  if (cell.records.empty()) return std::nullopt;
  return cell;
}

// One trial has no interval, and says nothing by an interval's rule.
Verdict above_zero(const Estimate& e) {
  if (!e.ci95) return Verdict::kTooFewTrials;
  return e.mean - *e.ci95 > 0 ? Verdict::kReproduced : Verdict::kNotReproduced;
}

Verdict verdict_of(bool holds) { return holds ? Verdict::kReproduced : Verdict::kNotReproduced; }

std::string show(const Estimate& e) {
  return e.ci95 ? fmt::format("{:+.0f} ± {:.0f}", e.mean, *e.ci95) : fmt::format("{:+.0f}", e.mean);
}

// Collects one sentence and one verdict for every comparison that could be made. One that fails
// decides; else one that had too few trials.
struct Findings {
  std::vector<std::string> sentences;
  std::vector<Verdict> verdicts;
  void add(Verdict verdict, std::string sentence) {
    verdicts.push_back(verdict);
    sentences.push_back(std::move(sentence));
  }
  bool any(Verdict verdict) const {
    return std::find(verdicts.begin(), verdicts.end(), verdict) != verdicts.end();
  }
  void conclude(Claim& claim) const {
    claim.evidence = join(sentences, "; ");
    for (const Verdict verdict :
         {Verdict::kReproduced, Verdict::kTooFewTrials, Verdict::kNotReproduced}) {
      if (any(verdict)) claim.verdict = verdict;
    }
  }
};

Claim beats_linear(const Parts& parts) {
  Claim claim{"EKF in a learned (SVD) subspace with full covariance beats linear on covertype",
              "the paired difference in reward is above 0 by its 95 % interval", "",
              Verdict::kNotRun};
  Findings findings;
  const auto ours = find_cell(parts, "tabular", "covertype", "EKF-Sub-SVD full");
  const auto linear = find_cell(parts, "tabular", "covertype", "Linear");
  if (ours && linear) {
    const Estimate e = reward_difference(ours->records, linear->records);
    findings.add(above_zero(e), fmt::format("{:.0f} against {:.0f}, difference {}", ours->reward(),
                                            linear->reward(), show(e)));
  }
  findings.conclude(claim);
  return claim;
}

Claim deeper_is_better(const Parts& parts) {
  Claim claim{"On MNIST the CNN is above MLP2, and MLP2 above MLP1",
              "mean rewards of EKF-Sub-SVD full are in that order", "", Verdict::kNotRun};
  Findings findings;
  const std::string method = "EKF-Sub-SVD full";
  const auto one = find_cell(parts, "mnist-mlp1", "mnist", method);
  const auto two = find_cell(parts, "mnist-mlp2", "mnist", method);
  const auto cnn = find_cell(parts, "mnist-lenet5", "mnist", method);
  if (one && two && cnn) {
    findings.add(verdict_of(cnn->reward() > two->reward() && two->reward() > one->reward()),
                 fmt::format("LeNet-5 {:.0f}, MLP2 {:.0f}, MLP1 {:.0f}", cnn->reward(),
                             two->reward(), one->reward()));
  }
  findings.conclude(claim);
  return claim;
}

Claim svd_above_random(const Parts& parts) {
  Claim claim{"An SVD subspace is far above a random one at small d",
              "at d = 10 the paired difference in reward is above 0 by its 95 % interval on every "
              "set",
              "", Verdict::kNotRun};
  Findings findings;
  for (const std::string set : {"adult", "covertype", "shuttle"}) {
    const auto svd = find_cell(parts, "subspace-dim-" + set, set, "SVD d=10");
    const auto random = find_cell(parts, "subspace-dim-" + set, set, "RND d=10");
    if (!svd || !random) continue;
    const Estimate e = reward_difference(svd->records, random->records);
    findings.add(above_zero(e), fmt::format("{}: {:.0f} against {:.0f}, difference {}", set,
                                            svd->reward(), random->reward(), show(e)));
  }
  findings.conclude(claim);
  return claim;
}

Claim diagonal_little_worse(const Parts& parts) {
  Claim claim{"In the subspace a diagonal covariance is little worse than a full one",
              "EKF-Sub-SVD diag earns at least 95 % of EKF-Sub-SVD full on every set", "",
              Verdict::kNotRun};
  Findings findings;
  for (const std::string set : {"shuttle", "covertype", "adult"}) {
    const auto full = find_cell(parts, "tabular", set, "EKF-Sub-SVD full");
    const auto diag = find_cell(parts, "tabular", set, "EKF-Sub-SVD diag");
    if (!full || !diag) continue;
    const double share = diag->reward() / full->reward();
    findings.add(verdict_of(share >= 0.95), fmt::format("{}: {:.1f} %", set, 100 * share));
  }
  findings.conclude(claim);
  return claim;
}

Claim faster_than_neural_linear(const Parts& parts) {
  Claim claim{
      "EKF in a subspace is faster than neural-linear with unlimited memory",
      "a trial of EKF-Sub-SVD full takes fewer seconds than one of NL unlimited wherever both ran",
      "", Verdict::kNotRun};
  Findings findings;
  for (const auto& [id, results] : parts) {
    for (const auto& spec : results.settings.environments) {
      const std::string env = parse_spec(spec).name;
      const auto ours = find_cell(parts, id, env, "EKF-Sub-SVD full");
      const auto theirs = find_cell(parts, id, env, "NL unlimited");
      if (!ours || !theirs) continue;
      findings.add(verdict_of(ours->seconds() < theirs->seconds()),
                   fmt::format("{} {}: {:.2f} s against {:.2f} s", id, env, ours->seconds(),
                               theirs->seconds()));
    }
  }
  findings.conclude(claim);
  return claim;
}

}  // namespace

std::vector<Claim> judge_claims(const Parts& parts) {
  return {beats_linear(parts), deeper_is_better(parts), svd_above_random(parts),
          diagonal_little_worse(parts), faster_than_neural_linear(parts)};
}

}  // namespace bandolier
