#include "bandolier/lab/log/dsjson_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <numeric>

#include "bandolier/core/error.h"
#include "bandolier/core/text.h"
#include "bandolier/lab/log/json_text.h"
#include "bandolier/lab/log/json_values.h"

namespace bandolier {
namespace {

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

void append_dense(const LoggedEvent& event, std::string& text) {
  const Out out(text);
  fmt::format_to(out, R"("x":)");
  append_numbers(out, event.features);
  const auto count = static_cast<std::size_t>(event.actions);
  const std::size_t width = event.action_features.size() / count;
  fmt::format_to(out, R"(,"_multi":)");
  append_list(out, count, [&](std::size_t i) {
    fmt::format_to(out, R"({{"id":"{}")", event.action_ids[i]);
    if (width > 0) {
      fmt::format_to(out, R"(,"x":)");
      append_numbers(out, std::span(event.action_features).subspan(i * width, width));
    }
    fmt::format_to(out, "}}");
  });
}

// What is said of an action; its name is _tag, which is no feature, unless its id says it.
void append_own(const NamedValues& own, const std::string& name, std::string& text) {
  bool named = name.empty();
  for (Index i = 0; !named && i < own.size(); ++i) {
    named = own[i].name == "id" && own[i].word == name;
  }
  text += '{';
  if (!named) text += fmt::format(R"("_tag":{})", json_text(nlohmann::json(name)));
  if (!named && !own.empty()) text += ',';
  append_members(own, text);
  text += '}';
}

void append_named(const LoggedEvent& event, std::string& text) {
  append_members(event.shared, text);
  if (!event.shared.empty()) text += ',';
  text += R"("_multi":)";
  append_list(Out(text), static_cast<std::size_t>(event.actions),
              [&](std::size_t i) { append_own(event.own[i], event.action_names[i], text); });
}

// The double that reads as the same text: 0.1 of 0.1f.
double as_written(float number) { return *parse_double(fmt::format("{}", number)); }

}  // namespace

void DsjsonFormat::append(const LoggedEvent& event, std::string& text) {
  order_.resize(static_cast<std::size_t>(event.actions));
  std::iota(order_.begin(), order_.end(), Index{0});
  const bool told = !event.probabilities.empty();
  const auto q = [&](Index place) { return event.probabilities[static_cast<std::size_t>(place)]; };
  std::rotate(order_.begin(), order_.begin() + event.action, order_.begin() + event.action + 1);
  if (told) {
    std::sort(order_.begin() + 1, order_.end(),
              [&](Index a, Index b) { return q(a) != q(b) ? q(a) > q(b) : a < b; });
  }
  const Out out(text);
  fmt::format_to(
      out,
      R"({{"_label_cost":{},"_label_probability":{},"_label_Action":{},"_labelIndex":{},)"
      R"("Timestamp":{},"Version":"1","EventId":{},"a":)",
      event.reward == 0 ? 0 : -event.reward, event.propensity, event.action + 1, event.action,
      json_text(nlohmann::json(event.time)), json_text(nlohmann::json(event.id)));
  append_list(out, order_.size(), [&](std::size_t i) { fmt::format_to(out, "{}", order_[i] + 1); });
  fmt::format_to(out, R"(,"c":{{)");
  if (event.dense) {
    append_dense(event, text);
  } else {
    append_named(event, text);
  }
  text += '}';
  if (told) {
    fmt::format_to(out, R"(,"p":)");
    append_list(out, order_.size(),
                [&](std::size_t i) { fmt::format_to(out, "{}", q(order_[i])); });
  }
  if (event.dropped > 0) fmt::format_to(out, R"(,"pdrop":{})", event.dropped);
  if (event.position > 0) fmt::format_to(out, R"(,"_position":{})", event.position);
  if (event.skip_learn) fmt::format_to(out, R"(,"_skipLearn":true)");
  if (!event.full_support) fmt::format_to(out, R"(,"_noSupport":true)");
  text += "}\n";
}

void DsjsonFormat::append(const LoggedDecision& decision, std::string& text) {
  const Context& context = decision.context;
  allowed_.clear();
  for (Index a = 0; a < context.actions; ++a) {
    if (context.allows(a)) allowed_.push_back(a);
  }
  event_.id = decision.id;
  event_.time = fmt::format("{}", decision.time);
  event_.reward = as_written(decision.reward);
  event_.actions = static_cast<Index>(allowed_.size());
  event_.action =
      std::lower_bound(allowed_.begin(), allowed_.end(), decision.action) - allowed_.begin();
  event_.skip_learn = decision.skip_learn;
  event_.full_support = decision.full_support;
  event_.dense = true;
  const Features& features = context.features;
  event_.features.assign(static_cast<std::size_t>(features.size), 0.0f);
  for (std::size_t i = 0; i < features.values.size(); ++i) {
    const auto at = features.sparse() ? static_cast<std::size_t>(features.indices[i]) : i;
    event_.features[at] = features.values[i];
  }
  event_.probabilities.clear();
  event_.action_ids.clear();
  event_.action_features.clear();
  const auto width = context.action_features.size() / static_cast<std::size_t>(context.actions);
  for (const Index a : allowed_) {
    const auto i = static_cast<std::size_t>(a);
    event_.probabilities.push_back(decision.probabilities[i]);
    event_.action_ids.push_back(context.action_id(a));
    const auto own = context.action_features.subspan(i * width, width);
    event_.action_features.insert(event_.action_features.end(), own.begin(), own.end());
  }
  event_.propensity = event_.probabilities[static_cast<std::size_t>(event_.action)];
  append(event_, text);
}

}  // namespace bandolier
