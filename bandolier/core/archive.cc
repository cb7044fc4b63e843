#include "bandolier/core/archive.h"

#include <zlib.h>

#include <bit>
#include <cstring>
#include <limits>

#include "bandolier/core/error.h"

namespace bandolier {
namespace {

static_assert(std::endian::native == std::endian::little, "archives are written as they lie");

constexpr std::string_view kMagic{"BNDLIER\0", 8};
constexpr std::size_t kHeader = 8 + 4 + 8;
constexpr std::size_t kTrailer = 4;

enum FieldType : std::uint8_t {
  kInteger = 1,
  kDouble = 2,
  kText = 3,
  kIntegers = 4,
  kFloatVector = 5,
  kDoubleVector = 6,
  kFloatMatrix = 7,
  kDoubleMatrix = 8,
};

template <class T>
constexpr std::uint8_t kVectorType = std::is_same_v<T, float> ? kFloatVector : kDoubleVector;
template <class T>
constexpr std::uint8_t kMatrixType = std::is_same_v<T, float> ? kFloatMatrix : kDoubleMatrix;

template <class T>
void append(std::string& bytes, T value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

template <class T>
T load(std::string_view bytes, std::size_t position) {
  T value;
  std::memcpy(&value, bytes.data() + position, sizeof value);
  return value;
}

// Nothing for no bytes: `to` may be null then.
template <class T>
void copy(std::string_view bytes, T* to) {
  if (!bytes.empty()) std::memcpy(to, bytes.data(), bytes.size());
}

// crc32_z takes a size_t: models may exceed 4 GiB.
std::uint32_t checksum(std::string_view bytes) {
  return static_cast<std::uint32_t>(
      crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

// Rows, columns, then the values row by row.
template <class T>
std::string matrix_bytes(const ConstMatrixRef<T>& value) {
  std::string bytes;
  bytes.reserve(16 + static_cast<std::size_t>(value.size()) * sizeof(T));
  append(bytes, static_cast<std::int64_t>(value.rows()));
  append(bytes, static_cast<std::int64_t>(value.cols()));
  for (Index i = 0; i < value.rows(); ++i) {
    bytes.append(reinterpret_cast<const char*>(value.row(i).data()),
                 static_cast<std::size_t>(value.cols()) * sizeof(T));
  }
  return bytes;
}

template <class T>
std::string_view vector_bytes(const ConstVectorRef<T>& value) {
  return {reinterpret_cast<const char*>(value.data()),
          static_cast<std::size_t>(value.size()) * sizeof(T)};
}

}  // namespace

void ArchiveWriter::field(std::uint8_t type, std::string_view tag, std::string_view bytes) {
  if (tag.size() > std::numeric_limits<std::uint16_t>::max()) {
    fail("an archive tag has {} characters: expected at most 65535", tag.size());
  }
  append(payload_, type);
  append(payload_, static_cast<std::uint16_t>(tag.size()));
  payload_ += tag;
  append(payload_, static_cast<std::uint64_t>(bytes.size()));
  payload_ += bytes;
}

void ArchiveWriter::write_integer(std::string_view tag, std::int64_t value) {
  std::string bytes;
  append(bytes, value);
  field(kInteger, tag, bytes);
}

void ArchiveWriter::write(std::string_view tag, double value) {
  std::string bytes;
  append(bytes, value);
  field(kDouble, tag, bytes);
}

void ArchiveWriter::write(std::string_view tag, std::string_view value) {
  field(kText, tag, value);
}

void ArchiveWriter::write(std::string_view tag, const std::vector<std::int64_t>& value) {
  field(kIntegers, tag,
        {reinterpret_cast<const char*>(value.data()), value.size() * sizeof(std::int64_t)});
}

void ArchiveWriter::write_vector(std::string_view tag, const ConstVectorRef<float>& value) {
  field(kFloatVector, tag, vector_bytes<float>(value));
}

void ArchiveWriter::write_vector(std::string_view tag, const ConstVectorRef<double>& value) {
  field(kDoubleVector, tag, vector_bytes<double>(value));
}

void ArchiveWriter::write_matrix(std::string_view tag, const ConstMatrixRef<float>& value) {
  field(kFloatMatrix, tag, matrix_bytes<float>(value));
}

void ArchiveWriter::write_matrix(std::string_view tag, const ConstMatrixRef<double>& value) {
  field(kDoubleMatrix, tag, matrix_bytes<double>(value));
}

std::string ArchiveWriter::finish() const {
  std::string bytes{kMagic};
  append(bytes, kArchiveVersion);
  append(bytes, static_cast<std::uint64_t>(payload_.size()));
  bytes += payload_;
  append(bytes, checksum(bytes));
  return bytes;
}

ArchiveReader::ArchiveReader(std::string bytes, std::string name)
    : bytes_(std::move(bytes)), name_(std::move(name)) {
  const std::string_view all = bytes_;
  if (all.empty()) fail("{} is empty: expected a saved model", name_);
  if (all.substr(0, kMagic.size()) != kMagic.substr(0, all.size())) {
    fail("{} is not a saved model: it does not begin with the archive's mark", name_);
  }
  if (all.size() < kHeader + kTrailer) {
    fail("{} is cut off: {} bytes, less than a header; save the model again", name_, all.size());
  }
  const auto version = load<std::uint32_t>(all, 8);
  if (version == 0) fail("{} has archive version 0: expected 1 or more; it is damaged", name_);
  if (version > kArchiveVersion) {
    fail("{} has archive version {}: this build reads up to {}; use a newer bandolier", name_,
         version, kArchiveVersion);
  }
  const auto length = load<std::uint64_t>(all, 12);
  if (length != all.size() - kHeader - kTrailer) {
    fail("{} is cut off or extended: its header promises {} bytes of payload, found {}", name_,
         length, all.size() - kHeader - kTrailer);
  }
  end_ = all.size() - kTrailer;
  if (checksum(all.substr(0, end_)) != load<std::uint32_t>(all, end_)) {
    fail("{} is damaged: its checksum does not match; restore it from a copy", name_);
  }
  position_ = kHeader;
}

std::string_view ArchiveReader::field(std::uint8_t type, std::string_view tag,
                                      std::size_t element) {
  const std::string_view all = std::string_view(bytes_).substr(0, end_);
  if (at_end()) fail("{} ends where field '{}' should be", name_, tag);
  constexpr std::size_t kTypeAndTagLength = 3, kLength = 8;
  const auto require = [&](std::size_t count, std::size_t position) {
    if (count > end_ - position) fail("{}: field '{}' is longer than the file", name_, tag);
  };
  require(kTypeAndTagLength, position_);
  const auto found_type = load<std::uint8_t>(all, position_);
  const std::size_t tag_length = load<std::uint16_t>(all, position_ + 1);
  require(kTypeAndTagLength + tag_length + kLength, position_);
  const auto found_tag = all.substr(position_ + kTypeAndTagLength, tag_length);
  if (found_tag != tag || found_type != type) {
    fail("{}: expected field '{}' (type {}), found '{}' (type {})", name_, tag, type, found_tag,
         found_type);
  }
  const std::size_t value = position_ + kTypeAndTagLength + tag_length + kLength;
  const auto length = load<std::uint64_t>(all, value - kLength);
  require(length, value);
  if (length % element != 0) {
    fail("{}: field '{}' has {} bytes: expected a multiple of {}", name_, tag, length, element);
  }
  position_ = value + length;
  return all.substr(value, length);
}

template <class T>
T ArchiveReader::read_scalar(std::uint8_t type, std::string_view tag) {
  const auto bytes = field(type, tag, sizeof(T));
  if (bytes.size() != sizeof(T)) {
    fail("{}: field '{}' has {} bytes: expected {}", name_, tag, bytes.size(), sizeof(T));
  }
  return load<T>(bytes, 0);
}

std::int64_t ArchiveReader::read_integer(std::string_view tag) {
  return read_scalar<std::int64_t>(kInteger, tag);
}

double ArchiveReader::read_double(std::string_view tag) {
  return read_scalar<double>(kDouble, tag);
}

std::string ArchiveReader::read_text(std::string_view tag) {
  return std::string(field(kText, tag, 1));
}

std::vector<std::int64_t> ArchiveReader::read_integers(std::string_view tag) {
  const auto bytes = field(kIntegers, tag, sizeof(std::int64_t));
  std::vector<std::int64_t> value(bytes.size() / sizeof(std::int64_t));
  copy(bytes, value.data());
  return value;
}

template <class T>
Vector<T> ArchiveReader::read_vector(std::string_view tag) {
  const auto bytes = field(kVectorType<T>, tag, sizeof(T));
  Vector<T> value(static_cast<Index>(bytes.size() / sizeof(T)));
  copy(bytes, value.data());
  return value;
}

template <class T>
Matrix<T> ArchiveReader::read_matrix(std::string_view tag) {
  const auto bytes = field(kMatrixType<T>, tag, sizeof(T));
  constexpr std::size_t kSizes = 16;
  const auto rows = bytes.size() < kSizes ? -1 : load<std::int64_t>(bytes, 0);
  const auto cols = bytes.size() < kSizes ? -1 : load<std::int64_t>(bytes, 8);
  const auto count = static_cast<std::int64_t>((bytes.size() - kSizes) / sizeof(T));
  // Division, not a product: rows · cols may overflow.
  const bool fits =
      rows >= 0 && cols >= 0 &&
      (rows == 0 || cols == 0 ? count == 0 : count % rows == 0 && count / rows == cols);
  if (!fits) {
    fail("{}: field '{}' is {} x {}, which does not fit its {} bytes", name_, tag, rows, cols,
         bytes.size());
  }
  Matrix<T> value(rows, cols);
  copy(bytes.substr(kSizes), value.data());
  return value;
}

template <class T>
void ArchiveReader::read_into_vector(std::string_view tag, VectorRef<T> out) {
  const auto value = read_vector<T>(tag);
  if (value.size() != out.size()) {
    fail("{}: field '{}' has {} values, expected {}", name_, tag, value.size(), out.size());
  }
  out = value;
}

template <class T>
void ArchiveReader::read_into_matrix(std::string_view tag, MatrixRef<T> out) {
  const auto value = read_matrix<T>(tag);
  if (value.rows() != out.rows() || value.cols() != out.cols()) {
    fail("{}: field '{}' is {} x {}, expected {} x {}", name_, tag, value.rows(), value.cols(),
         out.rows(), out.cols());
  }
  out = value;
}

void ArchiveReader::expect_end() const {
  if (!at_end()) fail("{} holds more than this model: {} bytes unread", name_, end_ - position_);
}

template Vector<float> ArchiveReader::read_vector<float>(std::string_view);
template Vector<double> ArchiveReader::read_vector<double>(std::string_view);
template Matrix<float> ArchiveReader::read_matrix<float>(std::string_view);
template Matrix<double> ArchiveReader::read_matrix<double>(std::string_view);
template void ArchiveReader::read_into_vector<float>(std::string_view, VectorRef<float>);
template void ArchiveReader::read_into_vector<double>(std::string_view, VectorRef<double>);
template void ArchiveReader::read_into_matrix<float>(std::string_view, MatrixRef<float>);
template void ArchiveReader::read_into_matrix<double>(std::string_view, MatrixRef<double>);

}  // namespace bandolier
