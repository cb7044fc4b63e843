"""Experiments: environments × agents × trials, by the engine of the command line."""
from __future__ import annotations

import concurrent.futures
import json
import os
import uuid
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from bandolier import _core
from bandolier._environment import is_environment
from bandolier._executor import run_on
from bandolier._progress import Bar
from bandolier._result import Result
from bandolier._table import Table
from bandolier._work import environment_of

DEFAULT_AGENTS = ("linear", "auto", "uniform")


def _labelled(given, what):
    """(thing, label) of each: from one, a list of them, or a dictionary of them by label."""
    if isinstance(given, dict):
        return [(thing, str(label)) for label, thing in given.items()]
    if isinstance(given, str) or not isinstance(given, (list, tuple, set, frozenset)):
        given = [given]
    if not given:
        raise _core.Error(f"no {what}: expected at least one")
    return [(thing, "") for thing in given]


class _Environments:
    """The environments of an experiment: specs, those that are made here, and their data."""

    def __init__(self, given):
        self.list, self.keys, self.made, self.things = [], [], {}, {}
        for thing, label in _labelled(given, "environment"):
            if isinstance(thing, (str, os.PathLike)):
                spec = key = os.fspath(thing)
            else:
                spec, key = self._add(thing)
            self.list.append({"spec": spec, "label": label})
            self.keys.append(key)

    def _add(self, thing):
        if not isinstance(thing, Table) and not is_environment(thing):
            raise _core.Error(
                f"environment {thing!r}: expected a name, a Table, or an object with context(t), "
                "reward(t, action), features and actions")
        name = thing.name if isinstance(thing, Table) else type(thing).__name__
        spec, number = name, 1
        while spec in self.made:
            number += 1
            spec = f"{name}-{number}"
        key = f"{spec}/{thing.key if isinstance(thing, Table) else uuid.uuid4().hex}"
        self.made[spec] = environment_of(spec, thing)
        self.things[key] = thing
        return spec, key


def _whole(name, value):
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise _core.Error(f"{name} is {value!r}: expected a whole number")
    whole = value.__index__()
    if not -2**63 <= whole < 2**63:
        raise _core.Error(f"{name} is {whole}: expected a whole number of 64 bits")
    return whole


def _command(environments, agents, settings):
    """The call, where the command line could not make it."""
    if not environments.made:
        return ""
    shown = [e["spec"] if e["spec"] in environments.made else repr(e["spec"])
             for e in environments.list]
    more = "".join(f", {key}={settings[key]!r}" for key in ("trials", "seed", "steps", "warmup_pulls")
                   if settings[key] is not None)
    return f"bandolier.run([{', '.join(shown)}], {[a['spec'] for a in agents]!r}{more})"


def run(
    envs: Any | Sequence[Any] | Mapping[str, Any],
    agents: str | os.PathLike[str] | Sequence[str | os.PathLike[str]] | Mapping[str, str] = DEFAULT_AGENTS,
    *,
    trials: int = 10,
    jobs: int | None = None,
    seed: int = 0,
    steps: int | None = None,
    warmup_pulls: int = 2,
    warmup_feedback: str = "bandit",
    name: str = "",
    baseline: str | None = None,
    out: str | os.PathLike[str] | None = None,
    save: str | os.PathLike[str] | None = None,
    overwrite: bool = False,
    part: str | None = None,
    progress: bool | Callable[[int, int, float, float | None], object] = True,
    executor: concurrent.futures.Executor | None = None,
) -> Result:
    """Runs every agent on every environment, ``trials`` times each, and returns a :class:`Result`.

    ``envs``
        Environments: names as the command line takes them (``"wheel"``, ``"csv:a.csv,label=y"``),
        :class:`Table` s, or objects of your own with ``features``, ``actions``, ``context(t)`` and
        ``reward(t, action)``. One, a list, or a dictionary of them by label.
    ``agents``
        As the command line takes them: ``"auto"``, ``"linear:lambda=0.5"``, ``"saved.bndl"``.
    ``trials, seed, steps, warmup_pulls, warmup_feedback``
        As of ``bandolier run``: the same numbers give the same results, byte for byte, whatever
        ``jobs``, ``executor`` and interruptions.
    ``jobs``
        Trials side by side on this machine; all cores if not given.
    ``out``
        A results folder: every trial is kept as it ends, and the same call goes on from there.
    ``save``
        A folder for the agents of trial 0; ``overwrite`` lets it replace those that are there.
    ``part``
        ``"2/4"`` or ``"auto"``: this share of the trials alone (:func:`merge`).
    ``progress``
        A bar where tqdm is installed; or a function of (trials done, trials, fraction of the work,
        seconds left or None).
    ``executor``
        Any concurrent.futures.Executor: trials are run on its workers, wherever they are.

    An interrupt (Ctrl-C) stops the trials under way and is raised; its ``result`` has the trials that
    are done. A trial that fails is a warning, and the others go on.
    """
    environments = _Environments(envs)
    agent_list = [{"spec": os.fspath(spec) if isinstance(spec, os.PathLike) else spec, "label": label}
                  for spec, label in _labelled(agents, "agent")]
    for agent in agent_list:
        if not isinstance(agent["spec"], str):
            raise _core.Error(f"agent {agent['spec']!r}: expected a text such as 'auto' or "
                              "'linear:lambda=0.5'")
    if warmup_feedback not in ("bandit", "full"):
        raise _core.Error(f"warmup_feedback is {warmup_feedback!r}: expected 'bandit' or 'full'")
    if executor is not None and save is not None:
        raise _core.Error("save= and executor= do not go together: agents stay where they were "
                          "trained; run trial 0 here with save=")
    if executor is not None and not hasattr(executor, "submit"):
        raise _core.Error(f"executor is {executor!r}: expected a concurrent.futures.Executor")
    settings = {
        "name": str(name),
        "command": "",
        "env": environments.list,
        "agent": agent_list,
        "steps": None if steps is None else _whole("steps", steps),
        "trials": _whole("trials", trials),
        "seed": _whole("seed", seed),
        "warmup_pulls": _whole("warmup_pulls", warmup_pulls),
        "warmup_feedback": warmup_feedback,
    }
    settings["command"] = _command(environments, agent_list, settings)
    text = json.dumps(settings)
    jobs = _whole("jobs", _core.available_cores() if jobs is None else jobs)
    if not 1 <= jobs <= 1024:
        raise _core.Error(f"jobs is {jobs}: expected a whole number from 1 to 1024")
    # On other machines trials side by side are theirs to bear.
    side_by_side = jobs if executor is None else 1
    experiment = _core.Experiment(text, environments.made, side_by_side, _folder("out", out),
                                  _folder("save", save), overwrite, part, baseline or "")
    for repair in experiment.repairs:
        warnings.warn(repair, RuntimeWarning, stacklevel=2)
    bar = Bar(progress, experiment.count, experiment.expected)
    try:
        if executor is None:
            experiment.run(bar.show)
        else:
            run_on(executor, experiment, text, environments.keys,
                   [e["spec"] for e in environments.list], [a["spec"] for a in agent_list],
                   environments.things, lambda: bar.show_done(experiment.count))
    except BaseException as stop:
        stopped = Result(experiment.finish(), baseline)  # and others may have the folder
        if isinstance(stop, KeyboardInterrupt):
            stop.result = stopped
        raise
    finally:
        bar.close()
    result = Result(experiment.finish(), baseline)
    if result.failures:
        environment, agent, trial, why = result.failures[0]
        warnings.warn(f"{len(result.failures)} of {experiment.expected} trials failed; the first is "
                      f"trial {trial} of {agent!r} on {environment!r}: {why}", RuntimeWarning,
                      stacklevel=2)
    return result


def _folder(name, folder):
    if folder is None:
        return ""
    folder = os.fspath(folder)
    if not folder:
        raise _core.Error(f"{name} is empty: expected a folder")
    return folder


def read_results(folder: str | os.PathLike[str], baseline: str | None = None) -> Result:
    """The results that a run kept in ``folder``."""
    return Result(_core.read_results(os.fspath(folder)), baseline)


def merge(folders: Sequence[str | os.PathLike[str]], out: str | os.PathLike[str]) -> Result:
    """Puts shares of an experiment (``part=``) together in ``out``, and returns the :class:`Result`.

    Trials that are missing are a warning that names them and their part; shares that do not belong
    together are an error.
    """
    merged = _core.merge([os.fspath(folder) for folder in folders], _folder("out", out))
    for _, notes in merged:
        for note in notes:
            warnings.warn(note, RuntimeWarning, stacklevel=2)
    if len(merged) > 1:
        raise _core.Error(f"{os.fspath(out)} holds the results of {len(merged)} experiments now: read "
                          "each by read_results, or all by `bandolier report`")
    return read_results(merged[0][0])
