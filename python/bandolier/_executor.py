"""An experiment's trials on a concurrent.futures.Executor, wherever its workers are."""
import collections
import concurrent.futures
import os

from bandolier import _core, _work

_MOST_ATTEMPTS = 4  # of a trial whose worker dies


class _Work:
    """A trial that is to run, and how often that was tried."""

    def __init__(self, job):
        self.job, self.attempts = job, 0


def _count_workers(executor):
    """How many jobs it runs at the same time, as far as it says."""
    client = getattr(executor, "_client", None)  # Dask's
    if hasattr(client, "nthreads"):
        return max(1, sum(client.nthreads().values()))
    for name in ("num_workers", "_max_workers"):
        count = getattr(executor, name, None)
        if isinstance(count, int) and count > 0:
            return count
    return os.cpu_count() or 1


class Driver:
    """Keeps the executor busy until all trials are there.

    Two trials for each worker are under way at any time. The data of a table travel with the first
    trials, one for each worker; later ones name it, and a worker that lacks it (a new one, or one
    that has forgotten it) says so and gets it with the trial sent again. An executor that has
    ``put`` keeps data itself, and is given them once.
    """

    def __init__(self, executor, experiment, works, things):
        self.executor, self.experiment = executor, experiment
        self.pending = collections.deque(works)
        self.things = things  # data by key; none for environments that workers find by name
        if hasattr(executor, "put"):
            self.references = {key: executor.put(thing) for key, thing in things.items()}
        else:
            self.references = {}
        self.workers = _count_workers(executor)
        self.sent = collections.Counter()  # how often data went out, by key
        self.lacking = collections.defaultdict(set)  # workers, by key
        self.carrying = collections.Counter()  # trials under way with data, by key
        self.under_way = {}  # future: (work, whether it carries data)

    def _carries(self, key):
        if key not in self.things:
            return False
        return self.sent[key] < self.workers or self.carrying[key] < len(self.lacking[key])

    def _submit(self, work):
        key = work.job.key
        carries = key not in self.references and self._carries(key)
        data = self.references.get(key)
        if carries:
            data = self.things[key]
            self.sent[key] += 1
            self.carrying[key] += 1
        try:
            future = self.executor.submit(_work.play, work.job, data)
        except RuntimeError as error:  # it is broken, or was shut down
            raise self._broken(error) from error
        self.under_way[future] = work, carries

    def _broken(self, error):
        return _core.Error(
            f"the executor takes no more work after {self.experiment.count} of "
            f"{self.experiment.expected} trials ({type(error).__name__}: {error}): make another one; "
            "with out= the same call goes on from there")

    def _fill(self):
        while self.pending and len(self.under_way) < 2 * self.workers:
            self._submit(self.pending.popleft())

    def _take(self, future):
        work, carries = self.under_way.pop(future)
        key = work.job.key
        if carries:
            self.carrying[key] -= 1
        try:
            kind, worker, found = future.result()
        except concurrent.futures.BrokenExecutor as error:
            raise self._broken(error) from error
        except Exception as error:  # of the executor: a trial's own are in its record
            work.attempts += 1
            if work.attempts == _MOST_ATTEMPTS:
                raise _core.Error(f"trial {work.job.position[2]} of {work.job.agent!r} on "
                                  f"{work.job.spec!r} was lost {work.attempts} times, the last time by "
                                  f"{type(error).__name__}: {error}") from error
            self.pending.appendleft(work)
            return False
        if kind == "wrong":
            raise _core.Error(f"on worker {worker}: {found}")
        if kind == "lacking":
            self.lacking[key].add(worker)
            self.pending.appendleft(work)
            return False
        self.lacking[key].discard(worker)
        self.experiment.add(found)
        return True

    def run(self, told):
        """told(): a trial is done."""
        try:
            self._fill()
            while self.under_way:
                done, _ = concurrent.futures.wait(
                    self.under_way, timeout=0.5, return_when=concurrent.futures.FIRST_COMPLETED)
                for future in done:
                    if self._take(future):
                        told()
                self._fill()
        finally:
            for future in self.under_way:
                future.cancel()


def run_on(executor, experiment, settings, keys, specs, agents, things, told):
    """Runs what the experiment lacks. `keys`, `specs`: of its environments; `agents`: specs."""
    facts = [experiment.facts(e) for e in range(len(keys))]
    works = []
    # Trial by trial, so that a run that is stopped has all agents on the same trials; the dearest of
    # each first.
    for e, a, trial, _ in sorted(experiment.missing(), key=lambda one: (one[2], -one[3])):
        steps, checksum = facts[e]
        job = _work.Job(settings, keys[e], specs[e], checksum, agents[a], steps, (e, a, trial))
        works.append(_Work(job))
    Driver(executor, experiment, works, things).run(told)
