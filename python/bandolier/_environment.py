"""Environments of the user's own, written in Python."""
import numpy as np

from bandolier import _core

_NOTHING = np.zeros(0, np.float32)
_ALL = np.zeros(0, np.uint8)


def is_environment(thing):
    """Whether it has what an environment in Python must have."""
    return all(hasattr(thing, name) for name in ("context", "reward", "features", "actions"))


def _whole(thing, name, otherwise):
    value = getattr(thing, name, otherwise)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < 0:
        raise _core.Error(f"{type(thing).__name__}.{name} is {value!r}: expected a whole number")
    return int(value)


def _floats(values, shape, what):
    array = np.ascontiguousarray(values, np.float32)
    if array.shape != shape:
        raise _core.Error(f"{what} has the shape {array.shape}: expected {shape}")
    return array.reshape(-1)


class _Trial:
    """One trial of it, with every answer checked and in the shape that the engine reads."""

    def __init__(self, thing, adapter):
        self.thing, self.adapter = thing, adapter

    def context(self, t):
        found = self.thing.context(t)
        adapter = self.adapter
        of_actions, available = None, None
        if isinstance(found, dict):
            unknown = found.keys() - {"features", "action_features", "available"}
            if "features" not in found or unknown:
                raise _core.Error(f"context({t}) has the keys {sorted(found)}: expected features, "
                                  "and action_features and available where they matter")
            of_actions, available = found.get("action_features"), found.get("available")
            found = found["features"]
        features = _floats(found, (adapter.features,), f"context({t})")
        if (of_actions is None) != (adapter.action_features == 0):
            raise _core.Error(f"context({t}) has {'no ' if of_actions is None else ''}"
                              f"action_features, and the environment's action_features is "
                              f"{adapter.action_features}")
        if of_actions is not None:
            of_actions = _floats(of_actions, (adapter.actions, adapter.action_features),
                                 f"action_features of context({t})")
        if available is not None:
            available = np.asarray(available)
            if available.shape != (adapter.actions,):
                raise _core.Error(f"available of context({t}) has the shape {available.shape}: "
                                  f"expected {(adapter.actions,)}")
            available = np.ascontiguousarray(available != 0, np.uint8)
        return (features, _NOTHING if of_actions is None else of_actions,
                _ALL if available is None else available)

    def reward(self, t, action):
        found = self.thing.reward(t, action)
        try:
            return float(found)
        except (TypeError, ValueError):
            raise _core.Error(f"reward({t}, {action}) is {found!r}: expected a number") from None

    def expected_rewards(self, t):
        if hasattr(self.thing, "expected_rewards"):
            found = self.thing.expected_rewards(t)
            return _floats(found, (self.adapter.actions,), f"expected_rewards({t})")
        _, _, available = self.context(t)
        rewards = [self.reward(t, a) if not len(available) or available[a] else 0.0
                   for a in range(self.adapter.actions)]
        return np.array(rewards, np.float32)


class Adapter:
    """What the engine asks (src/python_environment.cc)."""

    def __init__(self, thing):
        self.thing = thing
        self.features = _whole(thing, "features", None)
        self.actions = _whole(thing, "actions", None)
        self.action_features = _whole(thing, "action_features", 0)
        self.steps = _whole(thing, "steps", None)
        self.action_names = [str(name) for name in getattr(thing, "action_names", [])]
        if self.action_names and len(self.action_names) != self.actions:
            raise _core.Error(f"{type(thing).__name__} has {len(self.action_names)} action_names and "
                              f"{self.actions} actions: expected a name for each")

    def trial(self, seed, trial):
        own = getattr(self.thing, "trial", None)
        return _Trial(self.thing if own is None else own(seed, trial), self)
