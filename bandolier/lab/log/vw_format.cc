#include "bandolier/lab/log/vw_format.h"

namespace bandolier {
namespace {

bool says_name(const NamedValues::Value& value, const std::string& name) {
  return value.name == "id" && value.word == name && !name.empty();
}

// Whether nothing is said of an action but its name.
bool is_bare(const LoggedEvent& event, std::size_t action) {
  if (event.dense) return event.action_features.empty();
  const NamedValues& own = event.own[action];
  return own.empty() || (own.size() == 1 && says_name(own[0], event.action_names[action]));
}

}  // namespace

void VwFormat::look_at(const LoggedEvent& event) {
  if (actions_.empty()) actions_ = event.action_names;
  blocks_ = blocks_ || event.action_names != actions_;
  for (std::size_t a = 0; !blocks_ && a < actions_.size(); ++a) blocks_ = !is_bare(event, a);
}

void VwFormat::append_word(std::string_view word, std::string& out) {
  const auto begin = out.size();
  out += word;
  bool replaced = false;
  for (auto i = begin; i < out.size(); ++i) {
    if (std::string_view(" \t\r\n|:").find(out[i]) == std::string_view::npos) continue;
    out[i] = '_';
    replaced = true;
  }
  replaced_ += replaced ? 1 : 0;
}

void VwFormat::append_label(const LoggedEvent& event, Index action, std::string& out) const {
  out += fmt::format("{}:{}:{}", action, event.reward == 0 ? 0 : -event.reward, event.propensity);
}

void VwFormat::append_numbers(std::span<const float> numbers, std::string& out) {
  out += " |";
  for (std::size_t i = 0; i < numbers.size(); ++i) out += fmt::format(" x[{}]:{}", i, numbers[i]);
}

void VwFormat::append_values(const NamedValues& values, const std::string& named,
                             std::string& out) {
  std::string open;  // the namespace that is open, with its bar
  for (Index i = 0; i < values.size(); ++i) {
    const NamedValues::Value value = values[i];
    if (says_name(value, named)) continue;
    std::string_view space = value.name, word = value.word;
    const bool number = value.kind != NamedValues::Kind::kWord;
    if (number) {
      const auto dot = value.name.rfind('.');
      const bool split = dot != std::string_view::npos && dot > 0 && dot + 1 < value.name.size();
      space = split ? value.name.substr(0, dot) : std::string_view();
      word = split ? value.name.substr(dot + 1) : value.name;
    }
    std::string wanted = " |";
    append_word(space, wanted);
    if (wanted != open) out += open = wanted;
    out += ' ';
    append_word(word.empty() ? "_" : word, out);
    if (number) out += fmt::format(":{}", value.number);
  }
  if (open.empty()) out += " |";
}

void VwFormat::append(const LoggedEvent& event, std::string& out) {
  if (event.skip_learn) {
    ++skipped_;
    return;
  }
  dropped_ += event.dropped > 0 ? 1 : 0;
  std::string tag;
  if (!event.id.empty()) {
    tag = " '";
    append_word(event.id, tag);
  }
  const auto features = [&](std::string& text) {
    if (event.dense) {
      append_numbers(event.features, text);
    } else {
      append_values(event.shared, {}, text);
    }
    text += '\n';
  };
  if (!blocks_) {
    append_label(event, event.action + 1, out);
    out += tag;
    return features(out);
  }
  out += "shared" + tag;
  features(out);
  const auto count = static_cast<std::size_t>(event.actions);
  const std::size_t width = event.dense ? event.action_features.size() / count : 0;
  for (std::size_t a = 0; a < count; ++a) {
    const std::string& name = event.action_names[a];
    if (static_cast<Index>(a) == event.action) append_label(event, 0, out);
    if (!name.empty()) {
      out += " |id ";
      append_word(name, out);
    }
    if (event.dense) {
      append_numbers(std::span(event.action_features).subspan(a * width, width), out);
    } else {
      append_values(event.own[a], name, out);
    }
    out += '\n';
  }
  out += '\n';
}

std::vector<Note> VwFormat::notes() const {
  std::vector<Note> notes;
  const auto say = [&](std::int64_t count, const char* text) {
    if (count > 0) notes.push_back({"lost-in-format", text, count});
  };
  say(skipped_, "events that are not to be learnt from were left out: vw cannot mark them");
  say(dropped_, "events lost their pdrop, which vw has no place for");
  say(replaced_, "names held blanks, bars or colons, which became '_'");
  return notes;
}

}  // namespace bandolier
