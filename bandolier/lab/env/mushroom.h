// Mushroom (Blundell et al. 2015, Riquelme et al. 2018; UCI Agaricus-Lepiota): eat it or leave it.
#pragma once

#include "bandolier/core/options.h"
#include "bandolier/lab/env/environment.h"
#include "bandolier/lab/env/rows.h"

namespace bandolier {

struct MushroomOptions : RowsOptions, StandardiseOptions {};
const OptionTable<MushroomOptions>& mushroom_options();

// Action 0 leaves the mushroom and pays 0. Action 1 eats it: a safe one pays +5, a poisonous one
// −35 or +5 with equal chance. The 22 categorical columns are one-hot encoded. From
// $BANDOLIER_DATA/uci/agaricus-lepiota.data.
std::unique_ptr<Environment> make_mushroom(const MushroomOptions& options);

}  // namespace bandolier
