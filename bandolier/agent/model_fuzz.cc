// Saved agents that are changed and sealed again, so that their checksum is right: loading one, and
// playing on with what was loaded, ends well or in an Error, never in a crash, a score that is not
// a number, or much memory.
//   model_fuzz [CASES [FIRST]]     a case is the same on every machine; 2000 from case 0 unless
//   told
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmath>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <numeric>

#include "bandolier/agent/named_agent.h"
#include "bandolier/agent/registry.h"
#include "bandolier/agent/test_mutation.h"
#include "bandolier/core/error.h"
#include "bandolier/core/file.h"
#include "bandolier/core/text.h"
#include "bandolier/model/schema_encoder.h"

namespace {

using namespace bandolier;

constexpr rlim_t kMostMemory = rlim_t{2} << 30;
constexpr unsigned kMostSeconds = 60;
// A context of more values than this is not made.
constexpr Index kMostValues = 1 << 16;

volatile std::sig_atomic_t current_case = 0;

// Says which case it was; what a signal handler may do.
extern "C" void end_of_case(int) {
  char text[] = "\nmodel_fuzz: a crash or a hang in case           \n";
  int left = current_case;
  for (std::size_t i = sizeof text - 3; left > 0; left /= 10) {
    text[i--] = static_cast<char>('0' + left % 10);
  }
  ::_exit(::write(STDERR_FILENO, text, sizeof text - 1) > 0 ? 1 : 2);
}

// What must not happen, and is no crash.
struct Finding {
  std::string what;
};

// What an agent is shown: x ~ N(0, 1), few of them where there are many.
struct World {
  std::vector<float> values, action_features;
  std::vector<std::int32_t> indices;
  std::vector<std::int64_t> ids;

  Context draw(const ProblemShape& shape, bool sparse, Random& random) {
    const Index count = sparse || shape.features > kMostValues ? 1 : shape.features;
    values.clear();
    for (Index i = 0; i < count; ++i) values.push_back(static_cast<float>(random.normal()));
    indices.assign(
        1, static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(shape.features))));
    const Index actions = shape.fixed_actions ? shape.actions : std::min<Index>(shape.actions, 4);
    action_features.clear();
    for (Index i = 0; i < actions * shape.action_features; ++i) {
      action_features.push_back(static_cast<float>(random.normal()));
    }
    ids.clear();
    for (Index a = 0; a < actions && !shape.fixed_actions; ++a) ids.push_back(10 + a);
    const Features features = count < shape.features ? Features{values, indices, shape.features}
                                                     : Features::dense(values);
    return {features, actions, action_features, ids};
  }
};

void check(const Decision& decision) {
  for (const float score : decision.scores) {
    if (std::isnan(score)) throw Finding{"a score is not a number"};
  }
  const auto& q = decision.probabilities;
  const double sum = std::accumulate(q.begin(), q.end(), 0.0);
  if (!q.empty() && !(std::abs(sum - 1) < 1e-3)) {
    throw Finding{fmt::format("probabilities sum to {}", sum)};
  }
}

void play(Agent& agent, Index steps, bool sparse, Random& random) {
  const ProblemShape& shape = agent.shape();
  if (shape.action_features > kMostValues) return;
  World world;
  const auto scratch = agent.make_scratch();
  for (Index t = 0; t < steps; ++t) {
    const Context context = world.draw(shape, sparse, random);
    if (t % 4 == 0) check(agent.decide(context, random, *scratch));
    const Decision decision = agent.choose(context, random, *scratch);
    check(decision);
    const bool first = context.features.values[0] > 0;
    const float reward = first == (decision.action == 0) ? 1.0f : 0.0f;
    agent.observe({context, decision.action, reward, decision.ticket}, random, *scratch);
  }
}

void play(NamedAgent& agent, int steps, Random& random) {
  NamedScratch scratch = agent.make_scratch();
  NamedValues values, of_action;
  of_action.number("price", 2.0);
  std::vector<NamedAction> offered;
  if (agent.actions().empty()) offered = {{"x", &of_action}, {"y", nullptr}};
  for (int t = 0; t < steps; ++t) {
    values.clear();
    values.number("age", random.normal());
    values.word("country", t % 3 == 0 ? "NO" : "SE");
    check(agent.decide(values, offered, random, scratch).decision);
    const NamedDecision decision = agent.choose(values, offered, random, scratch);
    check(decision.decision);
    agent.observe(values, offered, decision.action, t % 2 == 0 ? 1.0f : 0.0f, random, scratch);
  }
}

struct Sound {
  std::string bytes;
  bool named = false, sparse = false;
};

// Small: the smallest of every size that the agent lets one choose.
std::string small_spec(const AgentEntry& entry, const std::string& more) {
  std::string options = more;
  for (const auto& option : entry.options()) {
    if (option.name == "model" && more.find("model=") == std::string::npos) {
      options += ",model=mlp:3";
    }
    if (option.name == "memory") options += ",memory=24";
    if (option.name == "memory_per_action") options += ",memory_per_action=4";
    if (option.name == "batch_per_action") options += ",batch_per_action=2";
    if (option.name == "update_every") options += ",update_every=5";
    if (option.name == "epochs") options += ",epochs=2";
    if (option.name == "rank") options += ",rank=2";
  }
  return options.empty() ? entry.name : entry.name + ":" + options.substr(1);
}

// A played agent's file, or nothing where it does not take the option or the problem.
void add_file(const std::string& spec, const ProblemShape& shape, bool sparse, Random& random,
              std::vector<Sound>& files, Index rewards = 30) {
  try {
    const auto agent = make_agent(spec, shape);
    World world[6];
    std::vector<Experience> experience;
    for (Index i = 0; i < 6; ++i) {
      const Context context = world[i].draw(shape, sparse, random);
      experience.push_back({context, i % context.actions, static_cast<float>(i % 2)});
    }
    agent->warm_up(experience, random);
    play(*agent, rewards, sparse, random);
    files.push_back({save_agent(*agent), false, sparse});
  } catch (const Error&) {
  }
}

// A small file of every agent for every kind of problem that it takes.
std::vector<Sound> sound_files(const std::filesystem::path& path) {
  const ProblemShape dense{.features = 4, .actions = 3};
  const ProblemShape changing{
      .features = 3, .actions = 5, .action_features = 2, .fixed_actions = false};
  const ProblemShape image{.features = 16, .actions = 2, .image = {4, 4, 1}};
  const std::vector<std::string> variants = {"",
                                             ",basis=svd",
                                             ",basis=gaussian,precision=half",
                                             ",basis=hadamard",
                                             ",basis=identity",
                                             ",forgetting=0.9,process_noise=0.01",
                                             ",covariance=full",
                                             ",covariance=diag",
                                             ",covariance=block",
                                             ",noise_variance=1",
                                             ",soft_clip=true",
                                             ",fifo=shared",
                                             ",policy=ucb",
                                             ",likelihood=bernoulli",
                                             ",joint=true",
                                             ",units=sparse",
                                             ",body=diag",
                                             ",challenger=10"};
  std::vector<Sound> files;
  Random random({.seed = 1});
  for (const AgentEntry& entry : agents()) {
    for (const std::string& variant : variants) {
      const std::string spec = small_spec(entry, variant);
      add_file(spec, dense, false, random, files);
      add_file(spec, changing, false, random, files);
    }
    add_file(small_spec(entry, ""), dense, true, random, files);
    add_file(small_spec(entry, ""), image, false, random, files);
    add_file(small_spec(entry, ",inputs=patches,filters=2"), image, false, random, files);
    add_file(small_spec(entry, ""), dense, false, random, files, 5);  // its first rewards are kept
  }
  const auto add_named = [&](NamedAgent agent) {
    play(agent, 20, random);
    agent.save(path);
    files.push_back({read_file(path), true, false});
  };
  add_named(NamedAgent({.agent = "auto", .actions = {"a", "b"}, .slots = 16}, random));
  add_named(NamedAgent({.agent = "linear", .slots = 16, .action_slots = 16}, random));
  FeatureSchema schema;
  schema.columns = {{"age", {}, false, {0.5}, {2.0}}, {"country", {"NO", "SE"}, true, {}, {}}};
  add_named(NamedAgent({.agent = "linear", .actions = {"a", "b"}},
                       std::make_unique<SchemaEncoder>(schema), nullptr, random));
  return files;
}

// True where it loads.
bool try_file(const std::string& bytes, const Sound& sound, const std::filesystem::path& path,
              Random& random) {
  try {
    if (sound.named) {
      std::ofstream(path, std::ios::binary) << bytes;
      NamedAgent agent = NamedAgent::load(path);
      play(agent, 20, random);
      agent.report();
      agent.save(path);
      return true;
    }
    const auto agent = load_agent(bytes, "m.bndl");
    try {
      play(*agent, 20, sound.sparse, random);
      agent->report();
      save_agent(*agent);
    } catch (const Error&) {  // a belief that has left its range
    }
    return true;
  } catch (const Error&) {
    return false;
  } catch (const std::exception& error) {
    throw Finding{error.what()};
  }
}

// Sanitizers reserve far more than they use, and say themselves what is wrong.
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define BANDOLIER_SANITIZED
#endif
#endif
#if defined(BANDOLIER_SANITIZED) || defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif

void watch() {
  std::signal(SIGALRM, end_of_case);
  if (kSanitized) return;
  const rlimit limit{kMostMemory, kMostMemory};
  ::setrlimit(RLIMIT_AS, &limit);
  for (const int signal : {SIGSEGV, SIGABRT, SIGFPE, SIGBUS}) std::signal(signal, end_of_case);
}

}  // namespace

int main(int argc, char** argv) {
  const auto argument = [&](int i, std::int64_t otherwise) {
    return argc > i ? parse_integer(argv[i]).value_or(otherwise) : otherwise;
  };
  const std::int64_t cases = argument(1, 2000), first = argument(2, 0);
  const auto path =
      std::filesystem::temp_directory_path() / fmt::format("model_fuzz.{}.bndl", ::getpid());
  const std::vector<Sound> files = sound_files(path);
  std::vector<std::vector<testing::Field>> parsed;
  for (const Sound& file : files) parsed.push_back(testing::parse_archive(file.bytes));
  watch();
  std::int64_t loaded = 0, findings = 0;
  for (std::int64_t i = first; i < first + cases; ++i) {
    current_case = static_cast<int>(i);
    ::alarm(kMostSeconds);
    Random random({.seed = 2, .step = static_cast<std::uint32_t>(i)});
    const std::size_t n = random.below(files.size());
    const std::string bytes =
        testing::mutated_archive(parsed[n], parsed[random.below(files.size())], random);
    try {
      loaded += try_file(bytes, files[n], path, random);
    } catch (const Finding& finding) {
      const std::string kept = fmt::format("{}.{}", path.string(), i);
      std::ofstream(kept, std::ios::binary) << bytes;
      fmt::print("case {}: {}; kept as {}\n", i, finding.what, kept);
      ++findings;
    }
  }
  std::filesystem::remove(path);
  fmt::print("{} sound files, {} changed ones tried: {} refused, {} loaded and played, {} wrong\n",
             files.size(), cases, cases - loaded - findings, loaded, findings);
  return findings == 0 ? 0 : 1;
}
