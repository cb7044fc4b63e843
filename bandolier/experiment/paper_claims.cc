#include "bandolier/experiment/paper_claims.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "bandolier/core/options.h"
#include "bandolier/core/text.h"

namespace bandolier {
namespace {

using Parts = std::map<std::string, Results>;

// Rewards or seconds by trial of one method on one environment of one part.
struct Cell {
  std::vector<std::uint32_t> trials;
  std::vector<double> rewards, seconds;
  double reward() const { return estimate(rewards).mean; }
  double second() const { return estimate(seconds).mean; }
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
    cell.trials.push_back(record.trial);
    cell.rewards.push_back(record.result.reward);
    cell.seconds.push_back(record.result.seconds);
  }
  if (cell.trials.empty()) return std::nullopt;
  return cell;
}

// a − b over the trials that both have.
Estimate difference(const Cell& a, const Cell& b) {
  std::vector<double> ours, theirs;
  for (std::size_t i = 0; i < a.trials.size(); ++i) {
    const auto same = std::find(b.trials.begin(), b.trials.end(), a.trials[i]);
    if (same == b.trials.end()) continue;
    ours.push_back(a.rewards[i]);
    theirs.push_back(b.rewards[static_cast<std::size_t>(same - b.trials.begin())]);
  }
  return paired_difference(ours, theirs);
}

bool above_zero(const Estimate& e) { return e.count > 0 && e.mean - e.ci95.value_or(0) > 0; }

std::string show(const Estimate& e) {
  return e.ci95 ? fmt::format("{:+.0f} ± {:.0f}", e.mean, *e.ci95) : fmt::format("{:+.0f}", e.mean);
}

// Collects one sentence and one verdict for every comparison that could be made.
struct Findings {
  std::vector<std::string> sentences;
  bool all = true;
  void add(bool holds, std::string sentence) {
    all &= holds;
    sentences.push_back(std::move(sentence));
  }
  void conclude(Claim& claim) const {
    if (sentences.empty()) return;
    claim.evidence = join(sentences, "; ");
    claim.verdict = all ? Verdict::kReproduced : Verdict::kNotReproduced;
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
    const Estimate e = difference(*ours, *linear);
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
    findings.add(cnn->reward() > two->reward() && two->reward() > one->reward(),
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
    const Estimate e = difference(*svd, *random);
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
    findings.add(share >= 0.95, fmt::format("{}: {:.1f} %", set, 100 * share));
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
      findings.add(ours->second() < theirs->second(),
                   fmt::format("{} {}: {:.2g} s against {:.2g} s", id, env, ours->second(),
                               theirs->second()));
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
