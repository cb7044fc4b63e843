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

constexpr std::string_view kTitle = "Paper: ";  // the part's id follows
const std::vector<std::string> kTabular = {"shuttle", "covertype", "adult"};

// The paper's own 5,000 rows where they are at hand, else as many of UCI's.
std::string tabular_spec(const std::string& name) {
  const bool own = !find_plain_or_gzipped(data_folder() / "paper", name + ".csv").empty();
  return own ? name + ":sample=paper" : name + ":rows=5000";
}

// Plain Thompson sampling for every method: what the paper compares.
AgentSetting subspace_ekf(const std::string& label, const std::string& basis,
                          const std::string& covariance, const std::string& model,
                          std::int64_t dim) {
  return {fmt::format("subspace-ekf:basis={},covariance={},dim={},model={},temperature=1", basis,
                      covariance, dim, model),
          label};
}

std::vector<AgentSetting> subspace_methods(const std::string& model, std::int64_t dim) {
  return {subspace_ekf("EKF-Sub-SVD full", "svd", "full", model, dim),
          subspace_ekf("EKF-Sub-RND full", "gaussian", "full", model, dim),
          subspace_ekf("EKF-Sub-SVD diag", "svd", "diag", model, dim),
          subspace_ekf("EKF-Sub-RND diag", "gaussian", "diag", model, dim)};
}

AgentSetting ekf(const std::string& label, const std::string& covariance,
                 const std::string& model) {
  return {fmt::format("ekf:covariance={},model={},offset=sgd,temperature=1", covariance, model),
          label};
}

// Retrained every 100 steps for 100 epochs of minibatches of 512, however many steps that takes;
// the limited one remembers the last 100 rewards.
std::vector<AgentSetting> neural_linear(const std::string& model) {
  const std::string rest = fmt::format(
      "model={},update_every=100,epochs=100,max_steps=0,batch_size=512,temperature=1", model);
  return {{"neural-linear:memory=100," + rest, "NL limited"},
          {"neural-linear:memory=unlimited," + rest, "NL unlimited"}};
}

const AgentSetting kLinear = {"linear", "Linear"};

void append(std::vector<AgentSetting>& to, const std::vector<AgentSetting>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

// `with_full_ekf`: a full covariance over all weights fits into memory.
std::vector<AgentSetting> methods(const std::string& model, std::int64_t dim, bool with_full_ekf) {
  std::vector<AgentSetting> agents = subspace_methods(model, dim);
  if (with_full_ekf) agents.push_back(ekf("EKF-Orig full", "full", model));
  agents.push_back(ekf("EKF-Orig diag", "diag", model));
  append(agents, neural_linear(model));
  agents.push_back(kLinear);
  return agents;
}

// `bandolier paper` as it would be typed for the part of this id.
std::string command_of(const std::string& id, const PaperOptions& options) {
  const auto& names = paper_experiments();
  const auto name = std::find_if(names.begin(), names.end(),
                                 [&](const std::string& word) { return id.starts_with(word); });
  std::string line = fmt::format("bandolier paper {}", *name);
  if (options.quick) line += " --quick";
  if (options.trials) line += fmt::format(" --trials {}", *options.trials);
  line += fmt::format(" --seed {}", options.seed);
  if (options.warmup_feedback == WarmupFeedback::kFull) line += " --warmup-feedback full";
  return line;
}

PaperPart make_part(const std::string& id, const std::vector<std::string>& environments,
                    std::vector<AgentSetting> agents, std::int64_t pulls,
                    const PaperOptions& options) {
  PaperPart part;
  part.id = id;
  ExperimentSettings& settings = part.settings;
  settings.name = std::string(kTitle) + id;
  settings.command = command_of(id, options);
  settings.environments = environments;
  settings.agents = std::move(agents);
  settings.trials = options.trials.value_or(options.quick ? 3 : 10);
  settings.seed = options.seed;
  settings.warmup_pulls = pulls;
  settings.warmup_feedback = options.warmup_feedback;
  return part;
}

std::vector<PaperPart> tabular(const PaperOptions& options) {
  std::vector<std::string> environments;
  for (const auto& name : kTabular) environments.push_back(tabular_spec(name));
  std::vector<AgentSetting> agents = methods("mlp:50", 200, true);
  agents.push_back({"lim2:memory_per_action=100,temperature=1", "LiM2"});
  agents.push_back({"neural-ts:temperature=1", "Neural-TS"});
  PaperPart part = make_part("tabular", environments, std::move(agents), 20, options);
  if (options.quick) part.settings.steps = 1000;
  return {part};
}

std::vector<PaperPart> movielens(const PaperOptions& options) {
  std::vector<PaperPart> parts;
  for (const auto* model : {"mlp:50", "mlp:50x50"}) {
    const std::string id =
        "movielens-" + std::string(model == std::string("mlp:50") ? "mlp1" : "mlp2");
    parts.push_back(make_part(id, {"movielens"}, methods(model, 200, true), 2, options));
  }
  return parts;
}

std::vector<PaperPart> mnist(const PaperOptions& options) {
  // The large networks take minutes per trial.
  const bool one = options.quick && !options.trials;
  std::vector<PaperPart> parts;
  constexpr std::array<std::array<const char*, 2>, 3> kNetworks = {
      {{"mlp1", "mlp:50"}, {"mlp2", "mlp:200x200"}, {"lenet5", "lenet5"}}};
  for (const auto& [name, model] : kNetworks) {
    parts.push_back(make_part(fmt::format("mnist-{}", name), {"mnist"}, methods(model, 470, false),
                              20, options));
    parts.back().settings.steps = options.quick ? 1000 : 5000;
    if (one) parts.back().settings.trials = 1;
  }
  return parts;
}

// MLP 50 with `features` inputs and `actions` outputs.
std::int64_t mlp50_parameters(std::int64_t features, std::int64_t actions) {
  return 50 * (features + 1) + actions * 51;
}

std::vector<PaperPart> subspace_dim(const PaperOptions& options) {
  struct Set {
    const char* name;
    std::int64_t features, actions;
  };
  constexpr std::array<Set, 3> kSets = {
      {{"adult", 89, 2}, {"covertype", 54, 7}, {"shuttle", 9, 7}}};
  const std::vector<std::int64_t> all = {2, 5, 10, 20, 50, 100, 200, 500, 1000};
  const std::vector<std::int64_t> few = {2, 10, 50, 200};
  std::vector<PaperPart> parts;
  for (const auto& set : kSets) {
    const std::int64_t most = mlp50_parameters(set.features, set.actions);
    std::vector<AgentSetting> agents;
    for (const std::int64_t asked : options.quick ? few : all) {
      const std::int64_t dim = std::min(asked, most);
      for (const auto* basis : {"svd", "gaussian"}) {
        const char* name = basis == std::string("svd") ? "SVD" : "RND";
        agents.push_back(
            subspace_ekf(fmt::format("{} d={}", name, dim), basis, "full", "mlp:50", dim));
      }
    }
    parts.push_back(make_part(fmt::format("subspace-dim-{}", set.name), {tabular_spec(set.name)},
                              std::move(agents), 20, options));
    if (options.quick) parts.back().settings.steps = 1000;
  }
  return parts;
}

std::vector<PaperPart> time(const PaperOptions& options) {
  std::vector<PaperPart> parts;
  // 737 users seven times over: enough for 5,000 steps.
  parts.push_back(make_part("time-movielens", {"movielens:repeat=7"}, methods("mlp:50", 200, true),
                            2, options));
  parts.push_back(make_part("time-mnist", {"mnist"}, methods("mlp:50", 470, false), 20, options));
  for (auto& part : parts) {
    part.settings.trials = options.trials.value_or(options.quick ? 1 : 3);
    part.settings.steps = options.quick ? 1000 : 5000;
    part.one_job = true;
  }
  return parts;
}

}  // namespace

const std::vector<std::string>& paper_experiments() {
  static const std::vector<std::string> names = {"tabular",      "movielens", "mnist",
                                                 "subspace-dim", "time",      "all"};
  return names;
}

std::vector<PaperPart> paper_parts(const std::string& experiment, const PaperOptions& options) {
  if (experiment == "tabular") return tabular(options);
  if (experiment == "movielens") return movielens(options);
  if (experiment == "mnist") return mnist(options);
  if (experiment == "subspace-dim") return subspace_dim(options);
  if (experiment == "time") return time(options);
  if (experiment != "all") {
    fail("the paper has no experiment '{}'{}", experiment,
         suggestion(experiment, paper_experiments()));
  }
  std::vector<PaperPart> parts;
  for (const auto& name : paper_experiments()) {
    if (name == "all") continue;
    for (auto& part : paper_parts(name, options)) parts.push_back(std::move(part));
  }
  return parts;
}

std::optional<std::string> paper_part_id(const ExperimentSettings& settings) {
  if (!settings.name.starts_with(kTitle)) return std::nullopt;
  return settings.name.substr(kTitle.size());
}

}  // namespace bandolier
