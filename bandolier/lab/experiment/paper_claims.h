// What the paper claims in sections 3.4 and 4.1 to 4.5 and in Table 1, sentence by sentence, and
// whether results bear it out. The rules are fixed before the runs that they judge.
#pragma once

#include <string>
#include <vector>

#include "bandolier/lab/experiment/paper_judge.h"

namespace bandolier {

struct Claim {
  std::string text;
  std::string section;  // of the paper
  std::string rule;     // counts as reproduced if this holds
  WarmupFeedback feedback = WarmupFeedback::kBandit;
  std::string numbers;  // our figures, and the paper's where they are known
  Verdict verdict = Verdict::kNotRun;
};

// All claims, judged on the results of one feedback (`parts`: any of paper_parts').
std::vector<Claim> judge_claims(const std::vector<Results>& parts, WarmupFeedback feedback);

// verdicts.csv: claim, section, feedback, rule, numbers, verdict. Claims of all feedbacks there are
// results of; `bandit` where there are none.
std::vector<Claim> judge_all_claims(const std::vector<Results>& parts);
std::string verdicts_csv(const std::vector<Claim>& claims);

// One sentence of the paper and its rule.
struct ClaimRule {
  const char* text;
  const char* section;
  const char* rule;
  void (*judge)(Judge& judge);
};
// By what they are about: rewards (sections 3.4 and 4.1 to 4.4), time and memory (4.5, Table 1).
const std::vector<ClaimRule>& reward_claims();
const std::vector<ClaimRule>& cost_claims();

}  // namespace bandolier
