#include "bandolier/model/column_encoder.h"

#include <algorithm>

namespace bandolier {
ColumnEncoder::ColumnEncoder(const FeatureSchema& schema) {
  const auto features = static_cast<std::size_t>(schema.features());
  mean_.assign(features, 0);
  inverse_deviation_.assign(features, 1);
  absent_.resize(features);
  Index first = 0;
  for (const FeatureColumn& column : schema.columns) {
    columns_.push_back(
        {first, column.features(), column.categorical(), column.missing, column.missing_number});
    std::copy(column.mean.begin(), column.mean.end(), mean_.begin() + first);
    std::copy(column.inverse_deviation.begin(), column.inverse_deviation.end(),
              inverse_deviation_.begin() + first);
    find_absent(columns_.back(), !column.mean.empty());
    first += column.features();
  }
}

void ColumnEncoder::standardise(std::span<const double> mean,
                                std::span<const double> inverse_deviation) {
  mean_.assign(mean.begin(), mean.end());
  inverse_deviation_.assign(inverse_deviation.begin(), inverse_deviation.end());
  for (const Column& column : columns_) find_absent(column, true);
}

void ColumnEncoder::find_absent(const Column& column, bool standardised) {
  const auto first = static_cast<std::size_t>(column.first);
  if (!column.words) {
    absent_[first] = standardised ? 0 : scaled(column.first, column.missing_number);
    return;
  }
  for (Index f = 0; f < column.width; ++f) {
    const bool holds = column.missing && f + 1 == column.width;
    absent_[first + static_cast<std::size_t>(f)] = scaled(column.first + f, holds ? 1 : 0);
  }
}

std::size_t ColumnEncoder::bytes() const {
  return columns_.capacity() * sizeof(Column) + absent_.capacity() * sizeof(float) +
         (mean_.capacity() + inverse_deviation_.capacity()) * sizeof(double);
}

}  // namespace bandolier
