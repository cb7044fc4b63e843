#include "bandolier/filter/mixture_weights.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "bandolier/core/error.h"

namespace bandolier {
namespace {

// A member that had less weight than this for so many rewards sleeps through all but one in four.
constexpr double kLost = 1e-3;
constexpr std::int64_t kPatience = 500;
constexpr std::int64_t kSleep = 4;

}  // namespace

MixtureWeights::MixtureWeights(const std::vector<double>& prior, double share)
    : share_(share), prior_(prior), lost_(prior.size(), 0) {
  const double sum = std::accumulate(prior.begin(), prior.end(), 0.0);
  for (double& one : prior_) one /= sum;
  weights_ = prior_;
}

std::size_t MixtureWeights::leader() const {
  return static_cast<std::size_t>(std::max_element(weights_.begin(), weights_.end()) -
                                  weights_.begin());
}

std::size_t MixtureWeights::draw(double u) const {
  std::size_t member = 0;
  while (member + 1 < weights_.size() && u >= weights_[member]) u -= weights_[member++];
  return member;
}

bool MixtureWeights::awake(std::size_t member, std::int64_t step) const {
  return lost_[member] < kPatience || (step + static_cast<std::int64_t>(member)) % kSleep == 0;
}

void MixtureWeights::update(const std::vector<double>& log_predictive,
                            const std::vector<bool>& awake) {
  double highest = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < weights_.size(); ++i) {
    if (awake[i]) highest = std::max(highest, log_predictive[i]);
  }
  double before = 0, after = 0;
  for (std::size_t i = 0; i < weights_.size(); ++i) {
    if (!awake[i]) continue;
    before += weights_[i];
    weights_[i] *= std::exp(log_predictive[i] - highest);
    after += weights_[i];
  }
  for (std::size_t i = 0; i < weights_.size(); ++i) {
    if (awake[i]) weights_[i] *= before / after;
    weights_[i] = (1 - share_) * weights_[i] + share_ * prior_[i];
    lost_[i] = weights_[i] < kLost ? lost_[i] + 1 : 0;
  }
}

void MixtureWeights::begin(std::size_t member, double weight) {
  const double others = 1 - weights_[member];
  for (double& one : weights_) one *= (1 - weight) / others;
  weights_[member] = weight;
  lost_[member] = 0;
}

void MixtureWeights::swap(std::size_t first, std::size_t second) {
  std::swap(weights_[first], weights_[second]);
  std::swap(lost_[first], lost_[second]);
}

void MixtureWeights::save(ArchiveWriter& out) const {
  out.write("weights",
            ConstVectorMap<double>(weights_.data(), static_cast<Index>(weights_.size())));
  out.write("lost", lost_);
}

void MixtureWeights::load(const ArchiveReader& in) {
  weights_ = in.read_doubles("weights", weights_.size(), {0, 1});
  lost_ = in.read_integers("lost", weights_.size(), 0, kMostCount);
  const double sum = std::accumulate(weights_.begin(), weights_.end(), 0.0);
  if (std::abs(sum - 1) > 1e-3) fail("{} sum to {}: expected 1", in.where("weights"), sum);
  for (std::size_t i = 0; i < weights_.size(); ++i) {
    if (lost_[i] > 0 && weights_[i] >= kLost) {
      fail("{} is {} of a member with the weight {}: expected 0 from {} on", in.where("lost"),
           lost_[i], weights_[i], kLost);
    }
  }
}

}  // namespace bandolier
