"""What a worker does for an experiment: one trial after the other, each by itself."""
import collections
import os
import socket
import threading

from bandolier import _core

_MOST_ENVIRONMENTS = 8  # that a worker keeps

# `key` names the environment: by its spec, or by its data. `checksum` is of the data that the
# experiment began with.
Job = collections.namedtuple("Job", "settings key spec checksum agent steps position")

_kept = collections.OrderedDict()
_lock = threading.Lock()


def worker():
    """This process, as others know it."""
    return f"{socket.gethostname()}:{os.getpid()}"


def environment_of(name, thing):
    """The engine's environment of a Table or an environment written in Python."""
    from bandolier._environment import Adapter

    if hasattr(thing, "_made"):
        return thing._made
    return _core.environment_from_object(name, Adapter(thing))


def _environment(job, thing):
    """The one that a job is on; None where its data are not here."""
    if job.key in _kept:
        _kept.move_to_end(job.key)
        return _kept[job.key]
    if thing is not None:
        made = environment_of(job.spec, thing)
    elif job.key == job.spec:
        made = _core.environment_by_name(job.spec)
    else:
        return None
    found = made.data_sum()
    if found != job.checksum:
        raise _core.Error(f"the data of {job.spec!r} are others on {worker()} (checksum {found}) than "
                          f"where the run began ({job.checksum}): expected the same")
    _kept[job.key] = made
    while len(_kept) > _MOST_ENVIRONMENTS:
        _kept.popitem(last=False)
    return made


def play(job, thing=None):
    """Runs a trial: ("done", worker, its record), ("lacking", worker, None) where the data of its
    environment have to come with it, or ("wrong", worker, why) where it cannot be run here."""
    try:
        with _lock:
            environment = _environment(job, thing)
        if environment is None:
            return "lacking", worker(), None
        return "done", worker(), _core.play(job.settings, environment, job.agent, job.steps,
                                            *job.position)
    except _core.Error as error:
        return "wrong", worker(), str(error)
