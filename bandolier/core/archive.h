// Saved models. A file is
//   "BNDLIER\0"  u32 format version  u64 payload length  payload  u32 CRC-32 of all before it
// little-endian; the payload is a sequence of fields
//   u8 type  u16 tag length  tag  u64 value length in bytes  value
// read back in the order and under the tags that they were written with. A truncated, altered or
// newer file gives an Error, never a wrong model.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "bandolier/core/types.h"

namespace bandolier {

inline constexpr std::uint32_t kArchiveVersion = 1;

class ArchiveWriter {
 public:
  template <std::integral I>
  void write(std::string_view tag, I value) {
    write_integer(tag, static_cast<std::int64_t>(value));
  }
  void write(std::string_view tag, double value);
  void write(std::string_view tag, std::string_view value);
  void write(std::string_view tag, const std::vector<std::int64_t>& value);
  // Columns are vectors, everything else is a matrix; of float or double.
  template <class Derived>
  void write(std::string_view tag, const Eigen::DenseBase<Derived>& value) {
    if constexpr (Derived::ColsAtCompileTime == 1) {
      write_vector(tag, ConstVectorRef<typename Derived::Scalar>(value.derived()));
    } else {
      write_matrix(tag, ConstMatrixRef<typename Derived::Scalar>(value.derived()));
    }
  }

  // The whole file's bytes.
  std::string finish() const;

 private:
  void field(std::uint8_t type, std::string_view tag, std::string_view bytes);
  void write_integer(std::string_view tag, std::int64_t value);
  void write_vector(std::string_view tag, const ConstVectorRef<float>& value);
  void write_vector(std::string_view tag, const ConstVectorRef<double>& value);
  void write_matrix(std::string_view tag, const ConstMatrixRef<float>& value);
  void write_matrix(std::string_view tag, const ConstMatrixRef<double>& value);

  std::string payload_;
};

class ArchiveReader {
 public:
  // `name` (a path) is used in errors. Throws Error unless the bytes are one intact archive.
  ArchiveReader(std::string bytes, std::string name);

  std::int64_t read_integer(std::string_view tag);
  double read_double(std::string_view tag);
  std::string read_text(std::string_view tag);
  std::vector<std::int64_t> read_integers(std::string_view tag);
  template <class T>
  Vector<T> read_vector(std::string_view tag);
  template <class T>
  Matrix<T> read_matrix(std::string_view tag);
  // The same into an object whose size is already known; another size is an Error.
  template <class Out>
  void read_into(std::string_view tag, Out&& out) {
    using Object = std::remove_cvref_t<Out>;
    if constexpr (Object::ColsAtCompileTime == 1) {
      read_into_vector<typename Object::Scalar>(tag, out);
    } else {
      read_into_matrix<typename Object::Scalar>(tag, out);
    }
  }

  bool at_end() const { return position_ == end_; }
  // Throws Error unless everything was read.
  void expect_end() const;

 private:
  // The bytes of the next field, a whole number of elements of `element` bytes.
  std::string_view field(std::uint8_t type, std::string_view tag, std::size_t element);
  template <class T>
  T read_scalar(std::uint8_t type, std::string_view tag);
  template <class T>
  void read_into_vector(std::string_view tag, VectorRef<T> out);
  template <class T>
  void read_into_matrix(std::string_view tag, MatrixRef<T> out);

  std::string bytes_;
  std::string name_;
  std::size_t position_ = 0;
  std::size_t end_ = 0;
};

}  // namespace bandolier
