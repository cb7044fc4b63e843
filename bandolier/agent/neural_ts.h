// Neural Thompson sampling (Zhang et al. 2021) and Neural-UCB (Zhou et al. 2020): a network's
// prediction f(x_a; θ), and around it the uncertainty of a linear model on the network's gradient
// g_a = ∇_θ f(x_a; θ) (neural tangent features):
//   σ_a² = λ ν g_aᵀ U⁻¹ g_a,   U = λI + Σ over rewards of g gᵀ
// Neural-TS draws each action's reward from N(f_a, σ_a²), Neural-UCB takes f_a + σ_a. U is diagonal
// as its authors run it, or full for small networks.
#pragma once

#include "bandolier/agent/registry.h"

namespace bandolier {

AgentEntry neural_ts_agent();
AgentEntry neural_ucb_agent();

}  // namespace bandolier
