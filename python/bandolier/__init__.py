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
from bandolier._result import Result
from bandolier._run import merge, read_results, run
from bandolier._table import Table
from bandolier.pending import Pending

__all__ = [
    "Agent",
    "Decision",
    "Decisions",
    "Error",
    "Pending",
    "Random",
    "Result",
    "Table",
    "agents",
    "environments",
    "load",
    "merge",
    "options",
    "read_results",
    "run",
]
