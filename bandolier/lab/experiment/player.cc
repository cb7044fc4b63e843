#include "bandolier/lab/experiment/player.h"

#include "bandolier/agent/named_agent.h"
#include "bandolier/agent/registry.h"
#include "bandolier/core/error.h"
#include "bandolier/core/text.h"
#include "bandolier/model/schema_encoder.h"

namespace bandolier {
namespace {

// x of one standardisation as x of another: x' = factor·x + shift, feature by feature.
//   raw = x / d + m,  x' = (raw − m')·d';   d = 0: raw = m, the constant that it was.
struct Translation {
  std::vector<float> factor, shift;
};

void append(const FeatureColumn& from, const FeatureColumn& to, Translation& out) {
  for (std::size_t i = 0; i < static_cast<std::size_t>(from.features()); ++i) {
    const double mean = from.mean.empty() ? 0 : from.mean[i];
    const double inverse = from.mean.empty() ? 1 : from.inverse_deviation[i];
    const double other_mean = to.mean.empty() ? 0 : to.mean[i];
    const double other_inverse = to.mean.empty() ? 1 : to.inverse_deviation[i];
    out.factor.push_back(static_cast<float>(inverse == 0 ? 0 : other_inverse / inverse));
    out.shift.push_back(static_cast<float>((mean - other_mean) * other_inverse));
  }
}

// Throws Error where they do not know the same columns.
Translation translation(const FeatureSchema& from, const FeatureSchema& to) {
  const auto refuse = [](const std::string& what) {
    fail(
        "{}: expected a table with the columns and words that the agent learnt by; for new ones, "
        "use bandolier decide",
        what);
  };
  if (from.columns.size() != to.columns.size()) {
    refuse(fmt::format("the table has {} feature columns and the agent {}", from.columns.size(),
                       to.columns.size()));
  }
  Translation out;
  for (std::size_t c = 0; c < from.columns.size(); ++c) {
    const FeatureColumn &one = from.columns[c], &other = to.columns[c];
    if (one.name != other.name) {
      refuse(fmt::format("feature column {} is '{}' and the agent's '{}'", c + 1, one.name,
                         other.name));
    }
    if (one.words != other.words || one.missing != other.missing || one.date != other.date) {
      refuse(fmt::format("column '{}' has other words or another kind than the agent's", one.name));
    }
    append(one, other, out);
  }
  return out;
}

class TranslatedTrial final : public Trial {
 public:
  TranslatedTrial(std::unique_ptr<Trial> inner, Translation translation,
                  std::shared_ptr<const FeatureSchema> schema)
      : inner_(std::move(inner)),
        translation_(std::move(translation)),
        schema_(std::move(schema)) {}

  Index steps() const override { return inner_->steps(); }
  Context context(Index t, ContextBuffer& buffer) const override {
    const Context context = inner_->context(t, buffer);  // named features are in the buffer
    for (std::size_t i = 0; i < buffer.values.size(); ++i) {
      buffer.values[i] = translation_.factor[i] * buffer.values[i] + translation_.shift[i];
    }
    return context;
  }
  float reward(Index t, Index action) const override { return inner_->reward(t, action); }
  float observed_reward(Index t, Index action) const override {
    return inner_->observed_reward(t, action);
  }
  Index delay() const override { return inner_->delay(); }
  void expected_rewards(Index t, std::span<float> out) const override {
    inner_->expected_rewards(t, out);
  }
  std::optional<FeatureSchema> schema() const override { return *schema_; }

 private:
  std::unique_ptr<Trial> inner_;
  Translation translation_;
  std::shared_ptr<const FeatureSchema> schema_;
};

Player load_player(const std::string& path, const Environment& environment) {
  const NamedAgent saved = NamedAgent::load(path);
  const ProblemShape &own = saved.agent().shape(), shape = environment.shape();
  if (own.features != shape.features || own.actions != shape.actions ||
      own.action_features != shape.action_features || own.fixed_actions != shape.fixed_actions) {
    fail(
        "{} is an agent of {} features and {} actions, and the environment has {} and {}: "
        "expected the same",
        path, own.features, own.actions, shape.features, shape.actions);
  }
  Player player{saved.agent().clone(), nullptr};
  const auto* encoder = dynamic_cast<const SchemaEncoder*>(&saved.context_encoder());
  if (!saved.has_names() || encoder == nullptr) return player;
  player.schema = std::make_shared<const FeatureSchema>(encoder->schema());
  const auto names = environment.action_names();
  if (!names.empty() && names != saved.actions()) {
    fail("{} knows the actions {}, and the environment has {}: expected the same", path,
         join(saved.actions(), ", "), join(names, ", "));
  }
  return player;
}

}  // namespace

Player make_player(const ExperimentSettings& settings, const std::string& spec,
                   const Environment& environment) {
  if (is_saved_agent(spec)) return load_player(spec, environment);
  OptionTexts defaults;
  if (settings.probabilities) defaults["exploration_floor"] = kLoggedFloor;
  return {make_agent(spec, environment.shape(), defaults), nullptr};
}

std::unique_ptr<Trial> trial_for(const Player& player, std::unique_ptr<Trial> trial) {
  const auto schema = trial->schema();
  if (player.schema == nullptr || !schema) return trial;
  return std::make_unique<TranslatedTrial>(std::move(trial), translation(*schema, *player.schema),
                                           player.schema);
}

void save_player(const std::filesystem::path& path, const Agent& agent,
                 const Environment& environment, const Trial& trial) {
  const auto schema = trial.schema();
  const ProblemShape shape = environment.shape();
  if (!schema || !shape.fixed_actions) return save_agent(path, agent);
  std::vector<std::string> names = environment.action_names();
  for (Index a = 0; names.size() < static_cast<std::size_t>(shape.actions); ++a) {
    names.push_back(fmt::format("{}", a));
  }
  ContextBuffer buffer;
  const Context context = trial.context(0, buffer);
  Matrix<float> of_actions(shape.action_features > 0 ? shape.actions : 0, shape.action_features);
  std::copy(context.action_features.begin(), context.action_features.end(), of_actions.data());
  NamedAgent(agent.clone(), std::make_unique<SchemaEncoder>(*schema), std::move(names),
             std::move(of_actions))
      .save(path);
}

}  // namespace bandolier
