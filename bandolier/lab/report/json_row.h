// Rows of results as JSON, and the same as CSV.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace bandolier {

// An array of objects of the same keys: a line of names, and a line each. Keys that hold lists or
// objects are left out; null is empty.
std::string csv_of_json(const nlohmann::ordered_json& rows);

}  // namespace bandolier
