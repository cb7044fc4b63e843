#include "bandolier/subspace/offset.h"

#include "bandolier/core/error.h"
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
  const std::string kind = in.read_text("kind");
  if (kind == "random") return random_offset(network, load_key(in));
  if (kind != "trained") fail("{} is '{}': expected random or trained", in.where("kind"), kind);
  Offset offset{Vector<float>(network.parameters()), {}};
  network.read_weights(in, "parameters", offset.parameters);
  return offset;
}

}  // namespace bandolier
