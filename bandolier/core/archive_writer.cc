#include <cmath>

#include "bandolier/core/archive.h"
#include "bandolier/core/archive_format.h"
#include "bandolier/core/error.h"
#include "bandolier/core/file.h"

namespace bandolier {
namespace {

template <class T>
void append(std::string& bytes, const T* values, Index count) {
  bytes.append(reinterpret_cast<const char*>(values), static_cast<std::size_t>(count) * sizeof(T));
}

template <class T>
void append(std::string& bytes, T value) {
  append(bytes, &value, 1);
}

}  // namespace

ArchiveWriter::Section ArchiveWriter::section(std::string_view name) {
  if (open_.size() > kArchiveDepth) {
    fail("section {}{} lies in {} others: expected at most {}", open_.back().path, name,
         open_.size() - 1, kArchiveDepth - 1);
  }
  begin_field(FieldType::kSection, name, 0);  // close_section puts the length in
  open_.push_back({fmt::format("{}{}/", open_.back().path, name), payload_.size(), {}});
  return Section(*this);
}

ArchiveWriter::Section ArchiveWriter::section(std::string_view name, std::size_t index) {
  return section(fmt::format("{}.{}", name, index));
}

void ArchiveWriter::close_section() {
  const std::size_t start = open_.back().start;
  const std::uint64_t length = payload_.size() - start;
  std::memcpy(payload_.data() + start - sizeof length, &length, sizeof length);
  open_.pop_back();
}

void ArchiveWriter::begin_field(FieldType type, std::string_view tag, std::size_t length) {
  if (!is_archive_name(tag)) {
    fail("{}'{}' cannot name a field: expected 1 to 255 printable ASCII characters without '/'",
         open_.back().path, tag);
  }
  if (!open_.back().names.emplace(tag).second) {
    fail("{}{} is written twice: give each field of a section a name of its own", open_.back().path,
         tag);
  }
  append(payload_, type);
  append(payload_, static_cast<std::uint8_t>(tag.size()));
  payload_ += tag;
  append(payload_, static_cast<std::uint64_t>(length));
}

void ArchiveWriter::check_finite(std::string_view tag, bool finite) const {
  if (!finite) {
    fail("{}{} is not finite: a model that has diverged is not saved", open_.back().path, tag);
  }
}

void ArchiveWriter::write_integer(std::string_view tag, std::int64_t value) {
  begin_field(FieldType::kInteger, tag, sizeof value);
  append(payload_, value);
}

void ArchiveWriter::write(std::string_view tag, double value) {
  check_finite(tag, std::isfinite(value));
  begin_field(FieldType::kDouble, tag, sizeof value);
  append(payload_, value);
}

void ArchiveWriter::write(std::string_view tag, std::string_view value) {
  begin_field(FieldType::kText, tag, value.size());
  payload_ += value;
}

void ArchiveWriter::write(std::string_view tag, const std::vector<std::int64_t>& value) {
  begin_field(FieldType::kIntegers, tag, value.size() * sizeof(std::int64_t));
  append(payload_, value.data(), std::ssize(value));
}

void ArchiveWriter::write(std::string_view tag, const std::vector<double>& value) {
  write_vector<double>(tag, ConstVectorMap<double>(value.data(), std::ssize(value)));
}

// Each with its length before it.
void ArchiveWriter::write(std::string_view tag, const std::vector<std::string>& value) {
  std::size_t length = 0;
  for (const std::string& text : value) length += sizeof(std::uint64_t) + text.size();
  begin_field(FieldType::kTexts, tag, length);
  for (const std::string& text : value) {
    append(payload_, static_cast<std::uint64_t>(text.size()));
    payload_ += text;
  }
}

template <class T>
void ArchiveWriter::write_vector(std::string_view tag, const ConstVectorRef<T>& value) {
  constexpr auto kType = std::is_same_v<T, float> ? FieldType::kFloats : FieldType::kDoubles;
  check_finite(tag, all_finite(value));
  begin_field(kType, tag, static_cast<std::size_t>(value.size()) * sizeof(T));
  append(payload_, value.data(), value.size());
}

// Rows, columns, then the values row by row.
template <class T>
void ArchiveWriter::write_matrix(std::string_view tag, const ConstMatrixRef<T>& value) {
  constexpr auto kType =
      std::is_same_v<T, float> ? FieldType::kFloatMatrix : FieldType::kDoubleMatrix;
  check_finite(tag, all_finite(value));
  begin_field(kType, tag, 16 + static_cast<std::size_t>(value.size()) * sizeof(T));
  append(payload_, static_cast<std::int64_t>(value.rows()));
  append(payload_, static_cast<std::int64_t>(value.cols()));
  for (Index i = 0; i < value.rows(); ++i) append(payload_, value.row(i).data(), value.cols());
}

std::string ArchiveWriter::finish() const {
  if (open_.size() > 1) {
    fail("section {} is still open: close it before the archive is finished", open_.back().path);
  }
  std::string bytes;
  bytes.reserve(kArchiveHeader + payload_.size() + kArchiveTrailer);
  bytes += kArchiveMark;
  append(bytes, kArchiveVersion);
  append(bytes, static_cast<std::uint64_t>(payload_.size()));
  bytes += payload_;
  append(bytes, archive_checksum(bytes));
  return bytes;
}

void write_archive(const std::filesystem::path& path, const ArchiveWriter& out) {
  write_file_atomically(path, out.finish());
}

template void ArchiveWriter::write_vector<float>(std::string_view, const ConstVectorRef<float>&);
template void ArchiveWriter::write_vector<double>(std::string_view, const ConstVectorRef<double>&);
template void ArchiveWriter::write_matrix<float>(std::string_view, const ConstMatrixRef<float>&);
template void ArchiveWriter::write_matrix<double>(std::string_view, const ConstMatrixRef<double>&);

}  // namespace bandolier
