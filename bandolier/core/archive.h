// Saved models: named fields in named sections, which may be nested. A reader asks for a field by
// its name within its section, in any order, and skips the rest. So a model can save more tomorrow
// and still load what it saved today. The bytes: archive_format.h.
//
//   ArchiveWriter out;                          const ArchiveReader in = read_archive(path);
//   out.write("steps", steps);                  steps = in.read_integer("steps");
//   {
//     const auto s = out.section("optimiser");  optimiser.load(in.section("optimiser"));
//     optimiser.save(out);
//   }
//   write_archive(path, out);
//
// Floats and doubles are finite: a model that has diverged is neither saved nor loaded.
#pragma once

#include <concepts>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "bandolier/core/types.h"

namespace bandolier {

enum class FieldType : std::uint8_t;  // archive_format.h

// What the numbers of a field may be, both ends included. All are finite.
struct Bounds {
  double least = std::numeric_limits<double>::lowest();
  double most = std::numeric_limits<double>::max();
};
// Counts stay exact as doubles, and can be added to.
inline constexpr std::int64_t kMostCount = std::int64_t{1} << 53;

// Throws Error for a name that its section already has, or that is not 1 to 255 printable ASCII
// characters without '/'.
class ArchiveWriter {
 public:
  // An open section: closed when this dies.
  class [[nodiscard]] Section {
   public:
    Section(const Section&) = delete;
    Section& operator=(const Section&) = delete;
    ~Section() { writer_.close_section(); }

   private:
    friend class ArchiveWriter;
    explicit Section(ArchiveWriter& writer) : writer_(writer) {}
    ArchiveWriter& writer_;
  };

  // Fields written until the returned object dies belong to the section `name`.
  Section section(std::string_view name);
  Section section(std::string_view name, std::size_t index);  // "name.index", for lists

  template <std::integral I>
  void write(std::string_view tag, I value) {
    write_integer(tag, static_cast<std::int64_t>(value));
  }
  void write(std::string_view tag, double value);
  void write(std::string_view tag, std::string_view value);
  void write(std::string_view tag, const std::vector<std::int64_t>& value);
  void write(std::string_view tag, const std::vector<double>& value);
  void write(std::string_view tag, const std::vector<std::string>& value);
  // Columns are vectors, everything else is a matrix; of float or double.
  template <class Derived>
  void write(std::string_view tag, const Eigen::DenseBase<Derived>& value) {
    using T = typename Derived::Scalar;
    if constexpr (Derived::ColsAtCompileTime == 1) {
      write_vector<T>(tag, value.derived());
    } else {
      write_matrix<T>(tag, value.derived());
    }
  }

  // The whole file's bytes. Throws Error where a section is still open.
  std::string finish() const;

 private:
  struct OpenSection {
    std::string path;       // of its fields, in errors: "members.0/belief/"
    std::size_t start = 0;  // of its fields in payload_
    std::set<std::string> names;
  };
  // A field's head; `length` bytes of value must follow.
  void begin_field(FieldType type, std::string_view tag, std::size_t length);
  void close_section();
  void check_finite(std::string_view tag, bool finite) const;
  void write_integer(std::string_view tag, std::int64_t value);
  template <class T>
  void write_vector(std::string_view tag, const ConstVectorRef<T>& value);
  template <class T>
  void write_matrix(std::string_view tag, const ConstMatrixRef<T>& value);

  std::string payload_;
  std::vector<OpenSection> open_{1};  // the outermost first
};

// A section of an archive, at first the outermost. Immutable; copies and sections share the bytes.
// Every read throws Error where the field is missing, of another type, not finite or out of the
// bounds that the caller names. No read takes more memory than a few times the field's own bytes.
class ArchiveReader {
 public:
  // `name` (a path) opens all errors. Throws Error unless the bytes are one intact archive.
  ArchiveReader(std::string bytes, std::string name);

  // Whether this section has such a field or section.
  bool has(std::string_view name) const { return find(name) != nullptr; }
  // O(its fields); no value is copied.
  ArchiveReader section(std::string_view name) const;
  ArchiveReader section(std::string_view name, std::size_t index) const;

  std::int64_t read_integer(std::string_view tag,
                            std::int64_t least = std::numeric_limits<std::int64_t>::min(),
                            std::int64_t most = std::numeric_limits<std::int64_t>::max()) const;
  std::int64_t read_count(std::string_view tag) const { return read_integer(tag, 0, kMostCount); }
  bool read_bool(std::string_view tag) const;
  double read_double(std::string_view tag, const Bounds& bounds = {}) const;
  std::string read_text(std::string_view tag) const;
  std::vector<std::int64_t> read_integers(std::string_view tag) const;
  // So many of them, each from `least` to `most`.
  std::vector<std::int64_t> read_integers(std::string_view tag, std::size_t count,
                                          std::int64_t least, std::int64_t most) const;
  std::vector<double> read_doubles(std::string_view tag) const;
  std::vector<double> read_doubles(std::string_view tag, std::size_t count,
                                   const Bounds& bounds) const;
  std::vector<std::string> read_texts(std::string_view tag) const;
  template <class T>
  Vector<T> read_vector(std::string_view tag) const;
  template <class T>
  Matrix<T> read_matrix(std::string_view tag, const Bounds& bounds = {}) const;
  // The same into an object whose size is already known; another size is an Error.
  template <class Out>
  void read_into(std::string_view tag, Out&& out, const Bounds& bounds = {}) const {
    using Object = std::remove_cvref_t<Out>;
    using T = typename Object::Scalar;
    if constexpr (Object::ColsAtCompileTime == 1) {
      read_into_vector<T>(tag, out, bounds);
    } else {
      read_into_matrix<T>(tag, out, bounds);
    }
  }

  std::size_t file_bytes() const { return file_->bytes.size(); }

  // The full name of a field, to open an error with: "model.bndl: members.0/belief/mean".
  std::string where(std::string_view tag) const;

 private:
  struct File {
    std::string bytes, name;
  };
  struct Field {
    std::string_view name, value;
    FieldType type;
  };
  ArchiveReader(std::shared_ptr<const File> file, std::string path, std::string_view bytes);
  void list_fields(std::string_view bytes);
  void check_sections(std::size_t depth) const;
  const Field* find(std::string_view name) const;
  std::string_view value(FieldType type, std::string_view tag) const;
  template <class T>
  T scalar(FieldType type, std::string_view tag) const;
  template <class List>
  List elements(FieldType type, std::string_view tag) const;
  void check_finite(std::string_view tag, bool finite) const;
  void check_count(std::string_view tag, Index found, Index expected) const;
  template <class Values, class Number>
  void check_bounds(std::string_view tag, const Values& values, Number least, Number most) const;
  template <class T>
  void read_into_vector(std::string_view tag, VectorRef<T> out, const Bounds& bounds) const;
  template <class T>
  void read_into_matrix(std::string_view tag, MatrixRef<T> out, const Bounds& bounds) const;

  std::shared_ptr<const File> file_;
  std::string path_;           // of this section's fields: "members.0/belief/"
  std::vector<Field> fields_;  // by name; views of file_
};

// Objects of one kind, a section each: NAME.0, NAME.1, ...
template <class T>
void save_list(std::string_view name, const std::vector<T>& list, ArchiveWriter& out) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    const auto section = out.section(name, i);
    list[i].save(out);
  }
}
// Into as many as there are.
template <class T>
void load_list(std::string_view name, std::vector<T>& list, const ArchiveReader& in) {
  for (std::size_t i = 0; i < list.size(); ++i) list[i].load(in.section(name, i));
}

// A whole archive at a path: the old file or the new one, never half of it (file.h).
void write_archive(const std::filesystem::path& path, const ArchiveWriter& out);
// Of what is no regular file, or does not begin as an archive does, nothing more is read.
ArchiveReader read_archive(const std::filesystem::path& path);

}  // namespace bandolier
