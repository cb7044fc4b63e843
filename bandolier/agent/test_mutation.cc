#include "bandolier/agent/test_mutation.h"

#include <limits>

#include "bandolier/core/archive.h"
#include "bandolier/core/test_archive.h"

namespace bandolier::testing {
namespace {

std::vector<Field> parse_fields(std::string_view bytes) {
  std::vector<Field> fields;
  while (!bytes.empty()) {
    const auto name_size = static_cast<std::uint8_t>(bytes[1]);
    std::uint64_t length = 0;
    std::memcpy(&length, bytes.data() + 2 + name_size, sizeof length);
    const std::string_view value = bytes.substr(10u + name_size, length);
    Field field{static_cast<FieldType>(bytes[0]), std::string(bytes.substr(2, name_size)), {}, {}};
    if (field.type == FieldType::kSection) {
      field.fields = parse_fields(value);
    } else {
      field.value = value;
    }
    fields.push_back(std::move(field));
    bytes.remove_prefix(10u + name_size + length);
  }
  return fields;
}

template <class T>
std::string bits(T value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

std::string to_bytes(const std::vector<Field>& fields) {
  std::string bytes;
  for (const Field& field : fields) {
    const std::string value =
        field.type == FieldType::kSection ? to_bytes(field.fields) : field.value;
    bytes += static_cast<char>(field.type);
    bytes += static_cast<char>(field.name.size());
    bytes += field.name + bits(std::uint64_t{value.size()}) + value;
  }
  return bytes;
}

void list_fields(std::vector<Field>& fields, std::vector<Field*>& all) {
  for (Field& field : fields) {
    all.push_back(&field);
    list_fields(field.fields, all);
  }
}

template <class T>
void put(std::string& value, std::size_t at, T number) {
  if (at + sizeof number <= value.size()) std::memcpy(value.data() + at, &number, sizeof number);
}

class Mutator {
 public:
  Mutator(std::vector<Field>& archive, const std::vector<Field>& other, Random& random)
      : archive_(archive), other_(other), random_(random) {}

  void change() {
    std::vector<Field*> all, theirs;
    list_fields(archive_, all);
    list_fields(other_, theirs);
    if (all.empty()) return;
    Field& field = *all[below(all.size())];
    switch (below(8)) {
      case 0:
        return cut(field);
      case 1:
        return erase(archive_, field);
      case 2: {
        const Field& donor = *all[below(all.size())];
        return take(field, Field(donor));
      }
      case 3:
        for (const Field* donor : theirs) {
          if (donor->name == field.name) return take(field, Field(*donor));
        }
        return;
      default:
        return to_extreme(field);
    }
  }

 private:
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(random_.below(n)); }

  static void take(Field& field, Field donor) {
    donor.name = field.name;
    field = std::move(donor);
  }

  static void erase(std::vector<Field>& fields, const Field& field) {
    for (auto& one : fields) {
      if (&one == &field) {
        fields.erase(fields.begin() + (&one - fields.data()));
        return;
      }
      erase(one.fields, field);
    }
  }

  void cut(Field& field) {
    if (field.value.empty()) return;
    if (below(2) == 0) {
      field.value.resize(below(field.value.size()) / 4 * 4);
    } else {
      field.value += field.value;
    }
  }

  std::int64_t extreme_integer() {
    constexpr auto kLimits = std::numeric_limits<std::int64_t>{};
    const std::int64_t numbers[] = {0,
                                    1,
                                    2,
                                    -1,
                                    7,
                                    1000,
                                    1000000,
                                    1 << 30,
                                    1LL << 31,
                                    (1LL << 32) + 1,
                                    1LL << 53,
                                    1LL << 60,
                                    1LL << 62,
                                    kLimits.min(),
                                    kLimits.max()};
    return numbers[below(std::size(numbers))];
  }

  double extreme_number() {
    constexpr auto kLimits = std::numeric_limits<double>{};
    const double numbers[] = {0,
                              -0.0,
                              1,
                              -1,
                              0.5,
                              1e-30,
                              1e-45,
                              1e9,
                              1e14,
                              1e29,
                              1e38,
                              -1e38,
                              1e300,
                              1e-300,
                              -1e300,
                              kLimits.quiet_NaN(),
                              kLimits.infinity(),
                              -kLimits.infinity()};
    return numbers[below(std::size(numbers))];
  }

  template <class T>
  void number_in(std::string& value, std::size_t first, T number) {
    if (value.size() < first + sizeof number) return;
    const std::size_t count = (value.size() - first) / sizeof number;
    if (below(4) != 0) return put(value, first + sizeof number * below(count), number);
    for (std::size_t i = 0; i < count; ++i) put(value, first + sizeof number * i, number);
  }

  void to_extreme(Field& field) {
    const double number = extreme_number();
    switch (field.type) {
      case FieldType::kInteger:
      case FieldType::kIntegers:
        return number_in(field.value, 0, extreme_integer());
      case FieldType::kDouble:
      case FieldType::kDoubles:
        return number_in(field.value, 0, number);
      case FieldType::kFloats:
        return number_in(field.value, 0, static_cast<float>(number));
      case FieldType::kFloatMatrix:
      case FieldType::kDoubleMatrix:
        if (below(4) == 0) return put(field.value, 8 * below(2), extreme_integer());
        if (field.type == FieldType::kDoubleMatrix) return number_in(field.value, 16, number);
        return number_in(field.value, 16, static_cast<float>(number));
      case FieldType::kText:
        field.value = below(2) == 0 ? std::string() : std::string(5000, 'x');
        return;
      case FieldType::kTexts:
        if (!field.value.empty()) field.value[below(field.value.size())] = '9';
        return;
      case FieldType::kSection:
        return field.fields.clear();
    }
  }

  std::vector<Field>& archive_;
  std::vector<Field> other_;
  Random& random_;
};

}  // namespace

std::vector<Field> parse_archive(const std::string& bytes) {
  return parse_fields(std::string_view(bytes).substr(
      kArchiveHeader, bytes.size() - kArchiveHeader - kArchiveTrailer));
}

std::string mutated_archive(std::vector<Field> archive, const std::vector<Field>& other,
                            Random& random) {
  Mutator mutator(archive, other, random);
  const bool flips = random.below(5) == 0;
  const std::uint64_t changes = flips ? 0 : 1 + random.below(3);
  for (std::uint64_t i = 0; i < changes; ++i) mutator.change();
  std::string bytes = ArchiveWriter().finish().substr(0, kArchiveHeader) + to_bytes(archive);
  for (std::uint64_t i = 0; flips && i < 1 + random.below(4); ++i) {
    const auto at = kArchiveHeader + random.below(bytes.size() - kArchiveHeader);
    bytes[at] = static_cast<char>(bytes[at] ^ (1 << random.below(8)));
  }
  return reseal(bytes + "crc.");
}

}  // namespace bandolier::testing
