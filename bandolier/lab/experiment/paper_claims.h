// What the paper claims, and whether results bear it out.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "bandolier/lab/experiment/results.h"

namespace bandolier {

// kTooFewTrials: the rule asks for an interval, and there is none over one trial.
enum class Verdict { kReproduced, kNotReproduced, kTooFewTrials, kNotRun };

struct Claim {
  std::string text;      // the claim
  std::string rule;      // when it counts as reproduced
  std::string evidence;  // our figures
  Verdict verdict = Verdict::kNotRun;
};

// Results by part id (paper.h), as many as there are.
std::vector<Claim> judge_claims(const std::map<std::string, Results>& parts);

}  // namespace bandolier
