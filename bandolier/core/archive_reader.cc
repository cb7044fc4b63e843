#include <cmath>
#include <span>

#include "bandolier/core/archive.h"
#include "bandolier/core/archive_format.h"
#include "bandolier/core/error.h"
#include "bandolier/core/file.h"

namespace bandolier {
namespace {

template <class T>
T value_at(std::string_view bytes, std::size_t position) {
  T value;
  std::memcpy(&value, bytes.data() + position, sizeof value);
  return value;
}

// `to` may be null where there are no bytes.
template <class T>
void copy_bytes(std::string_view bytes, T* to) {
  if (!bytes.empty()) std::memcpy(to, bytes.data(), bytes.size());
}

std::string_view to_words(FieldType type) {
  switch (type) {
    case FieldType::kSection:
      return "a section";
    case FieldType::kInteger:
      return "an integer";
    case FieldType::kDouble:
      return "a double";
    case FieldType::kText:
      return "a text";
    case FieldType::kIntegers:
      return "a list of integers";
    case FieldType::kFloats:
      return "a vector of floats";
    case FieldType::kDoubles:
      return "a vector of doubles";
    case FieldType::kFloatMatrix:
      return "a matrix of floats";
    case FieldType::kDoubleMatrix:
      return "a matrix of doubles";
    case FieldType::kTexts:
      return "a list of texts";
  }
  return "of a type that this build does not know";
}

// `start` is the file's first bytes, at least as many as the mark has where there are so many.
void check_mark(std::string_view start, const std::string& name) {
  if (start.empty()) fail("{} is empty: expected a saved model", name);
  if (start.substr(0, kArchiveMark.size()) != kArchiveMark.substr(0, start.size())) {
    fail("{} is not a saved model: it does not begin with the archive's mark", name);
  }
}

// The payload of an intact file of this version. Mark, version, length and checksum stand at the
// same places in every version.
std::string_view payload_of(std::string_view file, const std::string& name) {
  check_mark(file, name);
  if (file.size() < kArchiveHeader + kArchiveTrailer) {
    fail("{} is cut off: {} bytes, less than a header; save the model again", name, file.size());
  }
  const auto version = value_at<std::uint32_t>(file, 8);
  const auto length = value_at<std::uint64_t>(file, 12);
  const std::size_t found = file.size() - kArchiveHeader - kArchiveTrailer;
  if (length != found) {
    fail("{} is cut off or extended: its header promises {} bytes of payload, found {}", name,
         length, found);
  }
  const std::size_t end = kArchiveHeader + found;
  if (archive_checksum(file.substr(0, end)) != value_at<std::uint32_t>(file, end)) {
    fail("{} is damaged: its checksum does not match; restore it from a copy", name);
  }
  if (version < kArchiveVersion) {
    fail(
        "{} has archive version {}: it was written by an earlier, unreleased format; make it again",
        name, version);
  }
  if (version > kArchiveVersion) {
    fail("{} has archive version {}: this build reads {}; use a newer bandolier", name, version,
         kArchiveVersion);
  }
  return file.substr(kArchiveHeader, found);
}

}  // namespace

ArchiveReader::ArchiveReader(std::string bytes, std::string name)
    : file_(std::make_shared<const File>(File{std::move(bytes), std::move(name)})) {
  list_fields(payload_of(file_->bytes, file_->name));
  check_sections(0);
}

ArchiveReader::ArchiveReader(std::shared_ptr<const File> file, std::string path,
                             std::string_view bytes)
    : file_(std::move(file)), path_(std::move(path)) {
  list_fields(bytes);
}

void ArchiveReader::list_fields(std::string_view bytes) {
  const auto unnamed = [&] { return where(fmt::format("(field {})", fields_.size() + 1)); };
  while (!bytes.empty()) {
    const std::size_t name_length = bytes.size() < 2 ? 0 : value_at<std::uint8_t>(bytes, 1);
    const std::size_t head = 2 + name_length + 8;
    if (bytes.size() < head) {
      fail("{} is cut off: {} bytes are left of its section, expected at least {}", unnamed(),
           bytes.size(), head);
    }
    const auto name = bytes.substr(2, name_length);
    if (!is_archive_name(name)) {
      fail("{} has no name: expected 1 to 255 printable ASCII characters without '/'", unnamed());
    }
    const auto length = value_at<std::uint64_t>(bytes, head - 8);
    if (length > bytes.size() - head) {
      fail("{} promises {} bytes: {} are left of its section", where(name), length,
           bytes.size() - head);
    }
    fields_.push_back({name, bytes.substr(head, length), value_at<FieldType>(bytes, 0)});
    bytes.remove_prefix(head + length);
  }
  std::ranges::sort(fields_, {}, &Field::name);
  const auto twin = std::ranges::adjacent_find(fields_, {}, &Field::name);
  if (twin != fields_.end()) fail("{} is there twice: expected one of a name", where(twin->name));
}

// Throws Error unless all sections within this one can be listed, however deep.
void ArchiveReader::check_sections(std::size_t depth) const {
  for (const Field& field : fields_) {
    if (field.type != FieldType::kSection) continue;
    if (depth == kArchiveDepth) {
      fail("{} lies in {} sections: expected at most {}", where(field.name), depth, depth - 1);
    }
    section(field.name).check_sections(depth + 1);
  }
}

std::string ArchiveReader::where(std::string_view tag) const {
  return fmt::format("{}: {}{}", file_->name, path_, tag);
}

const ArchiveReader::Field* ArchiveReader::find(std::string_view name) const {
  const auto found = std::ranges::lower_bound(fields_, name, {}, &Field::name);
  return found != fields_.end() && found->name == name ? &*found : nullptr;
}

ArchiveReader ArchiveReader::section(std::string_view name) const {
  return {file_, fmt::format("{}{}/", path_, name), value(FieldType::kSection, name)};
}

ArchiveReader ArchiveReader::section(std::string_view name, std::size_t index) const {
  return section(fmt::format("{}.{}", name, index));
}

std::string_view ArchiveReader::value(FieldType type, std::string_view tag) const {
  const Field* field = find(tag);
  if (field == nullptr) fail("{} is missing: expected {}", where(tag), to_words(type));
  if (field->type != type) {
    fail("{} is {}: expected {}", where(tag), to_words(field->type), to_words(type));
  }
  return field->value;
}

template <class List>
List ArchiveReader::elements(FieldType type, std::string_view tag) const {
  using T = typename List::value_type;
  const auto bytes = value(type, tag);
  if (bytes.size() % sizeof(T) != 0) {
    fail("{} has {} bytes: expected a multiple of {}", where(tag), bytes.size(), sizeof(T));
  }
  List list(bytes.size() / sizeof(T));
  copy_bytes(bytes, list.data());
  return list;
}

template <class T>
T ArchiveReader::scalar(FieldType type, std::string_view tag) const {
  const auto bytes = value(type, tag);
  if (bytes.size() != sizeof(T)) {
    fail("{} has {} bytes: expected {}", where(tag), bytes.size(), sizeof(T));
  }
  return value_at<T>(bytes, 0);
}

void ArchiveReader::check_finite(std::string_view tag, bool finite) const {
  if (!finite) fail("{} is not finite: no model is made from it", where(tag));
}

void ArchiveReader::check_count(std::string_view tag, Index found, Index expected) const {
  if (found != expected) fail("{} has {} values, expected {}", where(tag), found, expected);
}

template <class Values, class Number>
void ArchiveReader::check_bounds(std::string_view tag, const Values& values, Number least,
                                 Number most) const {
  for (const auto value : values) {
    const auto number = static_cast<Number>(value);
    if (number < least || number > most) {
      fail("{} holds {}: expected {} to {}", where(tag), value, least, most);
    }
  }
}

std::int64_t ArchiveReader::read_integer(std::string_view tag, std::int64_t least,
                                         std::int64_t most) const {
  const auto value = scalar<std::int64_t>(FieldType::kInteger, tag);
  if (value < least || value > most) {
    fail("{} is {}: expected {} to {}", where(tag), value, least, most);
  }
  return value;
}

bool ArchiveReader::read_bool(std::string_view tag) const {
  const std::int64_t value = read_integer(tag);
  if (value != 0 && value != 1) fail("{} is {}: expected 0 or 1", where(tag), value);
  return value == 1;
}

double ArchiveReader::read_double(std::string_view tag, const Bounds& bounds) const {
  const auto value = scalar<double>(FieldType::kDouble, tag);
  check_finite(tag, std::isfinite(value));
  if (value < bounds.least || value > bounds.most) {
    fail("{} is {}: expected {} to {}", where(tag), value, bounds.least, bounds.most);
  }
  return value;
}

std::string ArchiveReader::read_text(std::string_view tag) const {
  return std::string(value(FieldType::kText, tag));
}

std::vector<std::int64_t> ArchiveReader::read_integers(std::string_view tag) const {
  return elements<std::vector<std::int64_t>>(FieldType::kIntegers, tag);
}

std::vector<std::int64_t> ArchiveReader::read_integers(std::string_view tag, std::size_t count,
                                                       std::int64_t least,
                                                       std::int64_t most) const {
  auto values = read_integers(tag);
  check_count(tag, std::ssize(values), static_cast<Index>(count));
  check_bounds(tag, values, least, most);
  return values;
}

std::vector<double> ArchiveReader::read_doubles(std::string_view tag) const {
  const auto values = read_vector<double>(tag);
  return {values.begin(), values.end()};
}

std::vector<double> ArchiveReader::read_doubles(std::string_view tag, std::size_t count,
                                                const Bounds& bounds) const {
  auto values = read_doubles(tag);
  check_count(tag, std::ssize(values), static_cast<Index>(count));
  check_bounds(tag, values, bounds.least, bounds.most);
  return values;
}

std::vector<std::string> ArchiveReader::read_texts(std::string_view tag) const {
  std::vector<std::string> texts;
  constexpr std::size_t kLength = sizeof(std::uint64_t);
  for (auto bytes = value(FieldType::kTexts, tag); !bytes.empty();) {
    const auto length = bytes.size() < kLength ? 0 : value_at<std::uint64_t>(bytes, 0);
    if (bytes.size() < kLength || length > bytes.size() - kLength) {
      fail("{} is cut off in text {}", where(tag), texts.size() + 1);
    }
    texts.emplace_back(bytes.substr(kLength, length));
    bytes.remove_prefix(kLength + length);
  }
  return texts;
}

template <class T>
Vector<T> ArchiveReader::read_vector(std::string_view tag) const {
  constexpr auto kType = std::is_same_v<T, float> ? FieldType::kFloats : FieldType::kDoubles;
  auto values = elements<Vector<T>>(kType, tag);
  check_finite(tag, all_finite(values));
  return values;
}

template <class T>
Matrix<T> ArchiveReader::read_matrix(std::string_view tag, const Bounds& bounds) const {
  constexpr auto kType =
      std::is_same_v<T, float> ? FieldType::kFloatMatrix : FieldType::kDoubleMatrix;
  constexpr std::size_t kSizes = 16;
  const auto bytes = value(kType, tag);
  if (bytes.size() < kSizes || bytes.size() % sizeof(T) != 0) {
    fail("{} has {} bytes: expected {} and a multiple of {}", where(tag), bytes.size(), kSizes,
         sizeof(T));
  }
  const auto rows = value_at<std::int64_t>(bytes, 0);
  const auto cols = value_at<std::int64_t>(bytes, 8);
  const auto count = static_cast<std::int64_t>((bytes.size() - kSizes) / sizeof(T));
  // Division, not a product: rows · cols may overflow.
  const bool fits =
      rows >= 0 && cols >= 0 &&
      (rows == 0 || cols == 0 ? count == 0 : count % rows == 0 && count / rows == cols);
  if (!fits) fail("{} is {} x {}: it holds {} values", where(tag), rows, cols, count);
  Matrix<T> values(rows, cols);
  copy_bytes(bytes.substr(kSizes), values.data());
  check_finite(tag, all_finite(values));
  check_bounds(tag, std::span(values.data(), static_cast<std::size_t>(count)), bounds.least,
               bounds.most);
  return values;
}

template <class T>
void ArchiveReader::read_into_vector(std::string_view tag, VectorRef<T> out,
                                     const Bounds& bounds) const {
  const auto values = read_vector<T>(tag);
  check_count(tag, values.size(), out.size());
  check_bounds(tag, values, bounds.least, bounds.most);
  out = values;
}

template <class T>
void ArchiveReader::read_into_matrix(std::string_view tag, MatrixRef<T> out,
                                     const Bounds& bounds) const {
  const auto values = read_matrix<T>(tag, bounds);
  if (values.rows() != out.rows() || values.cols() != out.cols()) {
    fail("{} is {} x {}, expected {} x {}", where(tag), values.rows(), values.cols(), out.rows(),
         out.cols());
  }
  out = values;
}

ArchiveReader read_archive(const std::filesystem::path& path) {
  check_mark(read_start(path, kArchiveMark.size()), path.string());
  return {read_file(path), path.string()};
}

template Vector<float> ArchiveReader::read_vector<float>(std::string_view) const;
template Vector<double> ArchiveReader::read_vector<double>(std::string_view) const;
template Matrix<float> ArchiveReader::read_matrix<float>(std::string_view, const Bounds&) const;
template Matrix<double> ArchiveReader::read_matrix<double>(std::string_view, const Bounds&) const;
template void ArchiveReader::read_into_vector<float>(std::string_view, VectorRef<float>,
                                                     const Bounds&) const;
template void ArchiveReader::read_into_vector<double>(std::string_view, VectorRef<double>,
                                                      const Bounds&) const;
template void ArchiveReader::read_into_matrix<float>(std::string_view, MatrixRef<float>,
                                                     const Bounds&) const;
template void ArchiveReader::read_into_matrix<double>(std::string_view, MatrixRef<double>,
                                                      const Bounds&) const;

}  // namespace bandolier
