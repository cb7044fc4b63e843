#include "python/src/arrays.h"

#include <fmt/ranges.h>
#include <nanobind/ndarray.h>

#include <bit>
#include <cstring>
#include <limits>

#include "bandolier/core/error.h"

namespace bandolier::python {
namespace {

template <class T>
constexpr NumberType number_type() {
  if constexpr (std::is_floating_point_v<T>) {
    return sizeof(T) == 4 ? NumberType::kFloat : NumberType::kDouble;
  } else {
    return static_cast<NumberType>(1 + 2 * std::countr_zero(sizeof(T)) + std::is_unsigned_v<T>);
  }
}

// Of a format of the struct module; false where it is none of the types above.
bool parse_format(const char* format, Py_ssize_t bytes, NumberType& out) {
  if (format == nullptr) format = "B";
  if (*format == '@' || *format == '=' || *format == '<') ++format;
  if (format[0] == 0 || format[1] != 0) return false;
  const char kind = *format;
  if (kind == '?' && bytes == 1) {
    out = NumberType::kBool;
  } else if (kind == 'f' && bytes == 4) {
    out = NumberType::kFloat;
  } else if (kind == 'd' && bytes == 8) {
    out = NumberType::kDouble;
  } else if (std::strchr("bhilqBHILQ", kind) != nullptr && bytes <= 8) {
    const int place = 1 + 2 * std::countr_zero(static_cast<unsigned>(bytes));
    out = static_cast<NumberType>(place + (kind < 'a'));
  } else {
    return false;
  }
  return true;
}

// visit(T{}) for the type.
template <class Visit>
void visit(NumberType type, Visit visit_as) {
  switch (type) {
    case NumberType::kBool:
    case NumberType::kUint8:
      return visit_as(std::uint8_t{});
    case NumberType::kInt8:
      return visit_as(std::int8_t{});
    case NumberType::kInt16:
      return visit_as(std::int16_t{});
    case NumberType::kUint16:
      return visit_as(std::uint16_t{});
    case NumberType::kInt32:
      return visit_as(std::int32_t{});
    case NumberType::kUint32:
      return visit_as(std::uint32_t{});
    case NumberType::kInt64:
      return visit_as(std::int64_t{});
    case NumberType::kUint64:
      return visit_as(std::uint64_t{});
    case NumberType::kFloat:
      return visit_as(float{});
    case NumberType::kDouble:
      return visit_as(double{});
  }
}

template <class From, class To>
To converted(const char* at) {
  From value;
  std::memcpy(&value, at, sizeof value);  // a buffer need not be aligned
  return static_cast<To>(value);
}

template <class T>
nb::object owned(T* data, nb::capsule owner, std::initializer_list<std::size_t> shape) {
  return nb::cast(nb::ndarray<nb::numpy, T>(data, shape, owner));
}

}  // namespace

Array::Array(nb::handle object, const char* name) {
  if (open(object.ptr())) return;
  owner_ = nb::module_::import_("bandolier._inputs").attr("numbers")(object, name);
  if (!open(owner_.ptr())) {
    fail("{} has {} dimensions or an unknown type of numbers: expected at most {}", name,
         nb::cast<int>(owner_.attr("ndim")), kMostDimensions);
  }
}

Array::~Array() {
  if (held_) PyBuffer_Release(&view_);
}

bool Array::open(PyObject* object) {
  if (!PyObject_CheckBuffer(object)) return false;
  if (PyObject_GetBuffer(object, &view_, PyBUF_STRIDES | PyBUF_FORMAT) != 0) {
    PyErr_Clear();
    return false;
  }
  held_ = true;
  if (view_.ndim > kMostDimensions || !parse_format(view_.format, view_.itemsize, type_)) {
    PyBuffer_Release(&view_);
    held_ = false;
    return false;
  }
  dimensions_ = view_.ndim;
  contiguous_ = true;
  Index bytes = view_.itemsize;
  for (int i = dimensions_; i-- > 0;) {
    const auto d = static_cast<std::size_t>(i);
    shape_[d] = view_.shape[i];
    strides_[d] = view_.strides[i];
    contiguous_ = contiguous_ && (shape_[d] == 1 || strides_[d] == bytes);
    bytes *= shape_[d];
  }
  const auto address = reinterpret_cast<std::uintptr_t>(view_.buf);
  contiguous_ = contiguous_ && address % static_cast<std::uintptr_t>(view_.itemsize) == 0;
  return true;
}

Index Array::count() const {
  Index n = 1;
  for (int i = 0; i < dimensions_; ++i) n *= size(i);
  return n;
}

std::string Array::shape_text() const {
  if (dimensions_ == 1) return fmt::format("({},)", shape_[0]);
  return fmt::format("({})", fmt::join(shape_.begin(), shape_.begin() + dimensions_, ", "));
}

std::string shape_text(std::initializer_list<Index> shape) {
  return fmt::format("({}{})", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
}

bool Array::flatten_last(int inner) {
  if (!contiguous_) return false;
  const int first = dimensions_ - inner;
  Index n = 1;
  for (int i = first; i < dimensions_; ++i) n *= size(i);
  dimensions_ = first + 1;
  shape_[static_cast<std::size_t>(first)] = n;
  strides_[static_cast<std::size_t>(first)] = view_.itemsize;
  return true;
}

template <class T>
void Array::read_rows(Index first, Index count, T* out) const {
  visit(type_, [&](auto example) {
    using From = decltype(example);
    // Missing dimensions in front count as 1.
    std::array<Index, kMostDimensions> n, step;
    n.fill(1);
    step.fill(0);
    for (int i = 0; i < dimensions_; ++i) {
      const auto from = static_cast<std::size_t>(i);
      const auto to = static_cast<std::size_t>(kMostDimensions - dimensions_ + i);
      n[to] = i == 0 ? count : shape_[from];
      step[to] = strides_[from];
    }
    const char* begin = static_cast<const char*>(view_.buf);
    if (dimensions_ > 0) begin += first * strides_[0];
    for (Index i = 0; i < n[0]; ++i) {
      for (Index j = 0; j < n[1]; ++j) {
        for (Index k = 0; k < n[2]; ++k) {
          const char* at = begin + i * step[0] + j * step[1] + k * step[2];
          for (Index l = 0; l < n[3]; ++l) *out++ = converted<From, T>(at + l * step[3]);
        }
      }
    }
  });
}

void Array::read(Index first, Index count, float* out) const { read_rows(first, count, out); }
void Array::read(Index first, Index count, std::int64_t* out) const {
  read_rows(first, count, out);
}

std::vector<float> Array::floats() const {
  std::vector<float> all(static_cast<std::size_t>(count()));
  if (!all.empty()) read(0, dimensions_ > 0 ? size(0) : 1, all.data());
  return all;
}

std::vector<std::int64_t> Array::integers() const {
  std::vector<std::int64_t> all(static_cast<std::size_t>(count()));
  if (!all.empty()) read(0, dimensions_ > 0 ? size(0) : 1, all.data());
  return all;
}

nb::object new_vector(std::vector<std::int64_t> values) {
  auto* kept = new std::vector<std::int64_t>(std::move(values));
  nb::capsule owner(kept,
                    [](void* p) noexcept { delete static_cast<std::vector<std::int64_t>*>(p); });
  return owned(kept->data(), owner, {kept->size()});
}

template <class T>
nb::object new_matrix(Matrix<T> values) {
  auto* kept = new Matrix<T>(std::move(values));
  nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<Matrix<T>*>(p); });
  return owned(kept->data(), owner,
               {static_cast<std::size_t>(kept->rows()), static_cast<std::size_t>(kept->cols())});
}

template <class T>
nb::object new_row(const Matrix<T>& values) {
  auto* kept = new std::vector<T>(values.data(), values.data() + values.cols());
  nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<T>*>(p); });
  return owned(kept->data(), owner, {kept->size()});
}

template nb::object new_matrix(Matrix<float>);
template nb::object new_matrix(Matrix<double>);
template nb::object new_matrix(Matrix<std::int64_t>);
template nb::object new_row(const Matrix<float>&);
template nb::object new_row(const Matrix<double>&);
template nb::object new_row(const Matrix<std::int64_t>&);

}  // namespace bandolier::python
