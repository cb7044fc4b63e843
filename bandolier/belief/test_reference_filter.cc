#include "bandolier/belief/test_reference_filter.h"
#include "testing/dense.h"

namespace bandolier::testing {

void ReferenceFilter::update(const Vector<double>& g, double slope, double curvature) {
  const double r = 1 / curvature;
  const double error = slope * r;
  const double s = g.dot(p * g) + r;
  const Vector<double> k = p * g / s;
  const Matrix<double> left = Matrix<double>::Identity(p.rows(), p.cols()) - k * g.transpose();
  mean += k * error;
  p = (left * p * left.transpose() + r * k * k.transpose()).eval().cwiseProduct(mask);
}

void ReferenceFilter::add_process_noise(double q) { p.diagonal().array() += q; }

void ReferenceFilter::forget(double gamma) {
  p = inverse(gamma * inverse(p) + (1 - gamma) * inverse(prior));
}

}  // namespace bandolier::testing
