// Numbers of Python as numbers of C++: NumPy arrays and all else that has a buffer without copies,
// everything else by way of NumPy (bandolier/_inputs.py). Errors name the argument.
#pragma once

#include <nanobind/nanobind.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "bandolier/core/types.h"

namespace bandolier::python {

namespace nb = nanobind;

enum class NumberType : std::uint8_t {
  kBool,
  kInt8,
  kUint8,
  kInt16,
  kUint16,
  kInt32,
  kUint32,
  kInt64,
  kUint64,
  kFloat,
  kDouble
};

inline constexpr int kMostDimensions = 4;

// A buffer of numbers, held while this lives. Made and destroyed under the interpreter's lock; read
// without it.
class Array {
 public:
  Array() = default;
  // `name`: the argument's. Throws Error where it holds no numbers.
  Array(nb::handle object, const char* name);
  ~Array();
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;

  int dimensions() const { return dimensions_; }
  Index size(int dimension) const { return shape_[static_cast<std::size_t>(dimension)]; }
  Index count() const;
  std::string shape_text() const;  // "(3, 54)"
  NumberType type() const { return type_; }
  bool integral() const { return type_ < NumberType::kFloat; }
  bool contiguous() const { return contiguous_; }
  const void* data() const { return view_.buf; }

  // The last `inner` dimensions become one. False where their memory does not lie in one piece.
  bool flatten_last(int inner);

  // Entries of the rows first .. first + count - 1 along the first dimension, row by row.
  void read(Index first, Index count, float* out) const;
  void read(Index first, Index count, std::int64_t* out) const;  // of integral types
  std::vector<float> floats() const;
  std::vector<std::int64_t> integers() const;

 private:
  bool open(PyObject* object);
  template <class T>
  void read_rows(Index first, Index count, T* out) const;

  nb::object owner_;
  Py_buffer view_{};
  bool held_ = false;
  int dimensions_ = 0;
  std::array<Index, kMostDimensions> shape_{}, strides_{};  // strides in bytes
  NumberType type_ = NumberType::kFloat;
  bool contiguous_ = false;
};

// "(3, 54)"
std::string shape_text(std::initializer_list<Index> shape);

// New NumPy arrays.
nb::object new_vector(std::vector<std::int64_t> values);
template <class T>
nb::object new_matrix(Matrix<T> values);
template <class T>
nb::object new_row(const Matrix<T>& values);  // the first, of one dimension

}  // namespace bandolier::python
