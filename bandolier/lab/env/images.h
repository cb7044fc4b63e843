// Image classification as a bandit: MNIST, Fashion-MNIST, and any pair of IDX files. An action is a
// class; the right one pays 1. Pixels are scaled to [0, 1] and not standardised.
#pragma once

#include <filesystem>

#include "bandolier/core/options.h"
#include "bandolier/lab/env/environment.h"
#include "bandolier/lab/env/rows.h"

namespace bandolier {

enum class ImagePart { kTrain, kTest };
inline Words words_of(ImagePart) {
  static constexpr std::string_view kWords[] = {"train", "test"};
  return kWords;
}

struct ImageOptions : RowsOptions {
  ImagePart part = ImagePart::kTrain;
};
const OptionTable<ImageOptions>& image_options();

// From $BANDOLIER_DATA/mnist.
std::unique_ptr<Environment> make_mnist(const ImageOptions& options);
// From the folder of Debian's package dataset-fashion-mnist.
std::unique_ptr<Environment> make_fashion_mnist(const ImageOptions& options);
std::unique_ptr<Environment> make_idx(const std::filesystem::path& images,
                                      const std::filesystem::path& labels,
                                      const RowsOptions& options);

}  // namespace bandolier
