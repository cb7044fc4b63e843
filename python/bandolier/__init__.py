"""Decisions that learn from every reward: Bayesian neural bandits in constant memory."""
from bandolier._core import Agent, Decision, Error, Random, agents, environments, load, options
from bandolier._inputs import Decisions

__all__ = [
    "Agent",
    "Decision",
    "Decisions",
    "Error",
    "Random",
    "agents",
    "environments",
    "load",
    "options",
]
