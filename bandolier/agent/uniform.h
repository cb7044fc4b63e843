// Every action with the same probability, whatever happens: the floor of every comparison.
#pragma once

#include "bandolier/agent/registry.h"

namespace bandolier {

class UniformAgent final : public Agent {
 public:
  explicit UniformAgent(const ProblemShape& shape);

  void warm_up(std::span<const Experience> experience, Random& random) override;
  std::unique_ptr<Scratch> make_scratch() const override;
  Decision choose(const Context& context, Random& random, Scratch& scratch) const override;
  void observe(const Feedback& feedback, Random& random, Scratch& scratch) override;
  AgentReport report() const override;
  std::unique_ptr<Agent> clone() const override;
  void save(ArchiveWriter& out) const override;
  void load(ArchiveReader& in) override;

 private:
  ProblemShape shape_;
  std::int64_t steps_ = 0;
};

AgentEntry uniform_agent();

}  // namespace bandolier
