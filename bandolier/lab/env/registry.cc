#include "bandolier/lab/env/registry.h"

#include "bandolier/core/find_named.h"
#include "bandolier/lab/env/change.h"
#include "bandolier/lab/env/csv_problem.h"
#include "bandolier/lab/env/images.h"
#include "bandolier/lab/env/items.h"
#include "bandolier/lab/env/linear.h"
#include "bandolier/lab/env/movielens.h"
#include "bandolier/lab/env/mushroom.h"
#include "bandolier/lab/env/suggest_table.h"
#include "bandolier/lab/env/uci.h"
#include "bandolier/lab/env/wheel.h"
#include "bandolier/lab/env/words.h"

namespace bandolier {
namespace {

std::string where(const Spec& spec) { return fmt::format("environment '{}'", spec.name); }

// `table` is one of the functions that return an OptionTable.
template <auto table>
std::vector<OptionDoc> docs() {
  auto rows = table().docs();
  const auto changes = change_options().docs();
  rows.insert(rows.end(), changes.begin(), changes.end());
  return rows;
}

template <auto table>
auto options(const Spec& spec, std::size_t arguments = 0) {
  if (spec.arguments.size() != arguments) {
    fail("'{}' has {} parts without '=': expected {}", spec.text, spec.arguments.size(),
         find_environment(spec.name).usage);
  }
  return table().parse(where(spec), spec.options);
}

template <auto table, auto make>
std::unique_ptr<Environment> build(const Spec& spec) {
  return make(options<table>(spec));
}

// `drop=id,date` makes `date` a part of its own: says how to type it.
void check_lists(const Spec& spec) {
  const auto parts = split(spec.text.substr(spec.text.find(':') + 1), ',');
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const std::string& before = parts[i - 1];
    const std::string key = before.substr(0, before.find('='));
    if (parts[i].find('=') == std::string::npos &&
        (key == "drop" || key == "categorical" || key == "keep" || key == "missing")) {
      fail("'{}': found '{},{}': expected {}+{}; + stands between several", spec.text, before,
           parts[i], before, parts[i]);
    }
  }
}

std::unique_ptr<Environment> build_csv(const Spec& spec) {
  check_lists(spec);
  const auto parsed = options<csv_options>(spec, 1);
  return make_csv(spec.arguments[0], parsed);
}

std::unique_ptr<Environment> build_idx(const Spec& spec) {
  const auto parsed = options<rows_options>(spec, 2);
  return make_idx(spec.arguments[0], spec.arguments[1], parsed);
}

std::unique_ptr<Environment> build_movielens(const Spec& spec) {
  return make_movielens(options<movielens_options>(spec));
}

}  // namespace

const std::vector<EnvironmentEntry>& environments() {
  static const std::vector<EnvironmentEntry> entries = {
      {"shuttle", "shuttle", "UCI Statlog (Shuttle), 7 classes, 9 features", docs<uci_options>,
       build<uci_options, make_shuttle>},
      {"covertype", "covertype", "UCI Covertype, 7 classes, 54 features", docs<uci_options>,
       build<uci_options, make_covertype>},
      {"adult", "adult", "UCI Adult, 2 classes, categories one-hot encoded", docs<uci_options>,
       build<uci_options, make_adult>},
      {"movielens", "movielens", "MovieLens-100k: recommend one of the first 20 movies to a user",
       docs<movielens_options>, build_movielens},
      {"mnist", "mnist", "MNIST digits, 10 classes, 784 pixels", docs<image_options>,
       build<image_options, make_mnist>},
      {"fashion-mnist", "fashion-mnist", "Fashion-MNIST from Debian's package, 10 classes",
       docs<image_options>, build<image_options, make_fashion_mnist>},
      {"mushroom", "mushroom", "UCI Mushroom: eating a poisonous one pays -35 half of the time",
       docs<mushroom_options>, build<mushroom_options, make_mushroom>},
      {"wheel", "wheel", "the wheel: a rare context where one action pays 50, generated",
       docs<wheel_options>, build<wheel_options, make_wheel>},
      {"linear", "linear", "rewards linear in the context, generated", docs<linear_problem_options>,
       build<linear_problem_options, make_linear_problem>},
      {"sparse-linear", "sparse-linear", "rewards linear in a few features, generated",
       docs<sparse_linear_options>, build<sparse_linear_options, make_sparse_linear>},
      {"items", "items", "recommend one of 30 items from a catalogue that changes, generated",
       docs<items_options>, build<items_options, make_items>},
      {"words", "words", "the topic of a document, 100,000 sparse features, generated",
       docs<words_options>, build<words_options, make_words>},
      {"csv", "csv:PATH,label=COLUMN or csv:PATH,rewards=PREFIX",
       "your own table: classification, or one reward column per action", docs<csv_options>,
       build_csv},
      {"idx", "idx:IMAGES,LABELS", "your own images in IDX format", docs<rows_options>, build_idx}};
  return entries;
}

const EnvironmentEntry& find_environment(const std::string& name) {
  const std::string path = name.substr(0, name.find(','));
  if (looks_like_table(path)) {
    fail("'{}' is a file and no environment: expected {}", name, suggest_table(path));
  }
  return find_named(environments(), name, "environment");
}

std::unique_ptr<Environment> make_environment(const std::string& text) {
  Spec spec = parse_spec(text);
  const EnvironmentEntry& entry = find_environment(spec.name);
  OptionTexts changes;
  for (const auto& row : change_options().rows()) {
    if (auto option = spec.options.extract(row.name)) changes.insert(std::move(option));
  }
  const ChangeOptions change = change_options().parse(where(spec), changes);
  return make_changed(entry.make(spec), change);
}

}  // namespace bandolier
