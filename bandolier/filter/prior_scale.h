// How wide a prior must be. Before any reward, a prediction has the variance ‖∂f/∂(z, w)‖² times
// the prior variance of a parameter; its mean over typical contexts sets the scale. A fixed prior
// variance does not: the squared gradient differs thirtyfold between problems.
#pragma once

#include <span>

#include "bandolier/filter/predictor.h"

namespace bandolier {

// Mean ‖∂f_a/∂(z, w)‖² at the prior's mean, over the pulls, or over 32 contexts of standard normal
// features and uniform actions drawn from `random` where there are none. The squares of hidden
// units count `hidden_variance` times (ParameterBeliefOptions).
double mean_squared_gradient(const Predictor& predictor, std::span<const Experience> experience,
                             Random random, double hidden_variance = 1);

// Mean θ*² of the weights that a network starts from; 0 where a predictor has heads of its own.
double mean_squared_weight(const Predictor& predictor);

}  // namespace bandolier
