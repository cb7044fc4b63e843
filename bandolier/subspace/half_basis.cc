#include "bandolier/subspace/half_basis.h"

#include <algorithm>
#include <iterator>

#include "bandolier/core/error.h"
#include "bandolier/linalg/huge_pages.h"
#include "bandolier/linalg/kernels.h"

namespace bandolier {

HalfBasis::HalfBasis(const DenseBasis<float>& basis)
    : parameters_(basis.parameters()), dim_(basis.dim()), key_(basis.key()) {
  const auto count = static_cast<std::size_t>(parameters_ * dim_);
  rows_.reserve(count);
  prefer_huge_pages(rows_.data(), sizeof(Half) * count);
  std::transform(basis.columns().data(), basis.columns().data() + count, std::back_inserter(rows_),
                 [](float value) { return to_half(value); });
}

void HalfBasis::add_image(const ConstVectorRef<float>& z, Vector<float>& scratch,
                          VectorRef<float> theta) const {
  scratch.resize(parameters_);
  kernels<Half>().dots(rows(), parameters_, dim_, z.data(), scratch.data());
  theta += scratch;
}

void HalfBasis::project(const ConstVectorRef<float>& g, Vector<float>& /*scratch*/,
                        VectorRef<float> out) const {
  kernels<Half>().combine(rows(), parameters_, dim_, g.data(), out.data());
}

void HalfBasis::save(ArchiveWriter& out) const {
  if (key_) {
    save_key(*key_, out);
    return;
  }
  Matrix<float> columns(parameters_, dim_);
  for (std::size_t i = 0; i < rows_.size(); ++i) columns.data()[i] = to_float(rows_[i]);
  out.write("columns", columns);
}

std::shared_ptr<const HalfBasis> make_half_basis(const Basis<float>& basis) {
  const auto* dense = dynamic_cast<const DenseBasis<float>*>(&basis);
  if (dense == nullptr) {
    fail("precision=half is for a basis that is stored: use basis=gaussian or svd, not {}",
         to_word(basis.kind()));
  }
  return std::make_shared<HalfBasis>(*dense);
}

}  // namespace bandolier
