#include "bandolier/filter/challenger_term.h"

#include <algorithm>

namespace bandolier {
namespace {

constexpr double kMostOfOne = 9;
constexpr double kAllowance = 3;
constexpr double kAlarm = 15;

}  // namespace

void ChallengerTerm::pass(double squared_error) {
  ++age_;
  surprise_ = std::max(0.0, surprise_ + std::min(squared_error, kMostOfOne) - kAllowance);
}

bool ChallengerTerm::over(bool leads) const {
  if (rewards_ == 0) return false;
  return age_ >= rewards_ || (surprise_ > kAlarm && !after_alarm_ && !leads);
}

void ChallengerTerm::begin() {
  after_alarm_ = age_ < rewards_;
  age_ = 0;
  surprise_ = 0;
}

void ChallengerTerm::save(ArchiveWriter& out) const {
  out.write("age", age_);
  out.write("surprise", surprise_);
  out.write("after_alarm", static_cast<std::int64_t>(after_alarm_));
}

void ChallengerTerm::load(const ArchiveReader& in, std::int64_t steps) {
  *this = ChallengerTerm(rewards_);
  if (!in.has("term")) {
    age_ = steps % rewards_;
    return;
  }
  const ArchiveReader term = in.section("term");
  age_ = term.read_integer("age", 0, rewards_ - 1);
  surprise_ = term.read_double("surprise", {0, kMostOfOne * static_cast<double>(rewards_)});
  after_alarm_ = term.read_bool("after_alarm");
}

}  // namespace bandolier
