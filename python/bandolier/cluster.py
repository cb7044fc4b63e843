"""Executors for clusters: ``bandolier.run(..., executor=...)`` takes any of concurrent.futures."""
from __future__ import annotations

import concurrent.futures
import threading
from collections.abc import Callable
from typing import Any

from bandolier import _core


def _call(function, *arguments, **keywords):
    return function(*arguments, **keywords)


class _RayFuture(concurrent.futures.Future):
    """A task's result, which takes the task with it when it is cancelled."""

    def __init__(self):
        super().__init__()
        self.settling = threading.Lock()

    def cancel(self):
        with self.settling:
            if self.cancelled():
                return True
            if not super().cancel():
                return False
            self.set_running_or_notify_cancel()  # who waits for it need not wait for the task
        import ray

        ray.cancel(self.reference, force=False)
        return True


class RayExecutor(concurrent.futures.Executor):
    """The Ray that is initialised, as a concurrent.futures.Executor.

    Each submitted call is one task on ``num_cpus`` cores; a task whose worker or node dies runs
    again, ``max_retries`` times at most. ``options`` are of ``ray.remote``: ``resources``,
    ``runtime_env``, ``scheduling_strategy``... Leaving the context waits for the tasks and leaves Ray
    as it is::

        ray.init("auto")
        with RayExecutor() as executor:
            result = bandolier.run(["wheel"], ["auto"], trials=100, executor=executor)
    """

    def __init__(self, num_cpus: float = 1, max_retries: int = 3, **options: Any) -> None:
        try:
            import ray
        except ImportError:
            raise _core.Error("RayExecutor needs Ray, which is not installed: pip install ray") from None
        if not ray.is_initialized():
            raise _core.Error("Ray is not initialised: call ray.init() first")
        self._ray = ray
        self._num_cpus = num_cpus
        self._remote = ray.remote(num_cpus=num_cpus, max_retries=max_retries, **options)(_call)
        self._lock = threading.Lock()
        self._futures = set()
        self._shut = False

    @property
    def num_workers(self) -> int:
        """Tasks that run at the same time on the nodes that are there now."""
        cores = self._ray.cluster_resources().get("CPU", 1)
        return max(1, int(cores / self._num_cpus)) if self._num_cpus else int(cores)

    def put(self, thing: object) -> Any:
        """A reference to an object that each node receives once; a task sees the object itself."""
        return self._ray.put(thing)

    def submit(self, function: Callable[..., Any], /, *arguments: Any,
               **keywords: Any) -> concurrent.futures.Future[Any]:
        with self._lock:
            if self._shut:
                raise RuntimeError("cannot submit after shutdown")
            future = _RayFuture()
            self._futures.add(future)
        future.reference = self._remote.remote(function, *arguments, **keywords)
        future.add_done_callback(self._forget)
        future.reference.future().add_done_callback(lambda done: _hand_over(done, future))
        return future

    def _forget(self, future):
        with self._lock:
            self._futures.discard(future)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        with self._lock:
            self._shut = True
            futures = list(self._futures)
        if cancel_futures:
            for future in futures:
                future.cancel()
        if wait:
            concurrent.futures.wait(futures)

    def __repr__(self) -> str:
        return f"RayExecutor({self.num_workers} workers, {self._num_cpus} CPU each)"


def _hand_over(done, future):
    """What Ray says of a task, unless nobody waits for it any more."""
    with future.settling:
        if future.cancelled():
            return
        future.set_running_or_notify_cancel()
    error = done.exception()
    if error is not None:
        future.set_exception(error)
    else:
        future.set_result(done.result())
