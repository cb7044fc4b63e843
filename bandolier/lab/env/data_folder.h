// Where data sets live on this machine.
#pragma once

#include <filesystem>
#include <string>

namespace bandolier {

// $BANDOLIER_DATA, else $XDG_CACHE_HOME/bandolier, else ~/.cache/bandolier.
std::filesystem::path data_folder();

// FOLDER/FILE or FOLDER/FILE.gz, whichever is there; nothing (an empty path) if neither is.
std::filesystem::path find_plain_or_gzipped(const std::filesystem::path& folder,
                                            const std::string& file);

// The same in data_folder(), or an Error that names the file and how to get it: `data_set` is what
// `bandolier data get` calls it.
std::filesystem::path require_data_file(const std::string& data_set, const std::string& file);

}  // namespace bandolier
