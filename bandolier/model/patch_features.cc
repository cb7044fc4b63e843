#include "bandolier/model/patch_features.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cmath>

#include "bandolier/core/error.h"

namespace bandolier {
namespace {

constexpr Index kSide = 6, kLeastSide = 3;
constexpr Index kCells = 4;     // per side
constexpr Index kLargest = 40;  // pixels per side
constexpr Index kFewestImages = 10;
constexpr Index kMostWindows = 20'000;  // that filters are learnt from
constexpr int kRounds = 15;
constexpr float kFlat = 0.1f;   // of the mean variance: below it windows tell nothing
constexpr float kFloor = 0.1f;  // of the mean eigenvalue
constexpr float kThreshold = 0.7f;

// Rows of x that tell something, normalised: those of variance above a part of the mean.
Matrix<float> lively(const Matrix<float>& x, float least) {
  Matrix<float> kept(x.rows(), x.cols());
  Index count = 0;
  for (Index i = 0; i < x.rows(); ++i) {
    const auto centred = (x.row(i).array() - x.row(i).mean()).matrix();
    const float variance = centred.squaredNorm() / static_cast<float>(x.cols());
    if (variance > least) kept.row(count++) = centred / std::sqrt(variance + least);
  }
  return kept.topRows(count);
}

// Σ U diag((λ + floor)^{-1/2}) Uᵀ of the rows' covariance.
Matrix<float> whitening(const Matrix<float>& rows) {
  const Matrix<float> covariance = rows.transpose() * rows / static_cast<float>(rows.rows());
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(covariance.cast<double>());
  const double floor = kFloor * eigen.eigenvalues().mean();
  const Eigen::VectorXd roots = (eigen.eigenvalues().array().max(0) + floor).rsqrt();
  return (eigen.eigenvectors() * roots.asDiagonal() * eigen.eigenvectors().transpose())
      .cast<float>();
}

// Centres as columns of length 1, from rows drawn at random.
Matrix<float> spherical_k_means(const Matrix<float>& rows, Index centres, Random random) {
  Matrix<float> d(rows.cols(), centres);
  const auto any_row = [&] {
    return rows.row(static_cast<Index>(random.below(static_cast<std::uint64_t>(rows.rows()))));
  };
  for (Index k = 0; k < centres; ++k) d.col(k) = any_row().transpose().normalized();
  Matrix<float> likeness(rows.rows(), centres);
  for (int round = 0; round < kRounds; ++round) {
    likeness.noalias() = rows * d;
    Matrix<float> sums = Matrix<float>::Zero(d.rows(), d.cols());
    for (Index i = 0; i < rows.rows(); ++i) {
      Index nearest = 0;
      likeness.row(i).maxCoeff(&nearest);
      sums.col(nearest) += rows.row(i).transpose();
    }
    for (Index k = 0; k < centres; ++k) {
      const bool used = sums.col(k).squaredNorm() > 0;
      d.col(k) = used ? sums.col(k).normalized() : any_row().transpose().normalized();
    }
  }
  return d;
}

}  // namespace

ProblemShape PatchFeatures::shape_of(const ProblemShape& given, Index filters) {
  ProblemShape shape = given;
  shape.image = {};
  shape.features = kCells * kCells * filters;
  return shape;
}

PatchFeatures::PatchFeatures(const ProblemShape& shape, Index filters)
    : given_(shape.image), shape_(shape_of(shape, filters)) {
  factor_ = (std::max(given_.height, given_.width) + kLargest - 1) / kLargest;
  image_ = {given_.height / factor_, given_.width / factor_, given_.channels};
  side_ = std::min({kSide, image_.height, image_.width});
  filters_.setZero(side_ * side_ * image_.channels, filters);
  thresholds_.setZero(filters);
  mean_.setZero(shape_.features);
}

void PatchFeatures::unroll(const Context& context, PatchScratch& memory) const {
  const Index channels = given_.channels;
  memory.image.setZero(image_.size());
  const float share = 1 / static_cast<float>(factor_ * factor_);
  const auto put = [&](Index place, float value) {
    if (factor_ == 1) {
      memory.image[place] = value;
      return;
    }
    const Index channel = place % channels, pixel = place / channels;
    const Index y = pixel / given_.width / factor_, x = pixel % given_.width / factor_;
    if (y >= image_.height || x >= image_.width) return;
    memory.image[(y * image_.width + x) * channels + channel] += share * value;
  };
  const Features& features = context.features;
  for (std::size_t i = 0; i < features.values.size(); ++i) {
    put(features.sparse() ? Index{features.indices[i]} : static_cast<Index>(i), features.values[i]);
  }
  const Index rows = image_.height - side_ + 1, columns = image_.width - side_ + 1;
  const Index run = side_ * channels;
  memory.windows.resize(rows * columns, side_ * run);
  memory.scale.resize(rows * columns);
  for (Index y = 0; y < rows; ++y) {
    for (Index x = 0; x < columns; ++x) {
      const Index position = y * columns + x;
      float* window = memory.windows.row(position).data();
      for (Index dy = 0; dy < side_; ++dy) {
        const float* from = memory.image.data() + ((y + dy) * image_.width + x) * channels;
        std::copy_n(from, run, window + dy * run);
      }
      const ConstVectorMap<float> values(window, side_ * run);
      const float mean = values.mean();
      const float variance = (values.array() - mean).square().mean();
      memory.scale[position] = 1 / std::sqrt(variance + flat_);
    }
  }
}

void PatchFeatures::respond(PatchScratch& memory) const {
  const Index rows = image_.height - side_ + 1, columns = image_.width - side_ + 1;
  const Index filters = filters_.cols();
  memory.responses.noalias() = memory.windows * filters_;
  memory.values.assign(static_cast<std::size_t>(shape_.features), 0.0f);
  std::array<Index, kCells * kCells> places{};  // windows per cell
  for (Index y = 0; y < rows; ++y) {
    for (Index x = 0; x < columns; ++x) {
      const Index position = y * columns + x;
      const Index cell = y * kCells / rows * kCells + x * kCells / columns;
      ++places[static_cast<std::size_t>(cell)];
      VectorMap<float> sum(memory.values.data() + cell * filters, filters);
      sum.array() += (memory.scale[position] * memory.responses.row(position).transpose().array() -
                      thresholds_.array())
                         .max(0.0f);
    }
  }
  for (std::size_t cell = 0; cell < places.size(); ++cell) {
    const auto count = static_cast<float>(std::max<Index>(1, places[cell]));
    VectorMap<float> sum(memory.values.data() + static_cast<Index>(cell) * filters, filters);
    sum = (sum / count).cwiseSqrt();
  }
}

std::optional<PatchFeatures> PatchFeatures::learn(std::span<const Experience> experience,
                                                  const ProblemShape& shape, Index filters,
                                                  const Random& random) {
  const auto images = static_cast<Index>(experience.size());
  PatchFeatures result(shape, filters);
  if (images < kFewestImages || result.side_ < kLeastSide) return std::nullopt;

  // Every so many-th window of each image.
  PatchScratch memory;
  Matrix<float> windows;
  Index count = 0;
  for (const Experience& one : experience) {
    result.unroll(one.context, memory);
    const Index step = (images * memory.windows.rows() + kMostWindows - 1) / kMostWindows;
    const Index some = memory.windows.rows() / step;
    if (windows.size() == 0) windows.resize(images * some, memory.windows.cols());
    for (Index i = 0; i < some; ++i) windows.row(count++) = memory.windows.row(i * step);
  }
  const Vector<float> means = windows.rowwise().mean();
  const float variance =
      (windows.colwise() - means).squaredNorm() / static_cast<float>(windows.size());
  result.flat_ = kFlat * variance;
  if (!(result.flat_ > 0) || !std::isfinite(result.flat_)) return std::nullopt;

  Matrix<float> rows = lively(windows, result.flat_);
  if (rows.rows() < filters) return std::nullopt;
  const Matrix<float> mean = rows.colwise().mean();
  rows.rowwise() -= mean.row(0);
  const Matrix<float> whiten = whitening(rows);
  rows = rows * whiten;
  const Matrix<float> centres = spherical_k_means(rows, filters, random);
  // d·W(z − m), z = (x − x̄)/s: of windows as they are, the filter less its mean.
  result.filters_ = whiten * centres;
  const Vector<float> rms =
      ((rows * centres).array().square().colwise().mean()).sqrt().matrix().transpose();
  result.thresholds_ = (mean * result.filters_).row(0).transpose() + kThreshold * rms;
  result.filters_.rowwise() -= result.filters_.colwise().mean().eval();

  for (const Experience& one : experience) {
    result.unroll(one.context, memory);
    result.respond(memory);
    result.mean_ += ConstVectorMap<float>(memory.values.data(), result.mean_.size());
  }
  result.mean_ /= static_cast<float>(images);
  return result;
}

Context PatchFeatures::apply(const Context& context, PatchScratch& memory) const {
  unroll(context, memory);
  respond(memory);
  VectorMap<float>(memory.values.data(), mean_.size()) -= mean_;
  Context seen = context;
  seen.features = Features::dense(memory.values);
  return seen;
}

void PatchFeatures::save(ArchiveWriter& out) const {
  out.write("flat", static_cast<double>(flat_));
  out.write("filters", filters_);
  out.write("thresholds", thresholds_);
  out.write("mean", mean_);
}

PatchFeatures PatchFeatures::load(const ArchiveReader& in, const ProblemShape& shape) {
  constexpr Bounds kSaved{-1e15, 1e15};
  const Matrix<float> filters = in.read_matrix<float>("filters", kSaved);
  PatchFeatures result(shape, filters.cols());
  if (filters.rows() != result.filters_.rows()) {
    fail("{} has {} rows: expected {}", in.where("filters"), filters.rows(),
         result.filters_.rows());
  }
  result.filters_ = filters;
  result.flat_ = static_cast<float>(in.read_double("flat", {1e-30, 1e30}));
  in.read_into("thresholds", result.thresholds_, kSaved);
  in.read_into("mean", result.mean_, kSaved);
  return result;
}

}  // namespace bandolier
