#include "bandolier/lab/experiment/paper_judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bandolier/core/options.h"
#include "bandolier/core/text.h"

namespace bandolier {
namespace {

// "mnist-mlp1: EKF-Orig diag"; the environment where the problem has several.
std::string name_of(const Who& who) {
  const bool several = who.problem == "tabular" || who.problem == "tabular-two-pulls";
  return fmt::format("{} {}", several ? who.environment : who.problem, who.method);
}

std::string show(const Estimate& e) {
  return e.ci95 ? fmt::format("{:+.0f} ± {:.0f}", e.mean, *e.ci95) : fmt::format("{:+.0f}", e.mean);
}

}  // namespace

std::string_view verdict_word(Verdict verdict) {
  switch (verdict) {
    case Verdict::kReproduced:
      return "reproduced";
    case Verdict::kNotReproduced:
      return "not reproduced";
    case Verdict::kUndecided:
      return "undecided";
    case Verdict::kNotRun:
      return "not run";
  }
  return "";
}

// The trials of one method that did not fail.
struct Judge::Trials {
  std::vector<const TrialRecord*> records;
  std::optional<double> published;

  template <class Field>
  Estimate of(Field field) const {
    std::vector<double> values;
    for (const auto* record : records) values.push_back(field(record->result));
    return estimate(values);
  }
  double reward() const {
    return of([](const TrialResult& r) { return r.reward; }).mean;
  }
  double oracle() const {
    return of([](const TrialResult& r) { return r.oracle; }).mean;
  }
  double cpu() const {
    return of([](const TrialResult& r) { return r.cpu_seconds; }).mean;
  }
  // combine(own, theirs) over the trials that both have.
  template <class Combine>
  Estimate paired(const Trials& other, Combine combine) const {
    std::vector<double> values;
    for (const auto* one : records) {
      for (const auto* two : other.records) {
        if (one->trial == two->trial) values.push_back(combine(one->result, two->result));
      }
    }
    return estimate(values);
  }
};

std::optional<Judge::Trials> Judge::find(const Who& who) {
  Trials trials;
  if (const auto table = tables_.find(who.problem); table != tables_.end()) {
    const Results& results = table->second;
    for (const auto& record : results.records) {
      const auto& facts = results.environments[static_cast<std::size_t>(record.environment)];
      const auto& agent = results.settings.agents[static_cast<std::size_t>(record.agent)];
      if (record.failed() || agent.shown() != who.method) continue;
      if (parse_spec(facts.spec).name != who.environment) continue;
      trials.records.push_back(&record);
      trials.published = published_reward(who.problem, facts, who.method);
    }
  }
  if (trials.records.empty()) {
    missing_ = true;
    return std::nullopt;
  }
  return trials;
}

void Judge::add(Outcome outcome, std::string numbers) {
  const char* word = outcome == Outcome::kHolds   ? "yes"
                     : outcome == Outcome::kFails ? "no"
                                                  : "open";
  outcomes_.push_back(outcome);
  sentences_.push_back(fmt::format("{}: {}", numbers, word));
}

void Judge::holds(bool holds, std::string numbers) {
  add(holds ? Outcome::kHolds : Outcome::kFails, std::move(numbers));
}

// One trial has no interval, and says nothing.
Judge::Outcome Judge::side(const Estimate& e, double border) {
  if (!e.ci95) return Outcome::kOpen;
  if (e.mean - *e.ci95 > border) return Outcome::kHolds;
  return e.mean + *e.ci95 < border ? Outcome::kFails : Outcome::kOpen;
}

namespace {

template <class Trials>
std::string published_pair(const Trials& a, const Trials& b) {
  if (!a.published || !b.published) return "";
  return fmt::format(", paper {:.0f} and {:.0f}", *a.published, *b.published);
}

Estimate reward_gap(const auto& a, const auto& b) {
  return a.paired(b,
                  [](const TrialResult& x, const TrialResult& y) { return x.reward - y.reward; });
}

// Both rewards over the trials that both have, their difference, and the paper's.
std::string compared(const Who& a, const Who& b, const auto& one, const auto& two,
                     const Estimate& difference) {
  const Estimate own =
      one.paired(two, [](const TrialResult& x, const TrialResult&) { return x.reward; });
  return fmt::format("{} {:.0f}, {} {:.0f}, difference {} (n = {}){}", name_of(a), own.mean,
                     name_of(b), own.mean - difference.mean, show(difference), difference.count,
                     published_pair(one, two));
}

}  // namespace

void Judge::above(const Who& a, const Who& b, double share) {
  const auto one = find(a), two = find(b);
  if (!one || !two) return;
  const Estimate e = reward_gap(*one, *two);
  add(side(e, share * one->oracle()), compared(a, b, *one, *two, e));
}

void Judge::not_above(const Who& a, const Who& b) {
  const auto one = find(a), two = find(b);
  if (!one || !two) return;
  const Estimate e = reward_gap(*one, *two);
  const Outcome above = side(e, 0);
  const Outcome outcome = above == Outcome::kHolds ? Outcome::kFails
                          : e.ci95                 ? Outcome::kHolds
                                                   : Outcome::kOpen;
  add(outcome, compared(a, b, *one, *two, e));
}

void Judge::equivalent(const Who& a, const Who& b) {
  const auto one = find(a), two = find(b);
  if (!one || !two) return;
  const Estimate e = reward_gap(*one, *two);
  const double margin = kMargin * one->oracle();
  Outcome outcome = Outcome::kOpen;
  if (e.deviation) {
    const double half = student_t_quantile(0.95, e.count - 1) * *e.deviation / std::sqrt(e.count);
    if (std::abs(e.mean) + half < margin) outcome = Outcome::kHolds;
    if (std::abs(e.mean) - half > margin) outcome = Outcome::kFails;
  }
  add(outcome, fmt::format("{}, margin {:.0f}", compared(a, b, *one, *two, e), margin));
}

void Judge::at_most_share(const Who& a, const Who& b, double share) {
  const auto one = find(a), two = find(b);
  if (!one || !two) return;
  const Estimate e = one->paired(*two, [share](const TrialResult& x, const TrialResult& y) {
    return share * y.reward - x.reward;
  });
  add(side(e, 0),
      fmt::format("{} {:.0f}, {} {:.0f}, ratio {:.2f}{}", name_of(a), one->reward(), name_of(b),
                  two->reward(), one->reward() / two->reward(), published_pair(*one, *two)));
}

void Judge::gap_above(const std::vector<std::pair<Who, Who>>& wide,
                      const std::vector<std::pair<Who, Who>>& narrow) {
  // The mean gap of some pairs, trial by trial.
  std::map<std::uint32_t, double> gaps[2];
  double means[2] = {0, 0};
  for (int side = 0; side < 2; ++side) {
    const auto& pairs = side == 0 ? wide : narrow;
    const double share = 1 / static_cast<double>(pairs.size());
    std::map<std::uint32_t, std::size_t> counts;
    for (const auto& [a, b] : pairs) {
      const auto one = find(a), two = find(b);
      if (!one || !two) return;
      means[side] += share * reward_gap(*one, *two).mean;
      for (const auto* x : one->records) {
        for (const auto* y : two->records) {
          if (x->trial != y->trial) continue;
          gaps[side][x->trial] += share * (x->result.reward - y->result.reward);
          ++counts[x->trial];
        }
      }
    }
    std::erase_if(gaps[side], [&](const auto& one) { return counts[one.first] < pairs.size(); });
  }
  std::vector<double> differences;
  for (const auto& [trial, gap] : gaps[0]) {
    const auto other = gaps[1].find(trial);
    if (other != gaps[1].end()) differences.push_back(gap - other->second);
  }
  const Estimate e = estimate(differences);
  add(side(e, 0), fmt::format("{}: mean gap {:+.0f} against {:+.0f}, difference {}",
                              wide.front().first.problem, means[0], means[1], show(e)));
}

void Judge::slower(const Who& a, const Who& b, double factor) {
  const auto one = find(a), two = find(b);
  if (!one || !two) return;
  const Estimate e = one->paired(*two, [](const TrialResult& x, const TrialResult& y) {
    return std::log(x.cpu_seconds / y.cpu_seconds);
  });
  add(side(e, std::log(factor)),
      fmt::format("{} {:.3g} s, {} {:.3g} s", name_of(a), one->cpu(), name_of(b), two->cpu()));
}

void Judge::mostly_above(const std::vector<std::pair<Who, Who>>& pairs, double share) {
  std::size_t above = 0, open = 0;
  std::vector<std::string> gaps;
  for (const auto& [a, b] : pairs) {
    const auto one = find(a), two = find(b);
    if (!one || !two) return;
    const Estimate e = reward_gap(*one, *two);
    const Outcome outcome = side(e, share * one->oracle());
    if (outcome == Outcome::kHolds) ++above;
    if (outcome == Outcome::kOpen) ++open;
    gaps.push_back(fmt::format("{} - {} {}", name_of(a), b.method, show(e)));
  }
  const Outcome outcome = 2 * above > pairs.size()             ? Outcome::kHolds
                          : 2 * (above + open) <= pairs.size() ? Outcome::kFails
                                                               : Outcome::kOpen;
  add(outcome,
      fmt::format("in {} of {}, {} open ({})", above, pairs.size(), open, join(gaps, ", ")));
}

std::optional<double> Judge::overlapping(const std::vector<Who>& methods) {
  std::vector<Estimate> rewards;
  for (const auto& who : methods) {
    const auto trials = find(who);
    if (!trials) return std::nullopt;
    rewards.push_back(trials->of([](const TrialResult& r) { return r.reward; }));
    if (!rewards.back().deviation) {
      missing_ = true;
      return std::nullopt;
    }
  }
  double pairs = 0, overlap = 0;
  for (std::size_t i = 0; i < rewards.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j, ++pairs) {
      const double reach = *rewards[i].deviation + *rewards[j].deviation;
      if (std::abs(rewards[i].mean - rewards[j].mean) <= reach) ++overlap;
    }
  }
  return overlap / pairs;
}

namespace {

// Of `wall` seconds of a trial, those on a processor: the trial's share.
double on_processor(const TrialResult& r, double wall) {
  return r.seconds > 0 ? wall * r.cpu_seconds / r.seconds : 0;
}

}  // namespace

template <class Field>
std::optional<double> Judge::mean(const Who& who, Field field) {
  const auto trials = find(who);
  if (!trials) return std::nullopt;
  return trials->of(field).mean;
}

std::optional<double> Judge::seconds(const Who& who) {
  return mean(who, [](const TrialResult& r) { return r.cpu_seconds; });
}
std::optional<double> Judge::online_seconds(const Who& who) {
  return mean(who, [](const TrialResult& r) {
    return on_processor(r, r.choose_seconds + r.observe_seconds);
  });
}
std::optional<double> Judge::step_us(const Who& who) {
  return mean(who, [](const TrialResult& r) { return r.step_us_p50; });
}
std::optional<double> Judge::warmup_seconds(const Who& who) {
  return mean(who, [](const TrialResult& r) { return on_processor(r, r.warmup_seconds); });
}
std::optional<double> Judge::bytes(const Who& who) {
  return mean(who, [](const TrialResult& r) { return static_cast<double>(r.report.belief_bytes); });
}
std::optional<double> Judge::parameters(const Who& who) {
  return mean(who, [](const TrialResult& r) {
    return static_cast<double>(r.report.parameters.value_or(0));
  });
}
std::optional<double> Judge::subspace_dim(const Who& who) {
  return mean(who, [](const TrialResult& r) {
    return static_cast<double>(r.report.subspace_dim.value_or(0));
  });
}
std::optional<double> Judge::uniform(const Who& who) {
  return mean(who, [](const TrialResult& r) { return r.uniform; });
}
std::optional<double> Judge::steps(const Who& who) {
  return mean(who, [](const TrialResult& r) { return static_cast<double>(r.steps); });
}
std::optional<double> Judge::reward(const Who& who) {
  return mean(who, [](const TrialResult& r) { return r.reward; });
}

Verdict Judge::verdict() const {
  if (missing_ || outcomes_.empty()) return Verdict::kNotRun;
  const auto any = [this](Outcome outcome) {
    return std::find(outcomes_.begin(), outcomes_.end(), outcome) != outcomes_.end();
  };
  if (any(Outcome::kFails)) return Verdict::kNotReproduced;
  return any(Outcome::kOpen) ? Verdict::kUndecided : Verdict::kReproduced;
}

std::string Judge::numbers() const {
  return verdict() == Verdict::kNotRun ? "" : join(sentences_, "; ");
}

}  // namespace bandolier
