#include "bandolier/replay/network_regressions.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "bandolier/core/error.h"
#include "bandolier/core/memory_limit.h"
#include "bandolier/core/stop.h"
#include "bandolier/linalg/cholesky.h"

namespace bandolier {
namespace {

// Rows of one forward pass while refitting: their features stay in the cache, and the pass never
// changes size.
constexpr Index kChunk = 64;

std::size_t last_stage(const Network& network) {
  if (network.stages().empty()) {
    fail(
        "the network has no hidden layer to take features from: use model=mlp:50, or agent linear");
  }
  return static_cast<std::size_t>(network.stages().back());
}

// A head's dimension; all heads must fit into memory.
Index checked_dim(const Network& network, std::size_t stage) {
  const Index dim = network.layers()[stage].inputs + 1;
  const auto values = static_cast<double>(dim) * static_cast<double>(dim);
  require_available_memory(
      values * (sizeof(float) * static_cast<double>(network.outputs()) + 2 * sizeof(double)),
      fmt::format("{} heads on {} features", network.outputs(), dim),
      "use a model with a narrower last layer",
      values * sizeof(float) * static_cast<double>(network.outputs()));
  return dim;
}

}  // namespace

void RegressionStatistics::clear(Index dim) {
  gram.setZero(dim, dim);
  moment.setZero(dim);
  squares = count = 0;
}

void RegressionStatistics::add(const ConstMatrixRef<double>& X, const ConstVectorRef<double>& y) {
  gram.selfadjointView<Eigen::Lower>().rankUpdate(X.transpose());
  moment.noalias() += X.transpose() * y;
  squares += y.squaredNorm();
  count += static_cast<double>(y.size());
}

bool RegressionPosterior::compute(const RegressionPrior& prior,
                                  const RegressionStatistics& statistics) {
  precision_.resize(prior.precision.rows(), prior.precision.cols());
  precision_.triangularView<Eigen::Lower>() = prior.precision + statistics.gram;
  if (!factor_cholesky(precision_)) return false;
  y_.noalias() = prior.precision * prior.mean;
  const double prior_square = prior.mean.dot(y_);
  y_ += statistics.moment;
  precision_.triangularView<Eigen::Lower>().solveInPlace(y_);
  root.setIdentity(y_.size(), y_.size());
  precision_.transpose().triangularView<Eigen::Upper>().solveInPlace(root);
  mean.noalias() = root * y_;
  noise.a = prior.noise.a + statistics.count / 2;
  // Never below b₀ but for round-off.
  const double spread = statistics.squares + prior_square - y_.squaredNorm();
  noise.b = prior.noise.b + std::max(0.0, spread) / 2;
  return mean.allFinite() && std::isfinite(noise.b);
}

NetworkRegressions::NetworkRegressions(const Network& network, double lambda,
                                       const InverseGamma& noise)
    : stage_(last_stage(network)), dim_(checked_dim(network, stage_)) {
  prior_ = {Vector<double>::Zero(dim_), lambda * Matrix<double>::Identity(dim_, dim_), noise};
  regressions_.assign(static_cast<std::size_t>(network.outputs()), prior_head());
}

NormalInverseGamma<float> NetworkRegressions::prior_head() const {
  const auto variance = static_cast<float>(1 / prior_.precision(0, 0));
  return {GaussianFull<float>(dim_, variance), prior_.noise};
}

void NetworkRegressions::start(const InverseGamma& noise) {
  prior_.noise = noise;
  regressions_.assign(regressions_.size(), prior_head());
  refused_ = 0;
}

void NetworkRegressions::rescale(double factor, const InverseGamma& noise) {
  if (factor == 1 && noise.b == prior_.noise.b) return;
  for (auto& head : regressions_) head.rescale(factor, prior_.noise, noise);
  prior_.noise = noise;
}

void NetworkRegressions::features(const NetworkScratch<float>& pass, Index row,
                                  Vector<float>& x) const {
  x.resize(dim_);
  x.head(dim_ - 1) = pass.activations[stage_].row(row).transpose();
  x[dim_ - 1] = 1;
}

void NetworkRegressions::features(const NetworkScratch<float>& pass, MatrixRef<double> x) const {
  x.leftCols(dim_ - 1) = pass.activations[stage_].topRows(x.rows()).cast<double>();
  x.col(dim_ - 1).setOnes();
}

void NetworkRegressions::update(Index action, const Vector<float>& x, float reward,
                                Scratch& scratch) {
  auto& regression = regressions_[static_cast<std::size_t>(action)];
  if (!regression.update(x, reward, scratch.update).accepted) ++refused_;
}

void NetworkRegressions::begin(const Network& network, const TrainingSet& rows,
                               Scratch& work) const {
  work.network.activations.resize(network.layers().size() + 1);
  work.network.activations[0].setZero(kChunk, network.inputs());
  work.x.resize(kChunk, dim_);
  work.y.resize(kChunk);
  work.order.resize(rows.outputs.size());
  std::iota(work.order.begin(), work.order.end(), Index{0});
  const auto output = [&](Index row) { return rows.outputs[static_cast<std::size_t>(row)]; };
  std::sort(work.order.begin(), work.order.end(), [&](Index one, Index other) {
    return std::pair(output(one), one) < std::pair(output(other), other);
  });
  work.next = 0;
}

void NetworkRegressions::gather(const Network& network, const ConstVectorRef<float>& parameters,
                                const TrainingSet& rows, Index action, Scratch& work) const {
  work.statistics.clear(dim_);
  const auto is_next = [&] {
    return work.next < work.order.size() &&
           rows.outputs[static_cast<std::size_t>(work.order[work.next])] == action;
  };
  while (is_next()) {
    throw_if_stopped();
    Index count = 0;
    for (; count < kChunk && is_next(); ++work.next, ++count) {
      const Index row = work.order[work.next];
      work.network.activations[0].row(count) = rows.inputs.row(row);
      work.y[count] = static_cast<double>(rows.targets[static_cast<std::size_t>(row)]);
    }
    network.forward_from<float>(0, parameters, work.network);
    features(work.network, work.x.topRows(count));
    work.statistics.add(work.x.topRows(count), work.y.head(count));
  }
}

void NetworkRegressions::refit(const Network& network, const ConstVectorRef<float>& parameters,
                               const TrainingSet& rows, Scratch& work) {
  begin(network, rows, work);
  for (Index action = 0; action < static_cast<Index>(regressions_.size()); ++action) {
    gather(network, parameters, rows, action, work);
    if (!work.posterior.compute(prior_, work.statistics)) {
      refuse();
      continue;
    }
    assign(action, work.posterior.mean, work.posterior.root, work.posterior.noise, work);
  }
}

void NetworkRegressions::assign(Index action, const Vector<double>& mean,
                                const Matrix<double>& root, const InverseGamma& noise,
                                Scratch& work) {
  work.mean = mean.cast<float>();
  work.root = root.cast<float>();
  regressions_[static_cast<std::size_t>(action)].assign(work.mean, work.root, noise);
}

void NetworkRegressions::assign_root(Index action, const Matrix<double>& root, Scratch& work) {
  auto& head = regressions_[static_cast<std::size_t>(action)];
  work.mean = head.weights().mean();
  work.root = root.cast<float>();
  head.assign(work.mean, work.root, head.noise());
}

void NetworkRegressions::add_notes(std::vector<Note>& notes) const {
  if (refused_ == 0) return;
  notes.push_back(
      {"head-updates-refused",
       "updates of the heads were refused: they would have made the belief infinite; scale "
       "features and rewards",
       refused_});
}

std::size_t NetworkRegressions::bytes() const {
  std::size_t sum = 0;
  for (const auto& head : regressions_) sum += head.bytes();
  return sum;
}

void NetworkRegressions::save(ArchiveWriter& out) const {
  for (std::size_t i = 0; i < regressions_.size(); ++i) {
    const auto section = out.section("heads", i);
    regressions_[i].save(out);
  }
  out.write("refused", refused_);
}

void NetworkRegressions::load(const ArchiveReader& in, const InverseGamma& noise) {
  prior_.noise = noise;
  for (std::size_t i = 0; i < regressions_.size(); ++i)
    regressions_[i].load(in.section("heads", i));
  refused_ = in.read_count("refused");
}

}  // namespace bandolier
