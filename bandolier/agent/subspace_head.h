// `subspace-ekf:head=full`: the last layer's weights in full, one block an action, over a subspace
// of the layers before it. It is a bank (bank.h) of one filter.
#pragma once

#include "bandolier/agent/bank.h"
#include "bandolier/agent/ekf_options.h"

namespace bandolier {

// Throws Error where an option has no meaning for head=full.
BankOptions subspace_head_bank(const SubspaceEkfOptions& options);

}  // namespace bandolier
