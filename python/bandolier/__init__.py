"""Decisions that learn from every reward: Bayesian neural bandits in constant memory."""
from bandolier._core import Error, Random, agents, environments, options
from bandolier._result import Result
from bandolier._run import merge, read_results, run
from bandolier._table import Table

__all__ = ["Error", "Random", "Result", "Table", "agents", "environments", "merge", "options",
           "read_results", "run"]
