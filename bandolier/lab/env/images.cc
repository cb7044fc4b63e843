#include "bandolier/lab/env/images.h"

#include <algorithm>

#include "bandolier/lab/env/data_folder.h"
#include "bandolier/lab/env/idx.h"
#include "bandolier/lab/env/sources.h"

namespace bandolier {
namespace {

// Pixels stay bytes: 47 MB for MNIST's 60,000 images.
class ImageRows final : public Rows {
 public:
  ImageRows(IdxArray images, IdxArray labels)
      : images_(std::move(images)),
        labels_(std::move(labels.values)),
        pixels_(images_.sizes[1] * images_.sizes[2]),
        actions_(1 + *std::max_element(labels_.begin(), labels_.end())) {}

  Index count() const override { return images_.sizes[0]; }

  ProblemShape shape() const override {
    return {.features = pixels_,
            .actions = actions_,
            .image = {.height = images_.sizes[1], .width = images_.sizes[2], .channels = 1}};
  }

  Context context(Index row, ContextBuffer& buffer) const override {
    buffer.values.resize(static_cast<std::size_t>(pixels_));
    const ConstVectorMap<std::uint8_t> image(images_.values.data() + row * pixels_, pixels_);
    VectorMap<float>(buffer.values.data(), pixels_) = image.cast<float>() / 255.0f;
    return {Features::dense(buffer.values), actions_, {}, {}};
  }

  float reward(Index row, Index action, Random&) const override {
    return label_reward(label(row), action);
  }

  void expected_rewards(Index row, std::span<float> out) const override {
    label_rewards(label(row), out);
  }

 private:
  Index label(Index row) const { return labels_[static_cast<std::size_t>(row)]; }

  IdxArray images_;
  std::vector<std::uint8_t> labels_;
  Index pixels_;
  Index actions_;
};

std::unique_ptr<Environment> make(const std::filesystem::path& image_file,
                                  const std::filesystem::path& label_file,
                                  const RowsOptions& options, const std::string& name) {
  IdxArray images = read_idx(*open_input(image_file), 3);
  IdxArray labels = read_idx(*open_input(label_file), 1);
  if (images.sizes[0] != labels.sizes[0]) {
    fail("{} has {} images and {} has {} labels: expected as many", image_file.string(),
         images.sizes[0], label_file.string(), labels.sizes[0]);
  }
  if (std::all_of(labels.values.begin(), labels.values.end(),
                  [&](std::uint8_t label) { return label == labels.values.front(); })) {
    fail("{}: every label is {}: expected at least two classes", label_file.string(),
         labels.values.front());
  }
  return make_rows_environment(std::make_shared<ImageRows>(std::move(images), std::move(labels)),
                               options, name);
}

std::string image_file(const ImageOptions& options) {
  return (options.part == ImagePart::kTrain ? "train" : "t10k") + std::string("-images-idx3-ubyte");
}
std::string label_file(const ImageOptions& options) {
  return (options.part == ImagePart::kTrain ? "train" : "t10k") + std::string("-labels-idx1-ubyte");
}

}  // namespace

const OptionTable<ImageOptions>& image_options() {
  static const OptionTable<ImageOptions> table = [] {
    OptionTable<ImageOptions> rows = {
        {"part", &ImageOptions::part, "the 60,000 training or the 10,000 test images"}};
    rows.include(rows_options());
    return rows;
  }();
  return table;
}

std::unique_ptr<Environment> make_mnist(const ImageOptions& options) {
  return make(require_data_file("mnist", "mnist/" + image_file(options)),
              require_data_file("mnist", "mnist/" + label_file(options)), options, "mnist");
}

std::unique_ptr<Environment> make_fashion_mnist(const ImageOptions& options) {
  const auto require = [](const std::string& file) {
    auto found = find_plain_or_gzipped(kFashionFolder, file);
    if (found.empty()) {
      fail("{}/{} is missing (plain or .gz): install Debian's package dataset-fashion-mnist",
           kFashionFolder, file);
    }
    return found;
  };
  return make(require(image_file(options)), require(label_file(options)), options, "fashion-mnist");
}

std::unique_ptr<Environment> make_idx(const std::filesystem::path& images,
                                      const std::filesystem::path& labels,
                                      const RowsOptions& options) {
  return make(images, labels, options, "idx");
}

}  // namespace bandolier
