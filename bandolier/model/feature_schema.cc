#include "bandolier/model/feature_schema.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "bandolier/core/error.h"
#include "bandolier/model/name_index.h"
#include "bandolier/model/named_values.h"

namespace bandolier {
namespace {

void check_length(std::string_view what, const std::string& column, const std::string& text) {
  if (text.size() > kLongestName) {
    fail("{} of column '{}' has {} bytes: expected at most {}", what, column.substr(0, 60),
         text.size(), kLongestName);
  }
}

void check_moments(const FeatureColumn& column) {
  const auto features = static_cast<std::size_t>(column.features());
  if (column.mean.size() != column.inverse_deviation.size() ||
      (!column.mean.empty() && column.mean.size() != features)) {
    fail("column '{}' has {} means and {} inverse deviations: expected {} of each, or none",
         column.name, column.mean.size(), column.inverse_deviation.size(), features);
  }
  for (const double mean : column.mean) {
    if (!is_feature_number(mean)) {
      fail("column '{}' has the mean {}: expected a finite number within a float's range",
           column.name, mean);
    }
  }
  for (const double inverse : column.inverse_deviation) {
    if (!(inverse >= 0) || !std::isfinite(inverse)) {
      fail("column '{}' has the inverse deviation {}: expected a finite number >= 0", column.name,
           inverse);
    }
  }
}

// False where it is there already.
bool add_new(NameIndex& index, std::string_view name) {
  const std::uint64_t hash = hash_name(name);
  if (index.find(name, hash) != NameIndex::kNone) return false;
  index.add(name, hash);
  return true;
}

void check_numbers(const FeatureColumn& column) {
  for (const double number : {column.missing_number, column.origin.value_or(0)}) {
    if (!is_feature_number(number)) {
      fail(
          "column '{}' has {} for a missing number or an origin: expected a finite number within a "
          "float's range",
          column.name, number);
    }
  }
  if (column.categorical() &&
      (column.date || column.origin.has_value() || column.missing_number != 0)) {
    fail(
        "column '{}' has words and what only numbers have (a date, an origin, a missing number): "
        "expected one of them",
        column.name);
  }
}

}  // namespace

double FeatureColumn::kept(double x) const {
  constexpr double kMost = std::numeric_limits<float>::max();
  if (!origin) return x;
  return *origin + static_cast<double>(static_cast<float>(std::clamp(x - *origin, -kMost, kMost)));
}

Index FeatureSchema::features() const {
  Index features = 0;
  for (const FeatureColumn& column : columns) features += column.features();
  return features;
}

FeatureSchema numbered_schema(Index count) {
  FeatureSchema schema;
  for (Index i = 0; i < count; ++i) {
    FeatureColumn column;
    column.name = fmt::format("x[{}]", i);
    schema.columns.push_back(std::move(column));
  }
  return schema;
}

void check(const FeatureSchema& schema) {
  if (schema.missing_words.size() > kMostMissingWords) {
    fail("the schema has {} words for what is missing: expected at most {}",
         schema.missing_words.size(), kMostMissingWords);
  }
  const auto count = static_cast<Index>(schema.columns.size());
  if (count < 1 || count > kMostSchemaColumns) {
    fail("the schema has {} columns: expected 1 to {}", count, kMostSchemaColumns);
  }
  if (schema.features() > kMostSchemaFeatures) {
    fail("the schema has {} features: expected at most {}; leave out columns of many words",
         schema.features(), kMostSchemaFeatures);
  }
  NameIndex names, features;
  for (const FeatureColumn& column : schema.columns) {
    check_length("the name", column.name, column.name);
    if (!add_new(names, column.name)) {
      fail("column '{}' is there twice: expected each name once", column.name);
    }
    if (column.missing && !column.categorical()) {
      fail("column '{}' has a category for missing words and no words: expected some", column.name);
    }
    for (const std::string& word : column.words) {
      check_length("a word", column.name, word);
      if (!add_new(features, fmt::format("{}={}", column.name, word))) {
        fail("column '{}' has the word '{}' twice: expected each name=word once", column.name,
             word);
      }
    }
    check_moments(column);
    check_numbers(column);
  }
}

void save(ArchiveWriter& out, const FeatureSchema& schema) {
  out.write("columns", schema.columns.size());
  out.write("missing_words", schema.missing_words);
  for (std::size_t c = 0; c < schema.columns.size(); ++c) {
    const auto section = out.section("column", c);
    const FeatureColumn& column = schema.columns[c];
    out.write("name", column.name);
    out.write("words", column.words);
    out.write("missing", column.missing);
    out.write("mean", column.mean);
    out.write("inverse_deviation", column.inverse_deviation);
    out.write("date", column.date);
    out.write("missing_number", column.missing_number);
    if (column.origin) out.write("origin", *column.origin);
  }
}

FeatureSchema load_schema(const ArchiveReader& in) {
  const std::int64_t columns = in.read_integer("columns", 1, kMostSchemaColumns);
  FeatureSchema schema;
  for (std::size_t c = 0; c < static_cast<std::size_t>(columns); ++c) {
    const ArchiveReader section = in.section("column", c);
    FeatureColumn column{.name = section.read_text("name"),
                         .words = section.read_texts("words"),
                         .missing = section.read_bool("missing"),
                         .mean = section.read_doubles("mean"),
                         .inverse_deviation = section.read_doubles("inverse_deviation")};
    // Not in the first files of version 2.
    if (section.has("date")) column.date = section.read_bool("date");
    if (section.has("missing_number")) {
      column.missing_number = section.read_double("missing_number");
    }
    if (section.has("origin")) column.origin = section.read_double("origin");
    schema.columns.push_back(std::move(column));
  }
  if (in.has("missing_words")) schema.missing_words = in.read_texts("missing_words");
  try {
    check(schema);
  } catch (const Error& error) {
    fail("{}: {}", in.where("columns"), error.what());
  }
  return schema;
}

}  // namespace bandolier
