"""Decisions that wait for their reward, by an id of yours."""
from __future__ import annotations

import os
import pickle
import tempfile
import threading
import time
from collections import OrderedDict
from typing import Any, Callable, Hashable, NamedTuple

from bandolier._core import Agent, Decision, Error


class _Waiting(NamedTuple):
    context: Any
    action: Any
    arguments: dict
    since: float
    ticket: int | None


class Pending:
    """An agent whose rewards come later, or not at all.

    >>> import bandolier as bd
    >>> late = bd.Pending(bd.Agent("linear", features=2, actions=3, seed=1))
    >>> decision = late.choose([0.5, 2.0], id="r17")
    >>> late.reward("r17", 1.0)
    True
    >>> decision = late.choose([1.0, 0.0], id="r18")
    >>> late.expire(seconds=0, reward=0.0)
    1
    >>> late
    <bandolier.Pending: 0 decisions wait, of <bandolier.Agent linear: 2 features, 3 actions, 2 decisions, 2 rewards>>

    The context of every decision is kept until its reward comes: copied, so that an array may be
    reused. ``capacity`` bounds how many wait; beyond it the oldest are forgotten, and counted in
    ``forgotten``. ``clock`` gives seconds; waiting times go on over ``save`` and ``pickle`` with
    the default, the time of day. Any number of threads may use it.
    """

    def __init__(self, agent: Agent, *, capacity: int = 100_000, clock: Callable[[], float] = time.time):
        if not isinstance(agent, Agent):
            raise Error(f"agent is {agent!r}: expected a bandolier.Agent")
        if not isinstance(capacity, int) or capacity < 1:
            raise Error(f"capacity is {capacity!r}: expected a whole number of at least 1")
        self.agent = agent
        self.capacity = capacity
        self.forgotten = 0
        self._clock = clock
        self._waiting: OrderedDict[Hashable, _Waiting] = OrderedDict()
        self._lock = threading.Lock()

    def choose(self, context: Any, actions: Any = None, *, id: Hashable, **arguments: Any) -> Decision:
        """Decides as ``Agent.choose`` does for one context, and keeps the decision under ``id``.

        An id that waits already is an Error: nothing is decided then.
        """
        with self._lock:
            if id in self._waiting:
                raise Error(f"id {id!r} waits for a reward already: expected another id")
        made = self.agent.choose(context, actions, **arguments)
        if not isinstance(made, Decision):
            raise Error("context holds many: expected one, with an id of its own")
        said = {name: _kept(arguments[name]) for name in _SHOWN if arguments.get(name) is not None}
        if actions is not None:
            said["actions"] = _kept(actions)
        waiting = _Waiting(_kept(context), made.action, said, self._clock(), made.ticket)
        with self._lock:
            if id in self._waiting:
                raise Error(f"id {id!r} waits for a reward already: expected another id")
            self._waiting[id] = waiting
            if len(self._waiting) > self.capacity:
                self._waiting.popitem(last=False)
                self.forgotten += 1
        return made

    def reward(self, id: Hashable, reward: float) -> bool:
        """Learns from the reward of the decision ``id``, which waits no longer.

        True where it was learnt, False where it was refused or the id is not known: it was
        rewarded before, expired, or never decided. A reward that is an Error leaves it waiting.
        """
        with self._lock:
            waiting = self._waiting.pop(id, None)
        if waiting is None:
            return False
        return self._learn(id, waiting, reward)

    def expire(self, seconds: float, reward: float | None = None) -> int:
        """Gives up decisions that have waited for ``seconds`` and longer: how many there were.

        They are learnt with ``reward`` (a purchase that did not come is a reward of 0), or dropped
        where it is None.
        """
        before = self._clock() - seconds
        with self._lock:
            old = [(id, one) for id, one in self._waiting.items() if one.since <= before]
            for id, _ in old:
                del self._waiting[id]
        if reward is not None:
            for i, (id, waiting) in enumerate(old):
                try:
                    self._learn(id, waiting, reward)
                except BaseException:
                    self._put_back(old[i:][::-1])
                    raise
        return len(old)

    def _learn(self, id: Hashable, waiting: _Waiting, reward: float) -> bool:
        said = dict(waiting.arguments)
        actions = said.pop("actions", None)
        try:
            return self.agent.observe(
                waiting.context, waiting.action, reward, actions, ticket=waiting.ticket, **said
            )
        except BaseException:
            self._put_back([(id, waiting)])
            raise

    def _put_back(self, waiting: list) -> None:
        with self._lock:
            for id, one in waiting:
                self._waiting[id] = one
                self._waiting.move_to_end(id, last=False)

    def waiting(self) -> list:
        """The ids that wait, the longest first."""
        with self._lock:
            return list(self._waiting)

    def __len__(self) -> int:
        return len(self._waiting)

    def __contains__(self, id: Hashable) -> bool:
        return id in self._waiting

    def __repr__(self) -> str:
        many = "1 decision waits" if len(self) == 1 else f"{len(self)} decisions wait"
        return f"<bandolier.Pending: {many}, of {self.agent!r}>"

    def save(self, path: str | os.PathLike) -> None:
        """Writes agent and waiting decisions; ``Pending.load`` goes on from there.

        The file is a pickle: load none that you do not trust. The old file or the new one is
        there, never half of it.
        """
        folder = os.path.dirname(os.path.abspath(os.fspath(path)))
        file, beside = tempfile.mkstemp(dir=folder, prefix=".pending-")
        try:
            with os.fdopen(file, "wb") as out:
                pickle.dump(self, out)
                out.flush()
                os.fsync(out.fileno())
            os.replace(beside, path)
        except BaseException:
            os.unlink(beside)
            raise

    @classmethod
    def load(cls, path: str | os.PathLike) -> Pending:
        """What ``save`` has written."""
        try:
            with open(path, "rb") as file:
                loaded = pickle.load(file)
        except Error:
            raise
        except Exception as error:
            raise Error(f"{os.fspath(path)} holds no saved Pending: {error}") from None
        if not isinstance(loaded, cls):
            raise Error(f"{os.fspath(path)} holds {loaded!r}: expected a saved Pending")
        return loaded

    def __getstate__(self) -> dict:
        with self._lock:
            state = self.__dict__.copy()
            # Tickets are of this process.
            state["_waiting"] = OrderedDict(
                (id, one._replace(ticket=None)) for id, one in self._waiting.items()
            )
        del state["_lock"]
        return state

    def __setstate__(self, state: dict) -> None:
        self.__dict__.update(state)
        self._lock = threading.Lock()


_SHOWN = ("available", "action_features", "action_ids")


def _kept(value: Any) -> Any:
    """A copy that later changes of the caller's object do not reach."""
    if isinstance(value, dict):
        return {key: _kept(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_kept(item) for item in value]
    return value.copy() if hasattr(value, "copy") else value
