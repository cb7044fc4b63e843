// The point that a subspace goes through: θ*, random or trained.
#pragma once

#include <optional>

#include "bandolier/core/archive.h"
#include "bandolier/nn/network.h"

namespace bandolier {

struct Offset {
  Vector<float> parameters;
  std::optional<StreamKey> key;  // of a random offset, from which it can be made again
};

// Network::initial_parameters from the beginning of the key's stream.
Offset random_offset(const Network& network, const StreamKey& key);

// A random offset is saved as its key.
void save_offset(const ConstVectorRef<float>& parameters, const std::optional<StreamKey>& key,
                 ArchiveWriter& out);
Offset load_offset(const Network& network, const ArchiveReader& in);

}  // namespace bandolier
