// Neural-linear (Riquelme et al. 2018; Algorithm 3 of the paper): a network fitted to stored data
// every few steps, and on its last hidden features one Bayesian linear regression per action. The
// regressions are refitted to all stored data after a training; with limited memory they gather all
// rewards instead, or see the stored ones alone (heads=window).
#pragma once

#include "bandolier/agent/registry.h"

namespace bandolier {

AgentEntry neural_linear_agent();

}  // namespace bandolier
