#include "bandolier/lab/experiment/paper_claims.h"

#include <algorithm>

#include "bandolier/lab/env/csv.h"

namespace bandolier {

std::vector<Claim> judge_claims(const std::vector<Results>& parts, WarmupFeedback feedback) {
  const PaperTables tables = paper_tables(parts, feedback);
  std::vector<Claim> claims;
  for (const auto* rules : {&reward_claims(), &cost_claims()}) {
    for (const auto& rule : *rules) {
      Judge judge(tables);
      rule.judge(judge);
      claims.push_back(
          {rule.text, rule.section, rule.rule, feedback, judge.numbers(), judge.verdict()});
    }
  }
  return claims;
}

std::vector<Claim> judge_all_claims(const std::vector<Results>& parts) {
  const auto has = [&](WarmupFeedback feedback) {
    return std::any_of(parts.begin(), parts.end(), [&](const Results& part) {
      return is_paper_part(part.settings) && part.settings.warmup_feedback == feedback;
    });
  };
  std::vector<Claim> claims;
  if (has(WarmupFeedback::kBandit) || !has(WarmupFeedback::kFull)) {
    claims = judge_claims(parts, WarmupFeedback::kBandit);
  }
  if (has(WarmupFeedback::kFull)) {
    const auto more = judge_claims(parts, WarmupFeedback::kFull);
    claims.insert(claims.end(), more.begin(), more.end());
  }
  return claims;
}

std::string verdicts_csv(const std::vector<Claim>& claims) {
  std::string out = csv_line({"claim", "section", "feedback", "rule", "numbers", "verdict"});
  for (const Claim& claim : claims) {
    out += csv_line({claim.text, claim.section, std::string(to_word(claim.feedback)), claim.rule,
                     claim.numbers, std::string(verdict_word(claim.verdict))});
  }
  return out;
}

}  // namespace bandolier
