// Many rewards at once: blocks of them, each weighed and believed in its turn, in order and by all
// members, while the roots of the covariances stay as they are; at the end of a block every head
// that learnt is written once (belief/batch_update.h).
#include <algorithm>

#include "bandolier/filter/mixture.h"

namespace bandolier {
namespace {

// Fewer rewards, of several heads, gain nothing together.
constexpr std::size_t kFewest = 16;

}  // namespace

bool Mixture::learns_batches() const {
  return std::all_of(members_.begin(), members_.end(),
                     [](const MixtureMember& member) { return member.filter.learns_batches(); });
}

void Mixture::learn_batch(std::span<const Experience> rewards, MixtureScratch& scratch,
                          std::span<bool> accepted) {
  while (!rewards.empty()) {
    std::size_t learnt = rewards.size() < kFewest ? 0 : learn_block(rewards, scratch, accepted);
    if (learnt == 0) {  // so few, or another unit: beliefs are put into it
      accepted[0] = learn(rewards.front(), scratch);
      learnt = 1;
    }
    rewards = rewards.subspan(learnt);
    accepted = accepted.subspan(learnt);
  }
}

std::size_t Mixture::learn_block(std::span<const Experience> rewards, MixtureScratch& scratch,
                                 std::span<bool> accepted) {
  rewards = begin_block(rewards, scratch);
  std::size_t learnt = 0;
  for (; learnt < rewards.size(); ++learnt) {
    const auto& [context, action, reward, weight] = rewards[learnt];
    const auto y = static_cast<double>(reward);
    const bool plausible = unit_.plausible(y);
    RewardUnit unit = unit_;
    if (plausible && unit.add(y) != 1) break;
    const Observed observed{context, action, reward, weight, learnt};
    accepted[learnt] = plausible && weigh(observed, scratch);
    if (!accepted[learnt]) continue;
    unit_ = unit;
    believe(observed, scratch);
    if (renewal_is_due()) {
      ++learnt;
      break;
    }
  }
  end_block(scratch);
  if (learnt > 0 && accepted[learnt - 1] && renewal_is_due()) renew_challenger();
  return learnt;
}

std::span<const Experience> Mixture::begin_block(std::span<const Experience> rewards,
                                                 MixtureScratch& scratch) const {
  std::size_t count = std::min(rewards.size(), kMostBatch);
  if (options_.challenger > 0) {
    count = std::min(count, static_cast<std::size_t>(term_.left()));
  }
  for (std::size_t p = 0; p < predictors_.size(); ++p) {
    auto& of = scratch.batch.predictors[p];
    of.heads.clear();
    for (std::size_t i = 0; i < count; ++i) {
      of.heads.push_back(predictors_[p]->head_of(rewards[i].action));
    }
    count = of.groups.fit(of.heads, predictors_[p]->layout().heads);
  }
  rewards = rewards.first(count);
  for (std::size_t p = 0; p < predictors_.size(); ++p) {
    auto& of = scratch.batch.predictors[p];
    of.heads.resize(count);
    of.groups.group(of.heads, predictors_[p]->layout().heads);
    of.phi.resize(static_cast<Index>(kMostBatch), predictors_[p]->layout().features);
  }
  for (std::size_t i = 0; i < count; ++i) {
    release(scratch);
    for (std::size_t p = 0; p < predictors_.size(); ++p) {
      auto& of = scratch.batch.predictors[p];
      PredictorScratch& features = bound(p, rewards[i].context, scratch);
      predictors_[p]->evaluate(Vector<float>(), features);
      of.phi.row(of.groups.row(i)) = features.phi.row(predictors_[p]->input_of(rewards[i].action));
    }
  }
  release(scratch);
  for (std::size_t m = 0; m < members_.size(); ++m) begin_member(m, count, scratch);
  return rewards;
}

// Projects what it is expected to be awake for.
void Mixture::begin_member(std::size_t member, std::size_t rewards, MixtureScratch& scratch) const {
  const auto& of = scratch.batch.predictors[members_[member].predictor];
  BatchUpdate<float>& batch = scratch.batch.members[member];
  batch.start(of.phi.data(), static_cast<Index>(rewards), of.phi.cols());
  for (std::size_t i = 0; i < rewards; ++i) {
    if (weights_.awake(member, steps_ + static_cast<std::int64_t>(i))) batch.want(of.groups.row(i));
  }
  for (const auto& [head, rows] : of.groups.groups()) {
    members_[member].filter.project(batch, head, rows);
  }
}

Filter<float>::Step Mixture::weigh_in_batch(std::size_t member, std::size_t place, float y,
                                            MixtureScratch& scratch) const {
  const Filter<float>& filter = members_[member].filter;
  const BatchGroups& groups = scratch.batch.predictors[members_[member].predictor].groups;
  BatchUpdate<float>& batch = scratch.batch.members[member];
  const Index row = groups.row(place);
  if (!batch.projected(row)) {  // woken
    batch.want(row);
    filter.project(batch, groups.of(place).belief, groups.of(place).rows);
  }
  return filter.weigh(batch, row, y);
}

void Mixture::believe_in_batch(std::size_t member, std::size_t place, MixtureScratch& scratch) {
  const BatchGroups& groups = scratch.batch.predictors[members_[member].predictor].groups;
  members_[member].filter.believe(scratch.members[member].step, scratch.batch.members[member],
                                  groups.row(place), groups.of(place).rows.end);
}

void Mixture::end_block(MixtureScratch& scratch) {
  auto& [predictors, updates, write] = scratch.batch;
  for (std::size_t m = 0; m < members_.size(); ++m) {
    for (const auto& [head, rows] : predictors[members_[m].predictor].groups.groups()) {
      members_[m].filter.correct(updates[m], head, rows, write);
    }
  }
}

}  // namespace bandolier
