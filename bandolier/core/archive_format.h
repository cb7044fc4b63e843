// The layout of saved models, little-endian (docs/archive-format.md):
//   file    = mark  version u32  length of the section u64  section  CRC-32 of all before it u32
//   section = field*, in any order, no name twice
//   field   = type u8  length of the name u8  name  length of the value u64  value
// A value may itself be a section.
#pragma once

#include <zlib.h>
#include <Eigen/Core>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace bandolier {

static_assert(std::endian::native == std::endian::little, "archives are written as they lie");

inline constexpr std::string_view kArchiveMark{"BNDLIER\0", 8};
inline constexpr std::uint32_t kArchiveVersion = 2;
inline constexpr std::size_t kArchiveHeader = 8 + 4 + 8;
inline constexpr std::size_t kArchiveTrailer = 4;
inline constexpr std::size_t kArchiveDepth = 32;  // sections within sections

enum class FieldType : std::uint8_t {
  kSection = 0,
  kInteger = 1,
  kDouble = 2,
  kText = 3,
  kIntegers = 4,
  kFloats = 5,
  kDoubles = 6,
  kFloatMatrix = 7,
  kDoubleMatrix = 8,
  kTexts = 9,
};

// 1 to 255 printable ASCII characters; '/' separates sections in errors.
inline bool is_archive_name(std::string_view name) {
  return !name.empty() && name.size() <= 255 && std::all_of(name.begin(), name.end(), [](char c) {
    return c >= ' ' && c <= '~' && c != '/';
  });
}

// crc32_z takes a size_t: models may exceed 4 GiB.
inline std::uint32_t archive_checksum(std::string_view bytes) {
  return static_cast<std::uint32_t>(
      crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

// 0·x is 0 where x is finite and NaN elsewhere. Eigen's allFinite goes down the columns, which is
// many times slower for a matrix that lies row by row.
template <class Derived>
bool all_finite(const Eigen::MatrixBase<Derived>& values) {
  return (values * typename Derived::Scalar{0}).sum() == 0;
}

}  // namespace bandolier
