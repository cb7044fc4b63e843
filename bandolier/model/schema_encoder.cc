#include "bandolier/model/schema_encoder.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "bandolier/core/error.h"
#include "bandolier/core/text.h"

namespace bandolier {
namespace {

using Kind = NamedValues::Kind;

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

}  // namespace

Index FeatureSchema::features() const {
  Index features = 0;
  for (const FeatureColumn& column : columns) features += column.features();
  return features;
}

void check(const FeatureSchema& schema) {
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
  }
}

SchemaEncoder::SchemaEncoder(FeatureSchema schema) : schema_(std::move(schema)) {
  check(schema_);
  absent_.resize(static_cast<std::size_t>(schema_.features()));
  Index first = 0;
  for (Index c = 0; c < static_cast<Index>(schema_.columns.size()); ++c) {
    const FeatureColumn& column = schema_.columns[static_cast<std::size_t>(c)];
    add_new(columns_, column.name);
    first_.push_back(first);
    for (std::size_t w = 0; w < column.words.size(); ++w) {
      add_new(words_, fmt::format("{}={}", column.name, column.words[w]));
      word_feature_.push_back(first + static_cast<Index>(w));
    }
    for (Index f = 0; column.categorical() && f < column.features(); ++f) {
      const bool holds = column.missing && f + 1 == column.features();
      absent_[static_cast<std::size_t>(first + f)] = scaled(c, first + f, holds ? 1 : 0);
    }
    first += column.features();
  }
}

float SchemaEncoder::scaled(Index column, Index feature, double value) const {
  const FeatureColumn& of = schema_.columns[static_cast<std::size_t>(column)];
  const auto f = static_cast<std::size_t>(feature - first_[static_cast<std::size_t>(column)]);
  if (!of.mean.empty()) value = (value - of.mean[f]) * of.inverse_deviation[f];
  constexpr double kMost = std::numeric_limits<float>::max();
  return static_cast<float>(std::clamp(value, -kMost, kMost));
}

SchemaEncoder::Found SchemaEncoder::find(const NamedValues::Value& value, std::string& text) const {
  Found found;
  found.column = columns_.find(value.name, value.name_hash);
  if (found.column == NameIndex::kNone) return found;
  const bool words = schema_.columns[static_cast<std::size_t>(found.column)].categorical();
  if (!words) {
    const auto number =
        value.kind == Kind::kWord ? parse_double(value.word) : std::optional(value.number);
    if (number && is_feature_number(*number)) {
      found.feature = first_[static_cast<std::size_t>(found.column)];
      found.number = *number;
    }
    return found;
  }
  Index word = NameIndex::kNone;
  if (value.kind == Kind::kWord) {
    word = words_.find(value.feature, value.hash);
  } else {
    text.assign(value.name);
    text += '=';
    text += to_text(value.number);
    word = words_.find(text, hash_name(text));
  }
  if (word == NameIndex::kNone) return found;
  // The word of another column may read the same: "a=b" with "c", and "a" with "b=c".
  const Index feature = word_feature_[static_cast<std::size_t>(word)];
  const Index first = first_[static_cast<std::size_t>(found.column)];
  const Index count = schema_.columns[static_cast<std::size_t>(found.column)].features();
  if (feature >= first && feature < first + count) found.feature = feature;
  return found;
}

void SchemaEncoder::encode(const NamedValues& values, FeatureScratch& scratch,
                           SparseVector& out) const {
  scratch.dense.assign(absent_.begin(), absent_.end());
  for (Index i = 0; i < values.size(); ++i) {
    const Found found = find(values[i], scratch.text);
    if (found.feature == NameIndex::kNone) continue;
    scratch.dense[static_cast<std::size_t>(found.feature)] =
        scaled(found.column, found.feature, found.number);
    const FeatureColumn& column = schema_.columns[static_cast<std::size_t>(found.column)];
    if (column.missing) {
      const Index last = first_[static_cast<std::size_t>(found.column)] + column.features() - 1;
      scratch.dense[static_cast<std::size_t>(last)] = scaled(found.column, last, 0);
    }
  }
  out.clear();
  for (Index f = 0; f < features(); ++f) {
    const float value = scratch.dense[static_cast<std::size_t>(f)];
    if (value != 0) out.push(f, value);
  }
}

std::vector<std::string> SchemaEncoder::unknown(const NamedValues& values) const {
  std::vector<std::string> names;
  std::string text;
  for (Index i = 0; i < values.size(); ++i) {
    const NamedValues::Value value = values[i];
    const Found found = find(value, text);
    if (found.column == NameIndex::kNone) {
      names.emplace_back(value.name);
    } else if (found.feature == NameIndex::kNone) {
      names.push_back(value.kind == Kind::kWord
                          ? std::string(value.feature)
                          : fmt::format("{}={}", value.name, to_text(value.number)));
    }
  }
  return names;
}

std::size_t SchemaEncoder::bytes() const {
  std::size_t bytes = sizeof *this + columns_.bytes() + words_.bytes() +
                      (word_feature_.capacity() + first_.capacity()) * sizeof(Index) +
                      absent_.capacity() * sizeof(float);
  for (const FeatureColumn& column : schema_.columns) {
    bytes += sizeof column + column.name.capacity() +
             (column.mean.capacity() + column.inverse_deviation.capacity()) * sizeof(double);
    for (const std::string& word : column.words) bytes += sizeof word + word.capacity();
  }
  return bytes;
}

std::unique_ptr<FeatureEncoder> SchemaEncoder::clone() const {
  return std::make_unique<SchemaEncoder>(*this);
}

void SchemaEncoder::save(ArchiveWriter& out) const {
  out.write("kind", kKind);
  out.write("columns", schema_.columns.size());
  for (std::size_t c = 0; c < schema_.columns.size(); ++c) {
    const auto section = out.section("column", c);
    const FeatureColumn& column = schema_.columns[c];
    out.write("name", column.name);
    out.write("words", column.words);
    out.write("missing", column.missing);
    out.write("mean", column.mean);
    out.write("inverse_deviation", column.inverse_deviation);
  }
}

std::unique_ptr<SchemaEncoder> SchemaEncoder::load(const ArchiveReader& in) {
  const std::int64_t columns = in.read_integer("columns", 1, kMostSchemaColumns);
  FeatureSchema schema;
  for (std::size_t c = 0; c < static_cast<std::size_t>(columns); ++c) {
    const ArchiveReader column = in.section("column", c);
    schema.columns.push_back({column.read_text("name"), column.read_texts("words"),
                              column.read_bool("missing"), column.read_doubles("mean"),
                              column.read_doubles("inverse_deviation")});
  }
  try {
    return std::make_unique<SchemaEncoder>(std::move(schema));
  } catch (const Error& error) {
    fail("{}: {}", in.where("columns"), error.what());
  }
}

}  // namespace bandolier
