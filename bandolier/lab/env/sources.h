// Where data sets come from: the one table that `bandolier data` reads.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace bandolier {

enum class Packing { kNone, kGzip, kCompress };  // kCompress: Unix .Z, stored unpacked

struct DataFile {
  std::string file;                  // in the data folder
  std::string url;                   // canonical source; empty: there is none to download
  Packing packing = Packing::kNone;  // of what the source sends
  std::int64_t bytes = 0;            // unpacked; 0: unknown
  std::string sha256;                // of the unpacked bytes; empty: unknown, and not checked
};

struct DataSet {
  std::string name;  // what `bandolier data get` calls it
  std::string summary;
  std::string licence;
  std::filesystem::path folder;  // empty: data_folder()
  std::string how;               // how to get it where no file has a source; else empty
  std::vector<DataFile> files;

  // Where file `i` is, plain or gzipped; empty if it is not there.
  std::filesystem::path find(std::size_t i) const;
  // Where it would be.
  std::filesystem::path place(std::size_t i) const;
};

const std::vector<DataSet>& data_sets();
const DataSet& find_data_set(const std::string& name);

// Folder of Debian's package dataset-fashion-mnist.
inline constexpr const char* kFashionFolder = "/usr/share/datasets/fashion-mnist";

}  // namespace bandolier
