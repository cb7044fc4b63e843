// libFuzzer target for everything that reads data files: whatever the bytes, a reader returns or
// throws Error. The first byte chooses the reader, the rest is the file. Run by scripts/fuzz.
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>

#include "bandolier/core/error.h"
#include "bandolier/lab/env/idx.h"
#include "bandolier/lab/env/lzw.h"
#include "bandolier/lab/env/table.h"

namespace {

using namespace bandolier;

void check(bool holds) {
  if (!holds) __builtin_trap();
}

void read_as_table(Input& input, TableFormat format) {
  const Table table = read_table(input, format);
  check(table.rows > 0);
  for (const TableColumn& column : table.columns) {
    if (!column.categorical) {
      const auto numbers = table.numbers.col(column.store);
      check(std::isfinite(column.mean) && !numbers.array().isInf().any());
      check(numbers.array().isNaN().count() == column.missing);
      continue;
    }
    const auto most = static_cast<Index>(column.words.size()) - (column.missing > 0 ? 0 : 1);
    check(table.codes.col(column.store).maxCoeff() <= most);
  }
}

void read_one(std::uint8_t reader, const std::string& bytes) {
  const auto input = text_input(bytes, "fuzz");
  switch (reader % 8) {
    case 0:
      return read_as_table(*input, {});
    case 1:
      return read_as_table(*input, {.separator = ',', .header = Header::kYes});
    case 2:
      return read_as_table(*input, {.separator = ' ', .header = Header::kNo});
    case 3:
      return read_as_table(*input, {.categorical = {"2"}, .required = {"2"}, .missing = {"x"}});
    case 4:
      return read_as_table(*input, {.drop = {"1"}, .outcome_prefix = "r"});
    case 5:
      return check(read_idx(*input, 1).sizes.size() == 1);
    case 6:
      return check(read_idx(*input, 3).sizes.size() == 3);
    default:
      return check(unpack_lzw(bytes, "fuzz", 1 << 20).size() <= 1 << 20);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  try {
    read_one(data[0], std::string(reinterpret_cast<const char*>(data) + 1, size - 1));
  } catch (const Error&) {
  }
  return 0;
}
