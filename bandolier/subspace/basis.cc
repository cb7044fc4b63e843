#include "bandolier/subspace/basis.h"

#include <limits>
#include <type_traits>

#include "bandolier/core/error.h"
#include "bandolier/subspace/dense_basis.h"
#include "bandolier/subspace/hadamard_basis.h"
#include "bandolier/subspace/half_basis.h"
#include "bandolier/subspace/rank_one_basis.h"

namespace bandolier {
namespace {

// A = I: the original space.
template <class T>
class IdentityBasis final : public Basis<T> {
 public:
  explicit IdentityBasis(Index parameters) : parameters_(parameters) {}

  Index parameters() const override { return parameters_; }
  Index dim() const override { return parameters_; }
  void add_image(const ConstVectorRef<T>& z, Vector<T>& /*scratch*/,
                 VectorRef<T> theta) const override {
    theta += z;
  }
  void project(const ConstVectorRef<T>& g, Vector<T>& /*scratch*/,
               VectorRef<T> out) const override {
    out = g;
  }
  BasisKind kind() const override { return BasisKind::kIdentity; }
  std::size_t bytes() const override { return 0; }
  void save(ArchiveWriter& /*out*/) const override {}

 private:
  Index parameters_;
};

template <class T>
std::shared_ptr<const Basis<T>> load_columns(const Network& network, Index dim,
                                             const ArchiveReader& in) {
  Matrix<T> columns = in.read_matrix<T>("columns", {-1e6, 1e6});
  if (columns.rows() != network.parameters() || columns.cols() != dim) {
    fail("{} is {} x {}, expected {} x {}", in.where("columns"), columns.rows(), columns.cols(),
         network.parameters(), dim);
  }
  return std::make_shared<DenseBasis<T>>(std::move(columns));
}

}  // namespace

std::vector<AffineLayer> affine_layers(const Network& network) {
  std::vector<AffineLayer> found;
  for (std::size_t l = 0; l < network.layers().size(); ++l) {
    const Layer& layer = network.layers()[l];
    const auto place = static_cast<Index>(l);
    if (const auto* dense = std::get_if<Dense>(&layer.kind)) {
      found.push_back({place, dense->in, dense->out, layer.offset});
    } else if (const auto* convolution = std::get_if<Convolution>(&layer.kind)) {
      found.push_back({place, convolution->patch(), convolution->filters, layer.offset});
    }
  }
  return found;
}

template <class T>
Matrix<T> Basis<T>::matrix() const {
  Matrix<T> columns(parameters(), dim());
  Vector<T> scratch, column(parameters());
  for (Index k = 0; k < dim(); ++k) {
    column.setZero();
    add_image(Vector<T>::Unit(dim(), k), scratch, column);
    columns.col(k) = column;
  }
  return columns;
}

void check_dim(Index dim, Index parameters) {
  if (dim < 1 || dim > parameters) {
    fail("dim is {}: expected 1 to {}, the number of the network's parameters", dim, parameters);
  }
}

const std::vector<BasisKind>& random_basis_kinds() {
  static const std::vector<BasisKind> kinds = {BasisKind::kGaussian, BasisKind::kRankOne,
                                               BasisKind::kHadamard};
  return kinds;
}

template <class T>
std::shared_ptr<const Basis<T>> make_random_basis(BasisKind kind, const Network& network, Index dim,
                                                  const StreamKey& key) {
  check_dim(dim, network.parameters());
  switch (kind) {
    case BasisKind::kGaussian:
      return std::make_shared<DenseBasis<T>>(
          DenseBasis<T>::gaussian(network.parameters(), dim, key));
    case BasisKind::kRankOne:
      return std::make_shared<RankOneBasis<T>>(network, dim, key);
    case BasisKind::kHadamard:
      return std::make_shared<HadamardBasis<T>>(network.parameters(), dim, key);
    case BasisKind::kSvd:
    case BasisKind::kIdentity:
      break;
  }
  fail("basis={} is not random: expected gaussian|rank-one|hadamard", to_word(kind));
}

template <class T>
std::shared_ptr<const Basis<T>> make_identity_basis(const Network& network) {
  return std::make_shared<IdentityBasis<T>>(network.parameters());
}

double basis_bytes_needed(BasisKind kind, const Network& network, Index dim,
                          BasisPrecision precision) {
  const auto parameters = static_cast<double>(network.parameters());
  const auto d = static_cast<double>(dim);
  switch (kind) {
    case BasisKind::kSvd:
    case BasisKind::kGaussian:
      return (precision == BasisPrecision::kHalf ? sizeof(float) + sizeof(Half) : sizeof(float)) *
             parameters * d;
    case BasisKind::kHadamard:
      return sizeof(std::int32_t) * (parameters + d) + sizeof(float) * parameters;
    case BasisKind::kRankOne: {
      double rows = 0;
      for (const AffineLayer& layer : affine_layers(network)) {
        rows += static_cast<double>(layer.out) + static_cast<double>(layer.in + 1);
      }
      return sizeof(float) * rows * d;
    }
    case BasisKind::kIdentity:
      break;
  }
  return 0;
}

template <class T>
void save_basis(const Basis<T>& basis, ArchiveWriter& out) {
  out.write("kind", to_word(basis.kind()));
  out.write("precision", to_word(basis.precision()));
  out.write("dim", static_cast<std::int64_t>(basis.dim()));
  basis.save(out);
}

template <class T>
std::shared_ptr<const Basis<T>> load_basis(const Network& network, const ArchiveReader& in) {
  const auto kind = parse_word<BasisKind>(in.where("kind"), in.read_text("kind"));
  const auto precision =
      parse_word<BasisPrecision>(in.where("precision"), in.read_text("precision"));
  const Index dim = in.read_integer("dim", 1, network.parameters());
  if (kind == BasisKind::kIdentity) return make_identity_basis<T>(network);
  auto basis = kind == BasisKind::kSvd ? load_columns<T>(network, dim, in)
                                       : make_random_basis<T>(kind, network, dim, load_key(in));
  if constexpr (std::is_same_v<T, float>) {
    if (precision == BasisPrecision::kHalf) return make_half_basis(*basis);
  }
  return basis;
}

template class Basis<float>;
template class Basis<double>;
template std::shared_ptr<const Basis<float>> make_random_basis(BasisKind, const Network&, Index,
                                                               const StreamKey&);
template std::shared_ptr<const Basis<double>> make_random_basis(BasisKind, const Network&, Index,
                                                                const StreamKey&);
template std::shared_ptr<const Basis<float>> make_identity_basis(const Network&);
template std::shared_ptr<const Basis<double>> make_identity_basis(const Network&);
template void save_basis(const Basis<float>&, ArchiveWriter&);
template void save_basis(const Basis<double>&, ArchiveWriter&);
template std::shared_ptr<const Basis<float>> load_basis(const Network&, const ArchiveReader&);
template std::shared_ptr<const Basis<double>> load_basis(const Network&, const ArchiveReader&);

}  // namespace bandolier
