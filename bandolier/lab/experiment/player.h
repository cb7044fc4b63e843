// An agent as an experiment plays it: made by its spec, or gone on with from a file that holds what
// it has learnt (a spec that ends in .bndl); and saved as a whole, with the names that its
// environment has for features and actions.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "bandolier/agent/agent.h"
#include "bandolier/lab/env/environment.h"
#include "bandolier/lab/experiment/settings.h"

namespace bandolier {

struct Player {
  std::unique_ptr<Agent> agent;
  std::shared_ptr<const FeatureSchema> schema;  // that it learnt by; null: none is known
};

// With a floor where decisions are logged. Throws Error where a saved agent does not suit the
// environment: other numbers of features or actions, or other names of actions.
Player make_player(const ExperimentSettings& settings, const std::string& spec,
                   const Environment& environment);

// The trial with features as the player knows them: other moments than the environment's may have
// standardised them. Throws Error where the columns or their words are not the same.
std::unique_ptr<Trial> trial_for(const Player& player, std::unique_ptr<Trial> trial);

// With names where the trial has some.
void save_player(const std::filesystem::path& path, const Agent& agent,
                 const Environment& environment, const Trial& trial);

}  // namespace bandolier
