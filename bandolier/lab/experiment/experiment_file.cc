#include "bandolier/lab/experiment/experiment_file.h"

#include <toml++/toml.h>

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "bandolier/core/error.h"
#include "bandolier/core/file.h"
#include "bandolier/core/text.h"

namespace bandolier {
namespace {

// Errors say where: "FILE:LINE: ...".
class Reader {
 public:
  explicit Reader(std::string name) : name_(std::move(name)) {}

  std::string where(const toml::node& node) const {
    return fmt::format("{}:{}", name_, node.source().begin.line);
  }

  std::string text(const std::string& key, const toml::node& node) const {
    if (const auto value = node.value_exact<std::string>()) return *value;
    fail("{}: {} is not a text: expected {} = \"...\"", where(node), key, key);
  }

  std::int64_t integer(const std::string& key, const toml::node& node) const {
    if (const auto value = node.value_exact<std::int64_t>()) return *value;
    fail("{}: {} is not a whole number", where(node), key);
  }

  bool boolean(const std::string& key, const toml::node& node) const {
    if (const auto value = node.value_exact<bool>()) return *value;
    fail("{}: {} is not true or false", where(node), key);
  }

  // An option's value as it would be typed: ["a", "b"] is a+b.
  std::string option(const std::string& key, const toml::node& node) const {
    if (node.is_array()) {
      std::vector<std::string> parts;
      for (const auto* element : elements(node)) {
        parts.push_back(text(key, *element));
        if (parts.back().find_first_of("+,") != std::string::npos) {
          fail(
              "{}: {} has '{}' in its list: expected a text without + and comma; a column goes by "
              "its number too",
              where(node), key, parts.back());
        }
      }
      return join(parts, "+");
    }
    if (const auto value = node.value_exact<std::string>()) return quoted(*value);
    if (const auto value = node.value_exact<std::int64_t>()) return std::to_string(*value);
    if (const auto value = node.value_exact<double>()) return to_text(*value);
    if (const auto value = node.value_exact<bool>()) return *value ? "true" : "false";
    fail("{}: {} is not a number, a text, a list of texts, true or false", where(node), key);
  }

  // NAME:PATH,key=value,... from a text or a table; its label is what stands under `label_key`.
  LabelledSpec spec(const std::string& key, const toml::node& node,
                    std::string_view label_key) const {
    const toml::table* table = node.as_table();
    if (table == nullptr) return {text(key, node)};
    std::string name, label;
    std::vector<std::string> paths, options;
    for (const auto& [option_key, value] : *table) {
      const std::string option_name(option_key.str());
      if (option_name == "name") {
        name = text("name", value);
      } else if (option_name == label_key) {
        label = text(option_name, value);
      } else if (option_name == "path") {
        // One path, or several: what csv: and idx: take first.
        for (const auto* path : elements(value)) paths.push_back(quoted(text("path", *path)));
      } else {
        options.push_back(option_name + "=" + option(option_name, value));
      }
    }
    if (name.empty()) fail("{}: {} has no name: expected name = \"...\"", where(node), key);
    options.insert(options.begin(), paths.begin(), paths.end());
    if (options.empty()) return {name, label};
    const char separator = name.find(':') == std::string::npos ? ':' : ',';
    return {name + separator + join(options, ","), label};
  }

  // A value with a comma goes into quotes.
  static std::string quoted(const std::string& text) {
    return text.find(',') == std::string::npos ? text : '"' + text + '"';
  }

  // The elements of an array, or the node itself.
  static std::vector<const toml::node*> elements(const toml::node& node) {
    const toml::array* array = node.as_array();
    if (array == nullptr) return {&node};
    std::vector<const toml::node*> nodes;
    for (const auto& element : *array) nodes.push_back(&element);
    return nodes;
  }

 private:
  std::string name_;
};

}  // namespace

ExperimentFile parse_experiment(std::string_view toml, const std::string& name) {
  toml::table table;
  try {
    table = toml::parse(toml, name);
  } catch (const toml::parse_error& error) {
    fail("{}:{}: {}", name, error.source().begin.line, error.description());
  }
  const Reader reader(name);
  ExperimentFile file;
  ExperimentSettings& settings = file.settings;
  RunChoices& choices = file.choices;
  using Read = std::function<void(const std::string&, const toml::node&)>;
  const std::vector<std::pair<std::string, Read>> keys = {
      {"name", [&](auto& key, auto& node) { settings.name = reader.text(key, node); }},
      {"env",
       [&](auto& key, auto& node) {
         for (const auto* element : Reader::elements(node)) {
           settings.environments.push_back(reader.spec(key, *element, "title"));
           settings.origins[settings.environments.back().spec] = reader.where(*element);
         }
       }},
      {"agent",
       [&](auto& key, auto& node) {
         settings.agents.clear();
         for (const auto* element : Reader::elements(node)) {
           settings.agents.push_back(reader.spec(key, *element, "label"));
           settings.origins[settings.agents.back().spec] = reader.where(*element);
         }
       }},
      {"steps", [&](auto& key, auto& node) { settings.steps = reader.integer(key, node); }},
      {"trials", [&](auto& key, auto& node) { settings.trials = reader.integer(key, node); }},
      {"seed", [&](auto& key, auto& node) { settings.seed = reader.integer(key, node); }},
      {"warmup-pulls",
       [&](auto& key, auto& node) { settings.warmup_pulls = reader.integer(key, node); }},
      {"warmup-feedback",
       [&](auto& key, auto& node) {
         const std::string word = reader.text(key, node);
         try {
           settings.warmup_feedback = parse_word<WarmupFeedback>(key, word);
         } catch (const Error& error) {
           fail("{}: {}", reader.where(node), error.what());
         }
       }},
      {"baseline", [&](auto& key, auto& node) { choices.baseline = reader.text(key, node); }},
      {"jobs", [&](auto& key, auto& node) { choices.jobs = reader.integer(key, node); }},
      {"out", [&](auto& key, auto& node) { choices.out = reader.text(key, node); }},
      {"save", [&](auto& key, auto& node) { choices.save = reader.text(key, node); }},
      {"log", [&](auto& key, auto& node) { choices.log = reader.text(key, node); }},
      {"part", [&](auto& key, auto& node) { choices.part = reader.text(key, node); }},
      {"format", [&](auto& key, auto& node) { choices.format = reader.text(key, node); }},
      {"actions", [&](auto& key, auto& node) { choices.actions = reader.boolean(key, node); }},
      {"quiet", [&](auto& key, auto& node) { choices.quiet = reader.boolean(key, node); }},
  };
  for (const auto& [toml_key, node] : table) {
    const std::string key(toml_key.str());
    const auto found =
        std::find_if(keys.begin(), keys.end(), [&key](const auto& k) { return k.first == key; });
    if (found == keys.end()) {
      std::vector<std::string> known;
      for (const auto& k : keys) known.push_back(k.first);
      fail("{}: unknown key '{}'{}", reader.where(node), key, suggestion(key, known));
    }
    found->second(key, node);
  }
  return file;
}

ExperimentFile read_experiment_file(const std::filesystem::path& path) {
  return parse_experiment(read_file(path), path.string());
}

}  // namespace bandolier
