#include "bandolier/model/first_experience.h"

#include <algorithm>

namespace bandolier {
namespace {

constexpr Index kMost = 1000;

template <class To, class From>
std::vector<To> converted(const From& values) {
  return {values.begin(), values.end()};
}

}  // namespace

Experience FirstExperience::Kept::view() const {
  return {{{buffer.values, buffer.indices, features},
           actions,
           buffer.action_features,
           buffer.action_ids,
           buffer.available},
          action,
          reward,
          weight};
}

void FirstExperience::keep(const Experience& experience) {
  Kept one;
  one.buffer.hold(experience.context);
  one.features = experience.context.features.size;
  one.actions = experience.context.actions;
  one.action = experience.action;
  one.reward = experience.reward;
  one.weight = experience.weight;
  kept_.write().push_back(std::move(one));
}

void FirstExperience::start(std::span<const Experience> warm_up, Index wanted) {
  kept_.write().clear();
  warmed_up_ = !warm_up.empty();
  wanted_ = static_cast<Index>(warm_up.size()) < wanted ? wanted : 0;
  if (!open()) return;
  for (const Experience& one : warm_up) keep(one);
}

bool FirstExperience::add(const Experience& experience) {
  if (!open()) return false;
  keep(experience);
  const auto count = static_cast<Index>(kept_->size());
  return count >= wanted_ || (!warmed_up_ && (count == 1 || count == kFewFirstRewards));
}

void FirstExperience::close_if_enough() {
  if (static_cast<Index>(kept_->size()) < wanted_) return;
  wanted_ = 0;
  kept_ = CopyOnWrite<std::vector<Kept>>();
}

std::vector<Experience> FirstExperience::list() const {
  std::vector<Experience> views;
  for (const Kept& one : *kept_) views.push_back(one.view());
  return views;
}

std::size_t FirstExperience::bytes() const {
  std::size_t total = 0;
  for (const Kept& one : *kept_) {
    const ContextBuffer& b = one.buffer;
    total += sizeof one + sizeof(float) * (b.values.size() + b.action_features.size()) +
             sizeof(std::int32_t) * b.indices.size() + sizeof(std::int64_t) * b.action_ids.size() +
             b.available.size();
  }
  return total;
}

void FirstExperience::save(ArchiveWriter& out) const {
  out.write("wanted", wanted_);
  out.write("warmed_up", warmed_up_);
  out.write("count", kept_->size());
  for (std::size_t i = 0; i < kept_->size(); ++i) {
    const auto section = out.section("reward", i);
    const Kept& one = (*kept_)[i];
    const ContextBuffer& b = one.buffer;
    const auto floats = [](const std::vector<float>& v) {
      return ConstVectorMap<float>(v.data(), static_cast<Index>(v.size()));
    };
    out.write("values", floats(b.values));
    out.write("indices", converted<std::int64_t>(b.indices));
    out.write("action_features", floats(b.action_features));
    out.write("action_ids", b.action_ids);
    out.write("available", converted<std::int64_t>(b.available));
    out.write("actions", one.actions);
    out.write("action", one.action);
    out.write("reward", static_cast<double>(one.reward));
    if (one.weight != 1) out.write("weight", static_cast<double>(one.weight));
  }
}

void FirstExperience::load(const ArchiveReader& in, const ProblemShape& shape) {
  wanted_ = in.read_integer("wanted", 0, kMost);
  warmed_up_ = in.read_bool("warmed_up");
  const Index count = in.read_integer("count", 0, std::max<Index>(0, wanted_ - 1));
  std::vector<Kept>& kept = kept_.write();
  kept.clear();
  for (Index i = 0; i < count; ++i) {
    const ArchiveReader section = in.section("reward", static_cast<std::size_t>(i));
    Kept one;
    const auto floats = [&](std::string_view tag) {
      return converted<float>(section.read_vector<float>(tag));
    };
    constexpr std::int64_t kLargest = std::numeric_limits<std::int32_t>::max();
    const auto integers = [&](std::string_view tag, std::int64_t most) {
      const std::size_t size = section.read_integers(tag).size();
      return section.read_integers(tag, size, 0, most);
    };
    one.buffer.values = floats("values");
    for (const std::int64_t index : integers("indices", kLargest)) {
      one.buffer.indices.push_back(static_cast<std::int32_t>(index));
    }
    one.buffer.action_features = floats("action_features");
    one.buffer.action_ids = section.read_integers("action_ids");
    for (const std::int64_t is : integers("available", 1)) {
      one.buffer.available.push_back(static_cast<std::uint8_t>(is));
    }
    one.features = shape.features;
    one.actions = section.read_integer("actions", 1, kLargest);
    one.action = section.read_integer("action", 0, one.actions - 1);
    one.reward = static_cast<float>(section.read_double("reward", {-1e30, 1e30}));
    if (section.has("weight")) {
      one.weight = static_cast<float>(section.read_double("weight", {kLeastWeight, kMostWeight}));
    }
    check(one.view().context, shape);
    kept.push_back(std::move(one));
  }
}

}  // namespace bandolier
