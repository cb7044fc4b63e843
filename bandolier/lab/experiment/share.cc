#include "bandolier/lab/experiment/share.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <optional>
#include <set>
#include <tuple>

#include "bandolier/core/error.h"
#include "bandolier/core/text.h"

namespace bandolier {
namespace {

constexpr std::int64_t kMostParts = 1'000'000;

std::optional<std::int64_t> whole_variable(const char* name) {
  const char* text = std::getenv(name);
  if (text == nullptr) return std::nullopt;
  const auto value = parse_integer(text);
  if (!value) fail("{} is '{}': expected a whole number; or give --part I/N", name, text);
  return value;
}

std::int64_t required_variable(const char* name, const char* because) {
  const auto value = whole_variable(name);
  if (!value) {
    fail("part is auto and {} is set, but {} is not: set it, or give --part I/N", because, name);
  }
  return *value;
}

// `where` says where it was found.
void check_found(const Share& share, const std::string& where) {
  if (share.of < 1 || share.of > kMostParts || share.part < 1 || share.part > share.of) {
    fail("part is {}{}: expected I/N with I from 1 to N, and N at most {}", to_text(share), where,
         kMostParts);
  }
}

Share slurm_share(std::int64_t id) {
  constexpr const char* kId = "SLURM_ARRAY_TASK_ID";
  const std::int64_t count = required_variable("SLURM_ARRAY_TASK_COUNT", kId);
  const std::int64_t first = whole_variable("SLURM_ARRAY_TASK_MIN").value_or(1);
  const std::int64_t step =
      std::max<std::int64_t>(whole_variable("SLURM_ARRAY_TASK_STEP").value_or(1), 1);
  const auto last = whole_variable("SLURM_ARRAY_TASK_MAX");
  if ((last && (*last - first) / step + 1 != count) || (id - first) % step != 0) {
    fail(
        "the Slurm array has gaps ({} tasks, the first {}): give --part I/N with the parts of the "
        "whole array",
        count, first);
  }
  const Share share{(id - first) / step + 1, count};
  check_found(share, fmt::format(" by {}={}", kId, id));
  return share;
}

Share kubernetes_share(std::int64_t index) {
  constexpr const char* kIndex = "JOB_COMPLETION_INDEX";
  const Share share{index + 1, required_variable("JOB_COMPLETIONS", kIndex)};
  check_found(share, fmt::format(" by {}={}", kIndex, index));
  return share;
}

}  // namespace

std::string to_text(const Share& share) { return fmt::format("{}/{}", share.part, share.of); }

void check(const Share& share) { check_found(share, ""); }

Share parse_share(const std::string& text) {
  if (text == "auto") {
    if (const auto id = whole_variable("SLURM_ARRAY_TASK_ID")) return slurm_share(*id);
    if (const auto index = whole_variable("JOB_COMPLETION_INDEX")) return kubernetes_share(*index);
    fail(
        "part is auto, and neither SLURM_ARRAY_TASK_ID nor JOB_COMPLETION_INDEX is set: run it in "
        "a Slurm array or a Kubernetes Indexed Job, or give --part I/N");
  }
  const std::size_t slash = text.find('/');
  const auto part = parse_integer(text.substr(0, slash));
  const auto of = slash == std::string::npos ? std::nullopt : parse_integer(text.substr(slash + 1));
  if (!part || !of) fail("part is '{}': expected I/N, such as 2/4, or auto", text);
  const Share share{*part, *of};
  check(share);
  return share;
}

// Equal counts first: they are even whatever the costs are. The rest is longest processing time
// first, O(cells·parts·log parts).
Deal::Deal(const std::vector<std::int64_t>& costs, std::int64_t trials, std::int64_t parts,
           std::int64_t first)
    : parts_(parts), first_(first % parts), even_(trials / parts * parts), left_(costs.size()) {
  std::vector<std::size_t> cells(costs.size());
  std::iota(cells.begin(), cells.end(), std::size_t{0});
  std::stable_sort(cells.begin(), cells.end(),
                   [&](std::size_t a, std::size_t b) { return costs[a] > costs[b]; });
  // Costs as shares of the dearest, so that no sum overflows.
  const std::int64_t unit = costs.empty() ? 1 : costs[cells.front()] / 1'000'000 + 1;
  // (load, place behind `first`): the part of least load comes first.
  std::set<std::pair<std::int64_t, std::int64_t>> loads;
  for (std::int64_t p = 0; p < parts; ++p) loads.insert({0, p});
  for (const std::size_t cell : cells) {
    for (std::int64_t trial = even_; trial < trials; ++trial) {
      const auto [load, place] = *loads.begin();
      loads.erase(loads.begin());
      loads.insert({load + costs[cell] / unit + 1, place});
      left_[cell].push_back((place + first_) % parts);
    }
  }
}

std::int64_t Deal::part_of(Index cell, std::uint32_t trial) const {
  if (trial < even_) return (static_cast<std::int64_t>(trial) + first_) % parts_ + 1;
  return left_[static_cast<std::size_t>(cell)][static_cast<std::size_t>(trial - even_)] + 1;
}

InShare in_share(const Dealing& dealing, std::int64_t trials) {
  if (dealing.share.whole()) return [](Index, std::uint32_t) { return true; };
  return [part = dealing.share.part,
          deal = Deal(dealing.costs, trials, dealing.share.of, dealing.first)](
             Index cell, std::uint32_t trial) { return deal.part_of(cell, trial) == part; };
}

}  // namespace bandolier
