"""Decisions that learn from every reward: Bayesian neural bandits in constant memory."""
from bandolier._core import Agent, Decision, Error, Random, agents, environments, load, options
from bandolier._inputs import Decisions
from bandolier._result import Result
from bandolier._run import merge, read_results, run
from bandolier._table import Table

__all__ = [
    "Agent",
    "Decision",
    "Decisions",
    "Error",
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
