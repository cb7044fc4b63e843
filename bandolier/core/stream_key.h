// A stream's address in an archive.
#pragma once

#include "bandolier/core/archive.h"
#include "bandolier/core/random.h"

namespace bandolier {

void save_key(const StreamKey& key, ArchiveWriter& out);
StreamKey load_key(const ArchiveReader& in);

}  // namespace bandolier
