// Answers computed elsewhere (testing/golden/README.md), as tests read them.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bandolier/core/types.h"

namespace bandolier::testing {

// testing/golden/NAME.json.gz.
nlohmann::json golden(const std::string& name);

template <class T>
Vector<T> to_vector(const nlohmann::json& list) {
  Vector<T> out(static_cast<Index>(list.size()));
  for (std::size_t i = 0; i < list.size(); ++i) out[static_cast<Index>(i)] = list[i].get<T>();
  return out;
}

template <class T>
Matrix<T> to_matrix(const nlohmann::json& rows) {
  Matrix<T> out(static_cast<Index>(rows.size()), static_cast<Index>(rows.at(0).size()));
  for (std::size_t i = 0; i < rows.size(); ++i) {
    out.row(static_cast<Index>(i)) = to_vector<T>(rows[i]).transpose();
  }
  return out;
}

// Layers {w, b} as one flat parameter vector: w row by row, b, layer by layer.
template <class T>
Vector<T> to_parameters(const nlohmann::json& layers) {
  std::vector<T> flat;
  for (const auto& layer : layers) {
    for (const auto& row : layer.at("w")) {
      for (const auto& value : row) flat.push_back(value.get<T>());
    }
    for (const auto& value : layer.at("b")) flat.push_back(value.get<T>());
  }
  return Eigen::Map<Vector<T>>(flat.data(), static_cast<Index>(flat.size()));
}

}  // namespace bandolier::testing
