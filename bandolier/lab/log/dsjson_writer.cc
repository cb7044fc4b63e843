#include "bandolier/lab/log/dsjson_writer.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <nlohmann/json.hpp>

#include "bandolier/core/error.h"
#include "bandolier/lab/log/json_text.h"

namespace bandolier {
namespace {

constexpr std::size_t kBuffer = std::size_t{1} << 16;

using Out = std::back_insert_iterator<std::string>;

// "[a,b,...]" of value(i), i < count.
template <class Value>
void append_list(Out out, std::size_t count, Value value) {
  *out = '[';
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0) *out = ',';
    value(i);
  }
  *out = ']';
}

void append_numbers(Out out, std::span<const float> numbers) {
  append_list(out, numbers.size(), [&](std::size_t i) { fmt::format_to(out, "{}", numbers[i]); });
}

void append_features(Out out, const Features& features) {
  if (!features.sparse()) {
    append_numbers(out, features.values);
    return;
  }
  std::size_t next = 0;
  append_list(out, static_cast<std::size_t>(features.size), [&](std::size_t i) {
    const bool here =
        next < features.indices.size() && static_cast<std::size_t>(features.indices[next]) == i;
    fmt::format_to(out, "{}", here ? features.values[next++] : 0.0f);
  });
}

}  // namespace

void DsjsonFormat::append(const LoggedDecision& decision, std::string& text) {
  const Context& context = decision.context;
  allowed_.clear();
  for (Index a = 0; a < context.actions; ++a) {
    if (context.allows(a)) allowed_.push_back(a);
  }
  const auto q = [&](Index position) {
    return decision
        .probabilities[static_cast<std::size_t>(allowed_[static_cast<std::size_t>(position)])];
  };
  const Index taken =
      std::lower_bound(allowed_.begin(), allowed_.end(), decision.action) - allowed_.begin();
  order_.clear();
  for (Index p = 0; p < static_cast<Index>(allowed_.size()); ++p) order_.push_back(p);
  std::swap(order_[0], order_[static_cast<std::size_t>(taken)]);
  std::sort(order_.begin() + 1, order_.end(),
            [&](Index a, Index b) { return q(a) != q(b) ? q(a) > q(b) : a < b; });

  const Out out(text);
  fmt::format_to(
      out,
      R"({{"_label_cost":{},"_label_probability":{},"_label_Action":{},"_labelIndex":{},)"
      R"("Timestamp":"{}","Version":"1","EventId":{},"a":)",
      decision.reward == 0 ? 0 : -decision.reward, q(taken), taken + 1, taken, decision.time,
      json_text(nlohmann::json(decision.id)));
  append_list(out, order_.size(), [&](std::size_t i) { fmt::format_to(out, "{}", order_[i] + 1); });
  fmt::format_to(out, R"(,"c":{{"x":)");
  append_features(out, context.features);
  fmt::format_to(out, R"(,"_multi":)");
  const auto width = context.action_features.size() / static_cast<std::size_t>(context.actions);
  append_list(out, allowed_.size(), [&](std::size_t i) {
    fmt::format_to(out, R"({{"id":"{}")", context.action_id(allowed_[i]));
    if (width > 0) {
      fmt::format_to(out, R"(,"x":)");
      append_numbers(out, context.action_features.subspan(
                              static_cast<std::size_t>(allowed_[i]) * width, width));
    }
    fmt::format_to(out, "}}");
  });
  fmt::format_to(out, R"(}},"p":)");
  append_list(out, order_.size(), [&](std::size_t i) { fmt::format_to(out, "{}", q(order_[i])); });
  if (decision.skip_learn) fmt::format_to(out, R"(,"_skipLearn":true)");
  if (!decision.full_support) fmt::format_to(out, R"(,"_noSupport":true)");
  text += "}\n";
}

DsjsonWriter::DsjsonWriter(std::filesystem::path path)
    : path_(std::move(path)), part_(path_.string() + ".part") {
  file_.reset(std::fopen(part_.c_str(), "wbe"));
  if (file_ == nullptr) refuse(part_);
}

DsjsonWriter::~DsjsonWriter() {
  if (file_ == nullptr) return;
  file_.reset();
  std::error_code ignored;
  std::filesystem::remove(part_, ignored);
}

void DsjsonWriter::refuse(const std::filesystem::path& path) const {
  fail("log {} cannot be written: {}", path.string(), std::strerror(errno));
}

void DsjsonWriter::write(const LoggedDecision& decision) {
  format_.append(decision, lines_);
  if (lines_.size() >= kBuffer) flush();
}

void DsjsonWriter::flush() {
  if (std::fwrite(lines_.data(), 1, lines_.size(), file_.get()) != lines_.size()) refuse(part_);
  lines_.clear();
}

void DsjsonWriter::finish() {
  flush();
  if (std::fflush(file_.get()) != 0 || ::fsync(::fileno(file_.get())) != 0) refuse(part_);
  if (std::rename(part_.c_str(), path_.c_str()) != 0) refuse(path_);
  file_.reset();
}

}  // namespace bandolier
