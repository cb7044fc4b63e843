// What an agent sees of a context's features.
#pragma once

#include "bandolier/core/options.h"
#include "bandolier/core/types.h"

namespace bandolier {

// The features as they are; of images, patch features learnt from the first of them
// (patch_features.h); or whichever suits.
enum class InputKind { kRaw, kPatches, kAuto };
Words words_of(InputKind);

struct InputOptions {
  InputKind inputs = InputKind::kRaw;
  std::int64_t filters = 24;
};

// So many per part of an image; 0: the features as they are.
inline Index filters_of(const InputOptions& options) {
  return options.inputs == InputKind::kPatches ? options.filters : 0;
}

// Without inputs=auto, for agents that have no say in it.
const OptionTable<InputOptions>& input_options();
const OptionTable<InputOptions>& automatic_input_options();

}  // namespace bandolier
