#include "bandolier/lab/env/items.h"

#include <cmath>
#include <numbers>
#include <numeric>

#include "bandolier/lab/env/generated.h"

namespace bandolier {
namespace {

constexpr double kGain = 1.5;
constexpr Index kUnits = 4;

Matrix<double> normals(Index rows, Index columns, Random random) {
  Vector<double> flat(rows * columns);
  random.fill_normal(flat);
  return flat.reshaped(rows, columns);
}

class ItemsTrial final : public GeneratedTrial {
 public:
  ItemsTrial(const ItemsOptions& options, std::uint64_t seed, std::uint32_t trial, Index steps)
      : GeneratedTrial(seed, trial, steps),
        options_(options),
        items_(hidden_stream().fork(0)),
        bilinear_(normals(options.item_features, options.features, hidden_stream().fork(1))),
        user_units_(normals(kUnits, options.features, hidden_stream().fork(2))),
        item_units_(normals(kUnits, options.item_features, hidden_stream().fork(3))),
        phases_(kUnits) {
    bilinear_ *= std::sqrt(2.0 / 3) / bilinear_.norm();
    user_units_.rowwise().normalize();
    item_units_.rowwise().normalize();
    Random random = hidden_stream().fork(4);
    for (double& phase : phases_) phase = 2 * std::numbers::pi * random.uniform();
  }

  Context context(Index t, ContextBuffer& buffer) const override {
    const auto candidates = static_cast<std::size_t>(options_.candidates);
    buffer.values.resize(static_cast<std::size_t>(options_.features));
    context_stream(t).fill_normal(VectorMap<float>(buffer.values.data(), options_.features));
    const auto slots = menu(t, candidates);
    buffer.action_ids.resize(candidates);
    buffer.action_features.resize(candidates * static_cast<std::size_t>(options_.item_features));
    float* row = buffer.action_features.data();
    for (std::size_t i = 0; i < candidates; ++i, row += options_.item_features) {
      buffer.action_ids[i] = id_of(slots[i], t);
      item(buffer.action_ids[i]).fill_normal(VectorMap<float>(row, options_.item_features));
    }
    return {Features::dense(buffer.values), options_.candidates, buffer.action_features,
            buffer.action_ids};
  }

  float reward(Index t, Index action) const override {
    const auto slots = menu(t, static_cast<std::size_t>(action) + 1);
    Random random = reward_stream(t, action);
    return static_cast<float>(mean(user(t), id_of(slots[static_cast<std::size_t>(action)], t)) +
                              options_.noise * random.normal());
  }

  void expected_rewards(Index t, std::span<float> out) const override {
    const auto candidates = static_cast<std::size_t>(options_.candidates);
    const auto slots = menu(t, candidates);
    const User at = user(t);
    for (std::size_t i = 0; i < candidates; ++i) {
      out[i] = static_cast<float>(mean(at, id_of(slots[i], t)));
    }
  }

 private:
  // What an item's worth needs of the user.
  struct User {
    Vector<double> weights;  // √⅔·Bᵀx
    Vector<double> angles;   // uₖᵀx + bₖ
  };

  User user(Index t) const {
    Vector<double> x(options_.features);
    context_stream(t).fill_normal(x);
    return {bilinear_ * x, user_units_ * x + phases_};
  }

  // The catalogue's places whose items are on step t's menu: the first `count` of them.
  std::vector<std::int32_t> menu(Index t, std::size_t count) const {
    std::vector<std::int32_t> slots(static_cast<std::size_t>(options_.catalogue));
    std::iota(slots.begin(), slots.end(), 0);
    Random random = context_stream(t).fork(0);
    shuffle_first(slots, count, random);
    return slots;
  }

  // Places are renewed in turn, so that items are numbered as they come.
  std::int64_t id_of(std::int32_t slot, Index t) const {
    if (options_.renewal == 0) return slot;
    const Index renewals = t / options_.renewal;
    const Index generation = (renewals + options_.catalogue - 1 - slot) / options_.catalogue;
    return generation * options_.catalogue + slot;
  }

  // Steps are 32 bits in a stream's key, and ids are fewer than steps and places.
  Random item(std::int64_t id) const { return items_.fork(static_cast<std::uint32_t>(id)); }

  double mean(const User& user, std::int64_t id) const {
    Vector<double> y(options_.item_features);
    Random stream = item(id);
    stream.fill_normal(y);
    double worth = user.weights.dot(y);
    for (Index k = 0; k < kUnits; ++k) {
      worth += std::sqrt(2.0 / (3 * kUnits)) * std::cos(user.angles[k] + item_units_.row(k).dot(y));
    }
    if (options_.quality > 0) worth += options_.quality * stream.fork(0).normal();
    return 1 / (1 + std::exp(-kGain * worth));
  }

  ItemsOptions options_;
  Random items_;               // forked by id
  Matrix<double> bilinear_;    // √⅔·Bᵀ: item features × features
  Matrix<double> user_units_;  // a row per unit: uₖ
  Matrix<double> item_units_;  // a row per unit: vₖ
  Vector<double> phases_;      // bₖ
};

}  // namespace

const OptionTable<ItemsOptions>& items_options() {
  using O = ItemsOptions;
  static const OptionTable<O> table = {
      {"features", &O::features, "features of a user", between(1, 1000)},
      {"item_features", &O::item_features, "features of an item", between(1, 1000)},
      {"candidates", &O::candidates, "items on a step's menu: its actions", between(2, 1000)},
      {"catalogue", &O::catalogue, "items that menus are drawn from, at least candidates",
       between(2, 100'000)},
      {"renewal", &O::renewal, "steps after which the oldest item gives way to a new one; 0: never",
       non_negative()},
      {"noise", &O::noise, "standard deviation of a reward", non_negative()},
      {"quality", &O::quality,
       "standard deviation of an item's worth beyond its features, whose own part has about 1",
       non_negative()}};
  return table;
}

std::unique_ptr<Environment> make_items(const ItemsOptions& options) {
  if (options.catalogue < options.candidates) {
    fail("environment 'items': catalogue={}: expected at least candidates={}", options.catalogue,
         options.candidates);
  }
  return std::make_unique<GeneratedEnvironment<ItemsTrial, ItemsOptions>>(
      ProblemShape{.features = options.features,
                   .actions = options.candidates,
                   .action_features = options.item_features,
                   .fixed_actions = false},
      options);
}

}  // namespace bandolier
