#include "bandolier/lab/env/test_data.h"

#include <fmt/format.h>
#include <stdlib.h>
#include <zlib.h>

#include <fstream>

#include "bandolier/core/random.h"

namespace bandolier::testing {
namespace fs = std::filesystem;

fs::path write_file(const TemporaryFolder& folder, const std::string& name,
                    std::string_view bytes) {
  const fs::path file = folder / name;
  fs::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << bytes;
  return file;
}

std::string gzip(std::string_view bytes) {
  z_stream stream{};
  deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, bytes.size()) + 32, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

std::optional<fs::path> real_data_folder() {
  const char* set = ::getenv("BANDOLIER_DATA");
  const fs::path folder =
      set != nullptr ? fs::path(set) : fs::path(BANDOLIER_SOURCE_DIR) / ".." / "shared" / "data";
  if (!fs::is_directory(folder)) return std::nullopt;
  return folder;
}

namespace {

constexpr int kRows = 60;

std::string idx(const std::vector<int>& sizes, std::string_view values) {
  std::string out{0, 0, 8, static_cast<char>(sizes.size())};
  for (const int size : sizes) {
    for (const int shift : {24, 16, 8, 0}) out += static_cast<char>(size >> shift & 0xff);
  }
  return out.append(values);
}

// A comma-separated line of integers below 10 in which the label, 1 to `classes`, is last.
std::string numbers(Random& random, int features, std::uint64_t classes, char separator) {
  std::string line;
  for (int i = 0; i < features; ++i) line += fmt::format("{}{}", random.below(10), separator);
  return line + fmt::format("{}\n", 1 + random.below(classes));
}

}  // namespace

void write_generated_data(const TemporaryFolder& folder) {
  Random random({1, Purpose::kTest, 0, 0});
  std::string shuttle, covertype, adult, mushroom, ratings, pixels, labels, own;
  own = "age,colour,label\n";
  for (int row = 0; row < kRows; ++row) {
    shuttle += numbers(random, 9, 7, ' ');
    covertype += numbers(random, 54, 7, ',');
    adult += fmt::format(
        "{}, {}, {}, Bachelors, {}, Never-married, {}, Husband, White, {}, 0, 0, {}, Peru, {}\n",
        20 + random.below(50), random.below(2) ? "Private" : "?", random.below(9999),
        random.below(16), random.below(2) ? "Sales" : "?", random.below(2) ? "Male" : "Female",
        random.below(60), random.below(2) ? "<=50K" : ">50K");
    mushroom += random.below(2) ? "p" : "e";
    for (int i = 0; i < 22; ++i)
      mushroom += fmt::format(",{}", "abc?"[random.below(i == 10 ? 4 : 3)]);
    mushroom += "\n";
    for (int i = 0; i < 8; ++i) {
      ratings += fmt::format("{}\t{}\t{}\t0\n", row + 1, 1 + random.below(40), 1 + random.below(5));
    }
    for (int i = 0; i < 9; ++i) pixels += static_cast<char>(random.below(256));
    labels += static_cast<char>(row % 4);
    own += fmt::format("{},{},{}\n", random.below(90), random.below(2) ? "red" : "blue",
                       random.below(3) ? "yes" : "no");
  }
  write_file(folder, "uci/shuttle.trn", shuttle);
  write_file(folder, "uci/covtype.data.gz", gzip(covertype));
  write_file(folder, "uci/adult.data", adult + "\n");
  write_file(folder, "uci/agaricus-lepiota.data", mushroom);
  write_file(folder, "ml-100k/u.data.gz", gzip(ratings));
  write_file(folder, "mnist/train-images-idx3-ubyte.gz", gzip(idx({kRows, 3, 3}, pixels)));
  write_file(folder, "mnist/train-labels-idx1-ubyte", idx({kRows}, labels));
  write_file(folder, "own.csv", own);
}

std::string generated_spec(const std::string& name, const TemporaryFolder& folder) {
  if (name == "csv") return fmt::format("csv:{},label=label", (folder.path() / "own.csv").string());
  if (name == "idx") {
    return fmt::format("idx:{0}/train-images-idx3-ubyte.gz,{0}/train-labels-idx1-ubyte",
                       (folder.path() / "mnist").string());
  }
  if (name == "fashion-mnist") return "fashion-mnist:part=test";
  return name;
}

}  // namespace bandolier::testing
