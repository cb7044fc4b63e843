"""Decisions that learn from every reward: Bayesian neural bandits in constant memory.

>>> import bandolier as bd
>>> agent = bd.Agent("auto", features=2, actions=3, seed=1)
>>> decision = agent.choose([0.5, 2.0])
>>> agent.observe([0.5, 2.0], decision.action, 1.0, ticket=decision.ticket)
True
"""
from bandolier._core import (
    Agent,
    Decision,
    Error,
    Random,
    __version__,
    agents,
    environments,
    load,
    options,
)
from bandolier._inputs import Decisions
from bandolier.pending import Pending

__all__ = [
    "Agent",
    "Decision",
    "Decisions",
    "Error",
    "Pending",
    "Random",
    "agents",
    "environments",
    "load",
    "options",
]
