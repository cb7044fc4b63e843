#include "bandolier/filter/action_effects.h"

#include <algorithm>

namespace bandolier {
namespace {

constexpr std::size_t kWays = 8;
constexpr std::size_t kPlaces = 4096;
constexpr std::size_t kNone = kPlaces;

// The first place of an id's set. Fibonacci hashing: ids that count up go to different sets.
std::size_t set_of(std::int64_t id) {
  const std::uint64_t hash = static_cast<std::uint64_t>(id) * 0x9e3779b97f4a7c15u;
  static_assert(kPlaces / kWays == 512);
  return (hash >> 55) * kWays;
}

}  // namespace

template <class T>
ActionEffects<T>::ActionEffects(T prior_variance) : prior_(prior_variance) {
  check_prior<T>(Vector<T>::Constant(1, prior_variance));
  reset();
}

template <class T>
void ActionEffects<T>::reset() {
  clock_ = 0;
  Table& table = table_.write();
  table.ids.assign(kPlaces, 0);
  table.used.assign(kPlaces, 0);
  table.means.setZero(static_cast<Index>(kPlaces));
  table.variances.setConstant(static_cast<Index>(kPlaces), prior_);
}

template <class T>
std::size_t ActionEffects<T>::find(std::int64_t id) const {
  const std::size_t first = set_of(id);
  for (std::size_t i = first; i < first + kWays; ++i) {
    if (table_->used[i] != 0 && table_->ids[i] == id) return i;
  }
  return kNone;
}

template <class T>
std::size_t ActionEffects<T>::claim(std::int64_t id) {
  const std::size_t found = find(id);
  if (found != kNone) return found;
  Table& table = table_.write();
  const auto set = table.used.begin() + static_cast<std::ptrdiff_t>(set_of(id));
  const auto place = static_cast<std::size_t>(
      std::min_element(set, set + static_cast<std::ptrdiff_t>(kWays)) - table.used.begin());
  table.ids[place] = id;
  table.means[static_cast<Index>(place)] = 0;
  table.variances[static_cast<Index>(place)] = prior_;
  return place;
}

template <class T>
typename ActionEffects<T>::Effect ActionEffects<T>::of(std::int64_t id) const {
  const std::size_t place = find(id);
  if (place == kNone) return {0, prior_};
  const auto i = static_cast<Index>(place);
  return {table_->means[i], table_->variances[i]};
}

template <class T>
void ActionEffects<T>::correct(std::int64_t id, const Observation<T>& observation, T q_others) {
  const std::size_t place = claim(id);
  Table& table = table_.write();
  table.used[place] = ++clock_;
  const auto i = static_cast<Index>(place);
  const T v = table.variances[i], others = 1 + observation.curvature * q_others;
  const T s = others + observation.curvature * v;
  table.means[i] += v * observation.slope / s;
  table.variances[i] = v * others / s;
}

template <class T>
void ActionEffects<T>::scale_means(T factor) {
  table_.write().means *= factor;
}

template <class T>
void ActionEffects<T>::forget(T gamma) {
  check_forgetting(gamma);
  if (gamma == 1) return;
  auto v = table_.write().variances.array();
  v /= gamma + (1 - gamma) / prior_ * v;
}

template <class T>
void ActionEffects<T>::add_process_noise(T q) {
  check_process_noise(q);
  table_.write().variances.array() += q;
}

template <class T>
Index ActionEffects<T>::count() const {
  return static_cast<Index>(kPlaces) - std::count(table_->used.begin(), table_->used.end(), 0);
}

template <class T>
std::size_t ActionEffects<T>::bytes_needed() {
  return kPlaces * (2 * sizeof(std::int64_t) + 2 * sizeof(T));
}

template <class T>
void ActionEffects<T>::save(ArchiveWriter& out) const {
  std::vector<std::int64_t> ids, used;
  Vector<T> means(count()), variances(count());
  for (std::size_t i = 0; i < kPlaces; ++i) {
    if (table_->used[i] == 0) continue;
    const auto n = static_cast<Index>(ids.size());
    ids.push_back(table_->ids[i]);
    used.push_back(table_->used[i]);
    means[n] = table_->means[static_cast<Index>(i)];
    variances[n] = table_->variances[static_cast<Index>(i)];
  }
  out.write("prior", static_cast<double>(prior_));
  out.write("clock", clock_);
  out.write("ids", ids);
  out.write("used", used);
  out.write("means", means);
  out.write("variances", variances);
}

template <class T>
void ActionEffects<T>::load(const ArchiveReader& in) {
  const auto ids = in.read_integers("ids");
  if (ids.size() > kPlaces) {
    fail("{} has {} ids: expected at most {}", in.where("ids"), ids.size(), kPlaces);
  }
  Vector<T> means(static_cast<Index>(ids.size())), variances(means.size());
  in.read_into("means", means, kSavedMeans);
  in.read_into("variances", variances, kSavedVariances);
  ActionEffects loaded(static_cast<T>(in.read_double("prior", kSavedVariances)));
  loaded.clock_ = in.read_count("clock");
  const auto used = in.read_integers("used", ids.size(), 1, loaded.clock_);
  Table& table = loaded.table_.write();
  for (std::size_t n = 0; n < ids.size(); ++n) {
    const auto i = static_cast<Index>(n);
    const std::size_t place = loaded.claim(ids[n]);
    if (table.used[place] != 0) {
      fail("{} has id {} twice, or more ids of its set than it holds", in.where("ids"), ids[n]);
    }
    table.used[place] = used[n];
    table.means[static_cast<Index>(place)] = means[i];
    table.variances[static_cast<Index>(place)] = variances[i];
  }
  *this = loaded;
}

template class ActionEffects<float>;
template class ActionEffects<double>;

}  // namespace bandolier
