// Archives as trees of fields, and changes of them that a checksum cannot see, for fuzzing.
#pragma once

#include <string>
#include <vector>

#include "bandolier/core/archive_format.h"
#include "bandolier/core/random.h"

namespace bandolier::testing {

struct Field {
  FieldType type;
  std::string name;
  std::string value;          // of all but sections
  std::vector<Field> fields;  // of a section
};

// The fields of an intact archive.
std::vector<Field> parse_archive(const std::string& bytes);

// An archive with one to three changes: a number, a size or a text becomes an extreme one; a field
// is cut, deleted, given another's value, or that of the same name in `other`; bytes are flipped.
std::string mutated_archive(std::vector<Field> archive, const std::vector<Field>& other,
                            Random& random);

}  // namespace bandolier::testing
