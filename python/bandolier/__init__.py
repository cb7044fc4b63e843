"""Decisions that learn from every reward: Bayesian neural bandits in constant memory."""
from bandolier._core import Error, Random, agents, environments, options

__all__ = ["Error", "Random", "agents", "environments", "options"]
