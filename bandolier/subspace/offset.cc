#include "bandolier/subspace/offset.h"

#include "bandolier/subspace/basis.h"

namespace bandolier {

Offset random_offset(const Network& network, const StreamKey& key) {
  Random random(key);
  return {network.initial_parameters<float>(random), key};
}

void save_offset(const ConstVectorRef<float>& parameters, const std::optional<StreamKey>& key,
                 ArchiveWriter& out) {
  out.write("kind", key ? "random" : "trained");
  if (key) {
    save_key(*key, out);
  } else {
    out.write("parameters", parameters);
  }
}

Offset load_offset(const Network& network, const ArchiveReader& in) {
  if (in.read_text("kind") == "random") return random_offset(network, load_key(in));
  Offset offset{Vector<float>(network.parameters()), {}};
  in.read_into("parameters", VectorRef<float>(offset.parameters));
  return offset;
}

}  // namespace bandolier
