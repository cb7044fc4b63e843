#include "bandolier/lab/experiment/paper.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include "bandolier/core/error.h"
#include "bandolier/core/options.h"
#include "bandolier/core/text.h"
#include "bandolier/lab/env/data_folder.h"

namespace bandolier {
namespace {

using Agents = std::vector<LabelledSpec>;

constexpr std::string_view kTitle = "Paper: ";  // the problem follows, then the kind of its methods
constexpr std::string_view kFilters = "filters", kOthers = "others";
constexpr std::int64_t kLeakTrialsOfLenet = 3;

// The paper's own 5,000 rows where they are at hand, else as many of UCI's.
std::string tabular_spec(const std::string& name) {
  const bool own = !find_plain_or_gzipped(data_folder() / "paper", name + ".csv").empty();
  return own ? name + ":sample=paper" : name + ":rows=5000";
}

// What is run on one problem.
struct Problem {
  std::string name;  // "tabular", "mnist-mlp1"
  std::vector<std::string> environments = {};
  std::string model = {};
  std::int64_t dim = 200;
  std::int64_t pulls = 20;
  std::string precision = "float";  // of a basis that is stored
  Agents filters = {}, others = {};
};

// SGD on the warm-up as released, however few the pulls.
constexpr std::string_view kTraining = "offset_pulls=1";

// Plain Thompson sampling for every method: what the paper compares. The two bases differ in
// nothing else: both start from the trained offset.
LabelledSpec subspace_ekf(const std::string& label, const Problem& problem,
                          const std::string& basis, const std::string& covariance,
                          const std::string& offset, std::int64_t dim) {
  return {fmt::format("subspace-ekf:basis={},covariance={},dim={},model={},offset={},{},"
                      "precision={},temperature=1",
                      basis, covariance, dim, problem.model, offset, kTraining, problem.precision),
          label};
}

Agents subspace_methods(const Problem& p) {
  using namespace paper_method;
  return {subspace_ekf(kSvdFull, p, "svd", "full", "sgd", p.dim),
          subspace_ekf(kRndFull, p, "gaussian", "full", "sgd", p.dim),
          subspace_ekf(kSvdDiag, p, "svd", "diag", "sgd", p.dim),
          subspace_ekf(kRndDiag, p, "gaussian", "diag", "sgd", p.dim)};
}

Agents random_offset_methods(const Problem& p) {
  using namespace paper_method;
  return {subspace_ekf(kSvdRandomOffset, p, "svd", "full", "random", p.dim),
          subspace_ekf(kRndRandomOffset, p, "gaussian", "full", "random", p.dim)};
}

LabelledSpec original_ekf(const std::string& label, const Problem& p,
                          const std::string& covariance) {
  return {fmt::format("ekf:covariance={},model={},offset=sgd,{},temperature=1", covariance, p.model,
                      kTraining),
          label};
}

// Rewards as the authors have them, and where noise is inferred, its prior too.
constexpr std::string_view kUnscaled = "reward_unit=1,reward_offset=0";
const std::string kAsTheyAre = fmt::format("{},b0=6", kUnscaled);

// Retrained every 100 steps for 100 epochs of minibatches of 512, however many steps that takes.
LabelledSpec neural_linear(const std::string& label, const Problem& p, const std::string& memory) {
  return {fmt::format("neural-linear:memory={},model={},update_every=100,epochs=100,max_steps=0,"
                      "batch_size=512,temperature=1,{}",
                      memory, p.model, kAsTheyAre),
          label};
}

Agents neural_linear_methods(const Problem& p) {
  using namespace paper_method;
  return {neural_linear(kNlLimited, p, "100,heads=all"),
          neural_linear(kNlUnlimited, p, "unlimited")};
}

const LabelledSpec kLinearAgent = {fmt::format("linear:{}", kAsTheyAre), paper_method::kLinear};
const LabelledSpec kLim2Agent = {fmt::format("lim2:temperature=1,{}", kAsTheyAre),
                                 paper_method::kLim2};

void append(Agents& to, const Agents& from) { to.insert(to.end(), from.begin(), from.end()); }

// The methods of the paper's reward figures. `full_ekf`: a covariance of all weights fits.
void add_methods(Problem& p, bool full_ekf) {
  using namespace paper_method;
  p.filters = subspace_methods(p);
  if (full_ekf) p.filters.push_back(original_ekf(kOrigFull, p, "full"));
  p.filters.push_back(original_ekf(kOrigDiag, p, "diag"));
  p.others = neural_linear_methods(p);
  p.others.push_back(neural_linear(kNlWindow, p, "100,heads=window"));
  p.others.push_back(kLinearAgent);
}

// `bandolier paper` as it would be typed for this experiment.
std::string command_of(const std::string& experiment, const PaperOptions& options) {
  std::string line = fmt::format("bandolier paper {}", experiment);
  if (options.quick) line += " --quick";
  if (options.trials) line += fmt::format(" --trials {}", *options.trials);
  line += fmt::format(" --seed {}", options.seed);
  if (options.feedback != PaperFeedback::kBandit) {
    line += fmt::format(" --warmup-feedback {}", to_word(options.feedback));
  }
  return line;
}

PaperPart make_part(const Problem& problem, std::string_view kind, const Agents& agents,
                    const std::string& experiment, WarmupFeedback feedback,
                    const PaperOptions& options) {
  const bool leak = feedback == WarmupFeedback::kFull;
  const bool mnist = experiment == "mnist";
  PaperPart part;
  part.id = fmt::format("{}-{}{}", problem.name, kind, leak ? "-leak" : "");
  ExperimentSettings& settings = part.settings;
  settings.name = fmt::format("{}{} {}", kTitle, problem.name, kind);
  settings.command = command_of(experiment, options);
  for (const auto& spec : problem.environments) settings.environments.push_back({spec});
  settings.agents = agents;
  settings.trials = options.trials.value_or(!options.quick ? 10 : mnist ? 1 : 3);
  if (leak && problem.model == "lenet5") {
    settings.trials = std::min(settings.trials, kLeakTrialsOfLenet);
  }
  settings.seed = options.seed;
  settings.warmup_pulls = problem.pulls;
  settings.warmup_feedback = feedback;
  const bool own_length = problem.environments == std::vector<std::string>{"movielens"};
  if (!own_length) settings.steps = options.quick ? 1000 : 5000;
  return part;
}

std::vector<Problem> tabular() {
  Problem p{.name = "tabular", .model = "mlp:50"};
  for (const auto* name : {"shuttle", "covertype", "adult"}) {
    p.environments.push_back(tabular_spec(name));
  }
  add_methods(p, true);
  append(p.filters, random_offset_methods(p));
  // Their authors' settings (docs/methods-baselines.md), on the warm-up of all.
  p.others.push_back(kLim2Agent);
  p.others.push_back(
      {fmt::format("neural-ts:temperature=1,{}", kUnscaled), paper_method::kNeuralTs});
  // LiM2 with its authors' two pulls per action, and the baseline on the same.
  Problem two{.name = "tabular-two-pulls", .environments = p.environments, .pulls = 2};
  two.others = {kLim2Agent, kLinearAgent};
  return {p, two};
}

constexpr std::array<std::array<const char*, 2>, 2> kMovieNetworks = {
    {{"mlp1", "mlp:50"}, {"mlp2", "mlp:50x50"}}};

std::vector<Problem> movielens() {
  std::vector<Problem> problems;
  for (const auto& [name, model] : kMovieNetworks) {
    Problem p{.name = fmt::format("movielens-{}", name),
              .environments = {"movielens"},
              .model = model,
              .pulls = 2};
    add_methods(p, true);
    append(p.filters, random_offset_methods(p));
    problems.push_back(std::move(p));
  }
  return problems;
}

std::vector<Problem> mnist() {
  constexpr std::array<std::array<const char*, 2>, 3> kNetworks = {
      {{"mlp1", "mlp:50"}, {"mlp2", "mlp:200x200"}, {"lenet5", "lenet5"}}};
  std::vector<Problem> problems;
  for (const auto& [name, model] : kNetworks) {
    // A basis has up to 10⁸ numbers that every step reads: half precision takes half the time.
    Problem p{.name = fmt::format("mnist-{}", name),
              .environments = {"mnist"},
              .model = model,
              .dim = 470,
              .precision = "half"};
    add_methods(p, false);
    problems.push_back(std::move(p));
  }
  return problems;
}

// Section 3.4: about 10⁶ weights in about 10² dimensions. Rank-one directions: dense ones would
// take 10⁸ numbers.
std::vector<Problem> large() {
  using namespace paper_method;
  Problem small{.name = "large", .environments = {"mnist"}, .model = "mlp:50"};
  Problem p = small;
  p.model = "mlp:700x600";
  p.filters = {subspace_ekf(kSmallSub, small, "rank-one", "full", "sgd", p.dim),
               subspace_ekf(kLargeSub, p, "rank-one", "full", "sgd", p.dim),
               original_ekf(kLargeDiag, p, "diag")};
  return {p};
}

// MLP 50 with `features` inputs and `actions` outputs.
std::int64_t mlp50_parameters(std::int64_t features, std::int64_t actions) {
  return 50 * (features + 1) + actions * 51;
}

std::vector<Problem> subspace_dim(bool quick) {
  struct Set {
    const char* name;
    std::int64_t features, actions;
  };
  constexpr std::array<Set, 3> kSets = {
      {{"adult", 89, 2}, {"covertype", 54, 7}, {"shuttle", 9, 7}}};
  const std::vector<std::int64_t> all = {2, 5, 10, 20, 50, 100, 200, 500, 1000};
  const std::vector<std::int64_t> few = {2, 10, 50, 200};
  std::vector<Problem> problems;
  for (const auto& set : kSets) {
    Problem p{.name = fmt::format("subspace-dim-{}", set.name),
              .environments = {tabular_spec(set.name)},
              .model = "mlp:50"};
    const std::int64_t most = mlp50_parameters(set.features, set.actions);
    for (const std::int64_t asked : quick ? few : all) {
      const std::int64_t dim = std::min(asked, most);
      for (const auto& [word, basis] : {std::pair{"SVD", "svd"}, std::pair{"RND", "gaussian"}}) {
        p.filters.push_back(
            subspace_ekf(fmt::format("{} d={}", word, dim), p, basis, "full", "sgd", dim));
      }
    }
    problems.push_back(std::move(p));
  }
  return problems;
}

// MovieLens for 5,000 steps: 737 users seven times over. Its methods see no reward that they did
// not earn: a leak would not change their times. MNIST's times are those of its rewards.
std::vector<Problem> movielens_time() {
  std::vector<Problem> problems;
  for (const auto& [name, model] : kMovieNetworks) {
    Problem p{.name = fmt::format("time-movielens-{}", name),
              .environments = {"movielens:repeat=7"},
              .model = model,
              .pulls = 2};
    p.others = subspace_methods(p);
    p.others.push_back(original_ekf(paper_method::kOrigDiag, p, "diag"));
    append(p.others, neural_linear_methods(p));
    p.others.push_back(kLinearAgent);
    problems.push_back(std::move(p));
  }
  return problems;
}

// The agents of `from`, which `to` must lack, with their records.
void add_agents(const Results& from, Results& to) {
  for (std::size_t a = 0; a < from.settings.agents.size(); ++a) {
    const auto& agent = from.settings.agents[a];
    const auto& known = to.settings.agents;
    const bool there = std::any_of(known.begin(), known.end(), [&](const LabelledSpec& other) {
      return other.shown() == agent.shown();
    });
    if (there) {
      fail("'{}' is there twice for '{}': two folders hold the same part; remove one",
           agent.shown(), to.settings.name);
    }
    const auto index = static_cast<Index>(known.size());
    to.settings.agents.push_back(agent);
    for (const auto& record : from.records) {
      if (record.agent != static_cast<Index>(a)) continue;
      to.records.push_back(record);
      to.records.back().agent = index;
    }
  }
}

// Throws Error unless trials of both can be paired: of all parts the seed, of parts with an
// environment in common what it was.
void require_alike(const Results& a, const Results& b) {
  const auto differ = [&](const char* what, const auto& one, const auto& other) {
    if (one != other) {
      fail("'{}' and '{}' cannot be compared: {} is {} in one and {} in the other; run both again",
           a.settings.name, b.settings.name, what, one, other);
    }
  };
  differ("seed", a.settings.seed, b.settings.seed);
  for (const auto& one : a.environments) {
    for (const auto& other : b.environments) {
      if (one.spec != other.spec) continue;
      differ("the number of steps", one.steps, other.steps);
      differ("the data's checksum", one.data, other.data);
    }
  }
}

}  // namespace

const std::vector<std::string>& paper_experiments() {
  static const std::vector<std::string> names = {"tabular",      "movielens", "mnist", "large",
                                                 "subspace-dim", "time",      "all"};
  return names;
}

std::vector<PaperPart> paper_parts(const std::string& experiment, const PaperOptions& options) {
  std::vector<PaperPart> parts;
  const auto add = [&](const std::string& name, const std::vector<Problem>& problems) {
    for (const auto& problem : problems) {
      if (!problem.filters.empty() && options.feedback != PaperFeedback::kFull) {
        parts.push_back(
            make_part(problem, kFilters, problem.filters, name, WarmupFeedback::kBandit, options));
      }
      if (!problem.filters.empty() && options.feedback != PaperFeedback::kBandit) {
        parts.push_back(
            make_part(problem, kFilters, problem.filters, name, WarmupFeedback::kFull, options));
      }
      if (!problem.others.empty()) {
        parts.push_back(
            make_part(problem, kOthers, problem.others, name, WarmupFeedback::kBandit, options));
      }
    }
  };
  const bool all = experiment == "all";
  if (all || experiment == "tabular") add("tabular", tabular());
  if (all || experiment == "movielens") add("movielens", movielens());
  if (all || experiment == "subspace-dim") add("subspace-dim", subspace_dim(options.quick));
  if (all || experiment == "large") add("large", large());
  if (all || experiment == "time") add("time", movielens_time());
  if (all || experiment == "mnist" || experiment == "time") add("mnist", mnist());
  if (parts.empty()) {
    fail("the paper has no experiment '{}'{}", experiment,
         suggestion(experiment, paper_experiments()));
  }
  return parts;
}

bool is_paper_part(const ExperimentSettings& settings) { return settings.name.starts_with(kTitle); }

PaperTables paper_tables(const std::vector<Results>& parts, WarmupFeedback feedback) {
  PaperTables tables;
  for (const auto& part : parts) {
    if (!is_paper_part(part.settings)) continue;
    const auto& title = part.settings.name;
    const std::size_t blank = title.rfind(' ');
    const bool filters = std::string_view(title).substr(blank + 1) == kFilters;
    if (filters && part.settings.warmup_feedback != feedback) continue;
    const std::string problem = title.substr(kTitle.size(), blank - kTitle.size());
    for (const auto& [name, table] : tables) require_alike(table, part);
    const auto found = tables.find(problem);
    if (found == tables.end()) {
      tables.emplace(problem, part);
      continue;
    }

    found->second.settings.trials = std::max(found->second.settings.trials, part.settings.trials);
    if (filters) found->second.settings.warmup_feedback = feedback;
    add_agents(part, found->second);
  }
  for (auto& [problem, results] : tables) sort_records(results.records);
  return tables;
}

}  // namespace bandolier
