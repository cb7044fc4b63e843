#include "bandolier/model/schema_encoder.h"

#include <algorithm>

#include <fmt/format.h>

#include "bandolier/core/date.h"
#include "bandolier/core/text.h"

namespace bandolier {
namespace {

using Kind = NamedValues::Kind;

}  // namespace

SchemaEncoder::SchemaEncoder(FeatureSchema schema)
    : schema_((check(schema), std::move(schema))), encoder_(schema_) {
  const auto add = [](NameIndex& index, std::string_view name) {
    index.add(name, hash_name(name));
  };
  for (Index c = 0; c < static_cast<Index>(schema_.columns.size()); ++c) {
    const FeatureColumn& column = schema_.columns[static_cast<std::size_t>(c)];
    add(columns_, column.name);
    for (std::size_t w = 0; w < column.words.size(); ++w) {
      add(words_, fmt::format("{}={}", column.name, column.words[w]));
      word_feature_.push_back(encoder_.first(c) + static_cast<Index>(w));
    }
  }
}

bool SchemaEncoder::says_missing(const NamedValues::Value& value) const {
  const auto& words = schema_.missing_words;
  if (words.empty()) return false;
  if (value.kind != Kind::kWord) {
    return std::find(words.begin(), words.end(), to_text(value.number)) != words.end();
  }
  return std::find(words.begin(), words.end(), value.word) != words.end();
}

SchemaEncoder::Found SchemaEncoder::find(const NamedValues::Value& value, std::string& text) const {
  Found found;
  found.column = columns_.find(value.name, value.name_hash);
  if (found.column == NameIndex::kNone || says_missing(value)) return found;
  const FeatureColumn& column = schema_.columns[static_cast<std::size_t>(found.column)];
  const Index first = encoder_.first(found.column);
  if (!column.categorical()) {
    const auto number = value.kind != Kind::kWord ? std::optional(value.number)
                        : column.date             ? parse_date(value.word)
                                                  : parse_double(value.word);
    if (number && is_feature_number(*number)) {
      found.feature = first;
      found.number = column.kept(*number);
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
  if (feature >= first && feature < first + column.features()) found.feature = feature;
  return found;
}

void SchemaEncoder::encode(const NamedValues& values, FeatureScratch& scratch,
                           SparseVector& out) const {
  scratch.dense.assign(encoder_.absent().begin(), encoder_.absent().end());
  for (Index i = 0; i < values.size(); ++i) {
    const Found found = find(values[i], scratch.text);
    if (found.feature == NameIndex::kNone) continue;
    if (schema_.columns[static_cast<std::size_t>(found.column)].categorical()) {
      encoder_.set_word(found.column, found.feature - encoder_.first(found.column), scratch.dense);
    } else {
      encoder_.set_number(found.column, found.number, scratch.dense);
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
    } else if (found.feature == NameIndex::kNone && !says_missing(value)) {
      names.push_back(value.kind == Kind::kWord
                          ? std::string(value.feature)
                          : fmt::format("{}={}", value.name, to_text(value.number)));
    }
  }
  return names;
}

std::size_t SchemaEncoder::bytes() const {
  std::size_t bytes = sizeof *this + columns_.bytes() + words_.bytes() +
                      word_feature_.capacity() * sizeof(Index) + encoder_.bytes();
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
  bandolier::save(out, schema_);
}

std::unique_ptr<SchemaEncoder> SchemaEncoder::load(const ArchiveReader& in) {
  return std::make_unique<SchemaEncoder>(load_schema(in));
}

}  // namespace bandolier
