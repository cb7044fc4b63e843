#include "bandolier/belief/likelihood.h"

#include <algorithm>
#include <array>
#include <numbers>

#include "bandolier/core/text.h"

namespace bandolier {
namespace {

double log1p_exp(double x) { return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x))); }

double log_factorial(double n) {
  int sign = 0;  // lgamma's own sign is a global
  return lgamma_r(n + 1, &sign);
}

}  // namespace

Likelihood Likelihood::gaussian(double noise_variance) {
  if (!(noise_variance > 0) || !std::isfinite(noise_variance)) {
    fail("noise_variance is {}: expected a positive number", noise_variance);
  }
  return Likelihood(Family::kGaussian, noise_variance);
}

Likelihood Likelihood::make(Family family, double noise_variance) {
  return family == Family::kGaussian ? gaussian(noise_variance) : Likelihood(family, 1);
}

void Likelihood::check(double reward) const {
  if (!std::isfinite(reward)) fail("reward is {}: expected a finite number", reward);
  if (family_ == Family::kBernoulli && reward != 0 && reward != 1) {
    fail("reward is {}: likelihood=bernoulli explains 0 and 1 only; use likelihood=gaussian",
         to_text(reward));
  }
  if (family_ == Family::kPoisson && (reward < 0 || reward != std::floor(reward))) {
    fail("reward is {}: likelihood=poisson explains 0, 1, 2, ... only; use likelihood=gaussian",
         to_text(reward));
  }
}

double Likelihood::response(double eta) const {
  switch (family_) {
    case Family::kGaussian:
      return eta;
    case Family::kBernoulli:
      return 1 / (1 + std::exp(-eta));
    case Family::kPoisson:
      break;
  }
  return std::exp(eta);
}

double Likelihood::slope(double eta) const {
  switch (family_) {
    case Family::kGaussian:
      return 1;
    case Family::kBernoulli: {
      const double e = std::exp(-std::abs(eta));
      return e / ((1 + e) * (1 + e));
    }
    case Family::kPoisson:
      break;
  }
  return std::exp(eta);
}

double Likelihood::reward_variance(double eta, double q) const {
  const double v = slope(eta);
  return dispersion_ * v + v * v * q;
}

template <class T>
Observation<T> Likelihood::observe(T eta, T reward) const {
  const double x = static_cast<double>(eta);
  return {static_cast<T>((static_cast<double>(reward) - response(x)) / dispersion_),
          static_cast<T>(slope(x) / dispersion_)};
}

double Likelihood::log_density(double eta, double reward) const {
  switch (family_) {
    case Family::kGaussian: {
      const double error = reward - eta;
      return -0.5 * (std::log(2 * std::numbers::pi * dispersion_) + error * error / dispersion_);
    }
    case Family::kBernoulli:
      return reward * eta - log1p_exp(eta);
    case Family::kPoisson:
      break;
  }
  return reward * eta - std::exp(eta) - log_factorial(reward);
}

double Likelihood::log_predictive(double mean, double q, double reward) const {
  if (family_ == Family::kGaussian) {
    return Likelihood(Family::kGaussian, dispersion_ + q).log_density(mean, reward);
  }
  constexpr int kNodes = 65;
  constexpr double kStep = 0.25;
  const double deviation = std::sqrt(q);
  std::array<double, kNodes> term;
  for (int i = 0; i < kNodes; ++i) {
    const double x = (i - kNodes / 2) * kStep;
    term[static_cast<std::size_t>(i)] = log_density(mean + deviation * x, reward) - 0.5 * x * x;
  }
  const double largest = *std::max_element(term.begin(), term.end());
  double sum = 0;
  for (const double t : term) sum += std::exp(t - largest);
  return largest + std::log(sum * kStep / std::sqrt(2 * std::numbers::pi));
}

template Observation<float> Likelihood::observe(float, float) const;
template Observation<double> Likelihood::observe(double, double) const;

}  // namespace bandolier
