"""Experiments on the engines that people run: a Ray cluster of two nodes and a Dask cluster of two
workers on this machine, and one of them killed in the middle."""
import os
import time

import pytest
import worlds

import bandolier as bd
from worlds import Sine, same, table

CALL = dict(agents=["linear", "auto", "uniform"], trials=6, steps=400, progress=False)


@pytest.fixture(scope="module")
def here():
    return bd.run([table(5000, 20), "wheel"], jobs=2, **CALL)


@pytest.fixture(scope="module")
def here_python():
    return bd.run(Sine(), jobs=2, **CALL)


@pytest.fixture(scope="module")
def dask():
    distributed = pytest.importorskip("distributed")
    pytest.importorskip("cloudpickle").register_pickle_by_value(worlds)
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None,
                                  memory_limit="1GB") as cluster:
        with distributed.Client(cluster) as client:
            yield client


@pytest.fixture(scope="module")
def ray():
    ray = pytest.importorskip("ray")
    from ray.cluster_utils import Cluster

    ray.cloudpickle.register_pickle_by_value(worlds)  # workers do not have the tests
    memory = 80 * 2**20
    cluster = Cluster(initialize_head=True, head_node_args=dict(
        num_cpus=1, object_store_memory=memory, include_dashboard=False))
    cluster.add_node(num_cpus=1, object_store_memory=memory)
    ray.init(address=cluster.address, log_to_driver=False)
    yield ray, cluster
    ray.shutdown()
    cluster.shutdown()


def test_dask_gives_the_bytes_of_one_process(here, dask, tmp_path):
    with dask.get_executor() as executor:
        there = bd.run([table(5000, 20), "wheel"], executor=executor, out=tmp_path, **CALL)
    assert same(here, there)
    assert (tmp_path / "curves.csv").read_text() == here._core.curves


def test_dask_runs_again_what_a_killed_worker_had(here_python, dask, tmp_path):
    before = set(dask.run(os.getpid).values())
    mark = str(tmp_path / "mark")
    with dask.get_executor() as executor:
        there = bd.run(Sine(mark), executor=executor, **CALL)
    assert os.path.exists(mark) and same(here_python, there)
    dask.wait_for_workers(2, timeout=30)
    assert set(dask.run(os.getpid).values()) != before  # one of them is new


def test_ray_gives_the_bytes_of_one_process_and_stays(here, ray, tmp_path):
    ray, _ = ray
    from bandolier.cluster import RayExecutor

    with RayExecutor() as executor:
        assert repr(executor) == "RayExecutor(2 workers, 1 CPU each)"
        there = bd.run([table(5000, 20), "wheel"], executor=executor, out=tmp_path, **CALL)
    assert same(here, there)
    assert (tmp_path / "trials.csv").read_text() == here._core.trials
    assert ray.is_initialized()
    with pytest.raises(RuntimeError, match="after shutdown"):
        executor.submit(int)


def test_ray_runs_again_what_a_killed_worker_had(here_python, ray, tmp_path):
    from bandolier.cluster import RayExecutor

    mark = str(tmp_path / "mark")
    with RayExecutor() as executor:
        there = bd.run(Sine(mark), executor=executor, **CALL)
    assert os.path.exists(mark) and same(here_python, there)


def test_ray_is_an_executor_like_any_other(ray):
    from bandolier.cluster import RayExecutor

    with RayExecutor() as executor:
        assert list(executor.map(pow, [2, 3], [5, 4])) == [32, 81]
        future = executor.submit(divmod, 1, 0)
        assert isinstance(future.exception(timeout=60), ZeroDivisionError)
        slow = [executor.submit(time.sleep, 8) for _ in range(4)]
        start = time.monotonic()
        executor.shutdown(cancel_futures=True)
        assert all(one.cancelled() for one in slow) and time.monotonic() - start < 6


# The last: it leaves one node.
def test_ray_goes_on_where_a_node_is_lost(here, ray):
    _, cluster = ray
    from bandolier.cluster import RayExecutor

    def lose(done, *_):
        if done >= 5 and len(cluster.worker_nodes) == 1:
            cluster.remove_node(next(iter(cluster.worker_nodes)), allow_graceful=False)

    with RayExecutor() as executor:
        there = bd.run([table(5000, 20), "wheel"], executor=executor, **{**CALL, "progress": lose})
    assert not cluster.worker_nodes and same(here, there)


def test_an_executor_without_its_engine_says_so(monkeypatch):
    ray = pytest.importorskip("ray")
    from bandolier.cluster import RayExecutor

    monkeypatch.setattr(ray, "is_initialized", lambda: False)
    with pytest.raises(bd.Error, match="call ray.init"):
        RayExecutor()
    monkeypatch.setitem(__import__("sys").modules, "ray", None)
    with pytest.raises(bd.Error, match="pip install ray"):
        RayExecutor()
