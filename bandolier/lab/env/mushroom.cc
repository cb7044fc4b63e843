#include "bandolier/lab/env/mushroom.h"

#include "bandolier/lab/env/data_folder.h"
#include "bandolier/lab/env/table_rows.h"

namespace bandolier {
namespace {

constexpr float kSafe = 5, kPoisoned = -35;

class MushroomRows final : public ColumnRows {
 public:
  // `labelled`: classes 0 (edible) and 1 (poisonous).
  explicit MushroomRows(std::shared_ptr<const ColumnRows> labelled)
      : labelled_(std::move(labelled)) {}

  Index count() const override { return labelled_->count(); }
  ProblemShape shape() const override { return labelled_->shape(); }
  Context context(Index row, ContextBuffer& buffer) const override {
    return labelled_->context(row, buffer);
  }
  Context context(Index row, const ColumnEncoder& encoder, ContextBuffer& buffer) const override {
    return labelled_->context(row, encoder, buffer);
  }
  const FeatureSchema& schema() const override { return labelled_->schema(); }
  void raw_features(Index row, std::span<double> out) const override {
    labelled_->raw_features(row, out);
  }
  std::vector<std::string> action_names() const override { return {"leave", "eat"}; }
  std::vector<Note> notes() const override { return labelled_->notes(); }

  float reward(Index row, Index action, Random& noise) const override {
    if (action == 0) return 0;
    return poisonous(row) && noise.below(2) == 0 ? kPoisoned : kSafe;
  }

  void expected_rewards(Index row, std::span<float> out) const override {
    out[0] = 0;
    out[1] = poisonous(row) ? (kPoisoned + kSafe) / 2 : kSafe;
  }

 private:
  bool poisonous(Index row) const {
    float is[2];
    labelled_->expected_rewards(row, is);
    return is[1] > 0;
  }

  std::shared_ptr<const ColumnRows> labelled_;
};

}  // namespace

const OptionTable<MushroomOptions>& mushroom_options() {
  static const OptionTable<MushroomOptions> table = [] {
    OptionTable<MushroomOptions> rows = {};
    rows.include(rows_options()).include(standardise_options());
    return rows;
  }();
  return table;
}

std::unique_ptr<Environment> make_mushroom(const MushroomOptions& options) {
  const auto input = open_input(require_data_file("mushroom", "uci/agaricus-lepiota.data"));
  const TableFormat format{.separator = ',',
                           .header = Header::kNo,
                           .names = {"class",
                                     "cap-shape",
                                     "cap-surface",
                                     "cap-color",
                                     "bruises",
                                     "odor",
                                     "gill-attachment",
                                     "gill-spacing",
                                     "gill-size",
                                     "gill-color",
                                     "stalk-shape",
                                     "stalk-root",
                                     "stalk-surface-above-ring",
                                     "stalk-surface-below-ring",
                                     "stalk-color-above-ring",
                                     "stalk-color-below-ring",
                                     "veil-type",
                                     "veil-color",
                                     "ring-number",
                                     "ring-type",
                                     "spore-print-color",
                                     "population",
                                     "habitat"},
                           .categorical = {"class"},
                           .required = {"class"},
                           .outcome_prefix = {}};
  Table table = read_table(*input, format);
  const auto& classes = table.columns.front().words;
  if (classes != std::vector<std::string>{"e", "p"}) {
    fail("{}: found the classes {} in its first column: expected e (edible) and p (poisonous)",
         table.file, join(classes, ", "));
  }
  return make_rows_environment(
      std::make_shared<MushroomRows>(make_label_rows(std::move(table), "class")), options, options,
      "mushroom");
}

}  // namespace bandolier
