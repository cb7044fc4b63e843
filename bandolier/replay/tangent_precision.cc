#include "bandolier/replay/tangent_precision.h"

#include "bandolier/core/error.h"

namespace bandolier {
namespace {

// A full matrix of 4-byte numbers takes 64 MB at this size, and a step reads it three times.
constexpr Index kMaxFull = 4096;

}  // namespace

TangentPrecision::TangentPrecision(const RewardModel& model, double lambda,
                                   TangentCovariance covariance)
    : size_(model.parameters()) {
  if (covariance == TangentCovariance::kDiag) {
    diagonal_ = Vector<float>::Constant(size_, static_cast<float>(lambda));
    return;
  }
  if (size_ > kMaxFull) {
    fail(
        "covariance=full with {} parameters: expected at most {}; use covariance=diag or a "
        "smaller model",
        size_, kMaxFull);
  }
  inverse_.emplace(size_, static_cast<float>(1 / lambda));
}

void TangentPrecision::to_dense(Index block, const Vector<float>& head, const Vector<float>& tail,
                                Vector<float>& dense) const {
  dense.setZero(size_);
  dense.segment(block * head.size(), head.size()) = head;
  dense.tail(tail.size()) = tail;
}

double TangentPrecision::inverse_form(Index block, const Vector<float>& head,
                                      const Vector<float>& tail, Vector<float>& dense,
                                      Vector<float>& scratch) const {
  if (inverse_) {
    to_dense(block, head, tail, dense);
    return static_cast<double>(inverse_->variance(dense, scratch));
  }
  const auto first = diagonal_.segment(block * head.size(), head.size());
  const auto rest = diagonal_.tail(tail.size());
  return static_cast<double>((head.array().square() / first.array()).sum() +
                             (tail.array().square() / rest.array()).sum());
}

void TangentPrecision::add(Index block, const Vector<float>& head, const Vector<float>& tail,
                           Vector<float>& dense, BeliefScratch<float>& scratch) {
  if (inverse_) {
    // U⁻¹ by the square-root update of a belief that observes g without surprise.
    to_dense(block, head, tail, dense);
    inverse_->update(dense, {.slope = 0, .curvature = 1}, scratch);
    return;
  }
  diagonal_.segment(block * head.size(), head.size()).array() += head.array().square();
  diagonal_.tail(tail.size()).array() += tail.array().square();
}

std::size_t TangentPrecision::bytes() const {
  return inverse_ ? inverse_->bytes() : static_cast<std::size_t>(size_) * sizeof(float);
}

void TangentPrecision::save(ArchiveWriter& out) const {
  if (inverse_) {
    const auto section = out.section("inverse");
    inverse_->save(out);
  } else {
    out.write("diagonal", diagonal_);
  }
}

void TangentPrecision::load(const ArchiveReader& in) {
  if (inverse_) {
    inverse_->load(in.section("inverse"));
  } else {
    in.read_into("diagonal", diagonal_, kSavedPrecisions);
  }
}

}  // namespace bandolier
