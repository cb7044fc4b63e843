"""Tables in memory as environments."""
from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

import numpy as np

from bandolier import _core


def _shape(array):
    return "×".join(str(n) for n in np.shape(array)) or "one value"


def _named_columns(values, prefix, what):
    """(name, one-dimensional array) of each column of an array or a data frame."""
    if hasattr(values, "columns") and hasattr(values, "iloc"):
        names = [str(name) for name in values.columns]
        columns = [values.iloc[:, i].to_numpy() for i in range(len(names))]
    else:
        if hasattr(values, "toarray"):
            values = values.toarray()
        values = np.asarray(values)
        if values.ndim != 2:
            raise _core.Error(f"{what} has the shape {_shape(values)}: expected rows×columns")
        names = [f"{prefix}{i}" for i in range(values.shape[1])]
        columns = [values[:, i] for i in range(values.shape[1])]
    repeated = {name for name in names if names.count(name) > 1}
    if repeated:
        raise _core.Error(f"{what} has several columns called {sorted(repeated)[0]!r}: expected "
                          "each name once")
    return list(zip(names, columns))


def _is_missing(value):
    return value is None or type(value).__name__ in ("NAType", "NaTType") or value != value


def _numbers(column):
    """As doubles, NaN where one is missing; None where the column holds words."""
    if column.dtype.kind in "biuf":
        return np.ascontiguousarray(column, np.float64)
    if column.dtype.kind == "M":  # days since 1970, as a table from a file has dates
        days = column.astype("datetime64[us]").astype(np.float64) / 86_400e6
        return np.where(np.isnat(column), np.nan, days)
    values = column.tolist()
    if all(_is_missing(v) or isinstance(v, (bool, int, float, np.number)) for v in values):
        return np.array([np.nan if _is_missing(v) else float(v) for v in values])
    return None


def _words(column):
    """(codes, words): words ascending, code -1 where one is missing."""
    if column.dtype.kind == "O":
        missing = np.array([_is_missing(v) for v in column.tolist()], bool)
    else:
        missing = column != column
    there = column[~missing]
    if column.dtype.kind == "O":
        there = np.array([str(v) for v in there.tolist()], str)
    if there.size == 0:
        return np.full(column.shape, -1, np.int32), ["missing"]
    known, positions = np.unique(there, return_inverse=True)
    codes = np.full(column.shape, -1, np.int32)
    codes[~missing] = positions.reshape(-1)
    words = [str(int(w)) if known.dtype.kind == "f" and w == int(w) else str(w)
             for w in known.tolist()]
    return codes, words


def _column(name, values, outcome=False, words=False):
    numbers = None if words else _numbers(values)
    if numbers is not None:
        return (name, outcome, numbers, [])
    return (name, outcome, *_words(values))


class Table:
    """Rows in memory as an environment: a class to predict, or rewards of all actions.

    ``Table(X, y)``
        An action is a class, and the right one pays 1. ``y``: (rows,) of numbers or words.
    ``Table(X, rewards=R)``
        ``R``: (rows, actions) of floats, NaN where an action is not available.

    ``X``: (rows, features), an array, a scipy sparse matrix or a data frame. Columns of words become
    one feature per word, NaN and None are missing, and every feature is brought to mean 0 and
    variance 1: the same numbers in a file give the same results by ``csv:``.

    ``name``            what results call it
    ``action_features`` (actions, m): features of each action
    ``actions``         names of the actions of ``rewards=``; those of a data frame's columns else
    ``options``         what every table and environment takes, as on the command line:
                        ``rows=5000, standardise="warmup", drift=2500, delay=10, ...``

    Each trial takes the rows in an order of its own.
    """

    def __init__(self, X: Any, y: Any = None, *, rewards: Any = None, name: str = "table",
                 action_features: Any = None, actions: Sequence[object] | None = None,
                 **options: object) -> None:
        if (y is None) == (rewards is None):
            raise _core.Error("Table: expected either y, a class for each row, or rewards=, one for "
                              "each row and action")
        if not isinstance(name, str) or not name:
            raise _core.Error(f"Table: name is {name!r}: expected a text")
        self.name = name
        features = _named_columns(X, "x", "X")
        taken = {column for column, _ in features}
        rows = len(features[0][1]) if features else 0
        columns = [_column(column, values) for column, values in features]
        self._labels = rewards is None
        if self._labels:
            if actions is not None:
                raise _core.Error("Table: actions= goes with rewards=: those of y are its classes")
            label = np.asarray(y)
            if label.ndim != 1 or len(label) != rows:
                raise _core.Error(f"y has the shape {_shape(label)} and X {_shape(X)}: expected a "
                                  "class for each row of X")
            self._outcome = "y"
            while self._outcome in taken:
                self._outcome += "'"
            codes, words = _words(label)
            if (codes < 0).any():
                raise _core.Error(f"y lacks the class of row {int(np.argmax(codes < 0))}: expected "
                                  "one for each row")
            columns.append((self._outcome, True, codes, words))
        else:
            paid = _named_columns(rewards, "", "rewards")
            if len(paid[0][1] if paid else ()) != rows:
                raise _core.Error(f"rewards has the shape {_shape(rewards)} and X {_shape(X)}: "
                                  "expected a row for each row of X")
            names = [str(a) for a in actions] if actions is not None else [c for c, _ in paid]
            if len(names) != len(paid):
                raise _core.Error(f"actions has {len(names)} names and rewards {len(paid)} columns: "
                                  "expected one for each")
            self._outcome = "reward of "
            while any(column.startswith(self._outcome) for column in taken):
                self._outcome = "a " + self._outcome
            for action, (_, values) in zip(names, paid):
                numbers = _numbers(values)
                if numbers is None:
                    raise _core.Error(f"rewards of action {action!r} hold words: expected numbers, "
                                      "or NaN where it is not available")
                columns.append((self._outcome + action, True, numbers, []))
        self._columns = columns
        self._options = {key: _text(value) for key, value in options.items()}
        of_actions = np.zeros((0, 0)) if action_features is None else np.asarray(action_features)
        if of_actions.ndim != 2:
            raise _core.Error(f"action_features has the shape {_shape(of_actions)}: expected "
                              "actions×features")
        self._of_actions = np.ascontiguousarray(of_actions, np.float32)
        self._made = self._environment()  # what is wrong is said now
        self._sum = None

    def _environment(self):
        return _core.environment_from_arrays(self.name, self._columns, self._outcome, self._labels,
                                             self._of_actions, self._options)

    @property
    def key(self) -> str:
        """A hash of all that it holds: workers know by it what they have."""
        if self._sum is None:
            digest = hashlib.blake2b(digest_size=16)
            digest.update(repr((self.name, self._outcome, self._labels, self._options,
                                self._of_actions.shape)).encode())
            digest.update(self._of_actions)
            for name, _, values, words in self._columns:
                digest.update(repr((name, values.shape, words)).encode())
                digest.update(values)
            self._sum = digest.hexdigest()
        return self._sum

    def __getstate__(self):
        return {key: value for key, value in self.__dict__.items() if key != "_made"}

    def __setstate__(self, state):
        self.__dict__.update(state)
        self._made = self._environment()

    def __repr__(self) -> str:
        made = self._made
        return (f"Table({self.name!r}: {made.steps} rows, {made.features} features, "
                f"{made.actions} actions)")


def _text(value):
    """An option as it would be typed."""
    return str(value).lower() if isinstance(value, bool) else str(value)
