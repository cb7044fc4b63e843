"""Experiments on executors: the same bytes, data that travel once, and workers that die."""
import concurrent.futures
import multiprocessing

import pytest

import bandolier as bd
from bandolier import _work
from worlds import Sine, same, table

SMALL = dict(trials=4, steps=150, progress=False)
AGENTS = ["linear", "auto", "uniform"]


class Inline(concurrent.futures.Executor):
    """Runs what it is given at once, and counts what data travel. After `forget` jobs the worker is
    another one, which has none."""

    _max_workers = 1

    def __init__(self, forget=0, fail=()):
        self.jobs, self.carried, self.forget, self.fail = 0, [], forget, fail
        _work._kept.clear()

    def submit(self, function, /, *arguments, **keywords):
        self.jobs += 1
        if self.forget and self.jobs % self.forget == 0:
            _work._kept.clear()
        self.carried.append(arguments[1] is not None)
        future = concurrent.futures.Future()
        try:
            if self.jobs in self.fail:
                raise ConnectionResetError("the worker is gone")
            future.set_result(function(*arguments, **keywords))
        except Exception as error:
            future.set_exception(error)
        return future


@pytest.fixture(scope="module")
def here():
    return bd.run([table(400, 6), "wheel"], AGENTS, jobs=2, **SMALL)


def spawned(workers=2):
    return concurrent.futures.ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"))


def test_processes_and_threads_give_the_bytes_of_one_process(here, tmp_path):
    with spawned() as executor:
        there = bd.run([table(400, 6), "wheel"], AGENTS, executor=executor, out=tmp_path, **SMALL)
    assert same(here, there)
    assert (tmp_path / "trials.csv").read_text() == here._core.trials
    with concurrent.futures.ThreadPoolExecutor(2) as executor:
        assert same(here, bd.run([table(400, 6), "wheel"], AGENTS, executor=executor, **SMALL))


def test_data_travel_once_to_each_worker(here):
    executor = Inline()
    assert same(here, bd.run([table(400, 6), "wheel"], AGENTS, executor=executor, **SMALL))
    assert executor.jobs == 24 and sum(executor.carried) == 1


def test_a_worker_that_has_forgotten_gets_the_data_again(here):
    executor = Inline(forget=5)
    assert same(here, bd.run([table(400, 6), "wheel"], AGENTS, executor=executor, **SMALL))
    lost = executor.jobs - 24  # jobs that came back for want of data
    assert 1 <= lost <= 5 and sum(executor.carried) == 1 + lost


def test_a_trial_whose_worker_dies_runs_again_and_gives_up_in_the_end(here):
    executor = Inline(fail=(2, 3, 9))
    assert same(here, bd.run([table(400, 6), "wheel"], AGENTS, executor=executor, **SMALL))
    assert executor.jobs == 27
    with pytest.raises(bd.Error, match="was lost 4 times.*ConnectionResetError: the worker is gone"):
        bd.run("wheel", AGENTS, executor=Inline(fail=range(3, 99)), **SMALL)


def test_a_broken_pool_is_an_error_and_the_same_call_goes_on(tmp_path):
    whole = bd.run(Sine(), AGENTS, **SMALL)
    run = dict(out=tmp_path / "out", **SMALL)
    with spawned() as executor, pytest.raises(bd.Error, match="takes no more work after .* of 12"):
        bd.run(Sine(str(tmp_path / "mark")), AGENTS, executor=executor, **run)
    assert (tmp_path / "mark").exists()
    with pytest.raises(bd.Error, match="takes no more work after 0 of 12"):
        bd.run(Sine(), AGENTS, executor=executor, **SMALL)
    with spawned() as executor:
        assert same(whole, bd.run(Sine(str(tmp_path / "mark")), AGENTS, executor=executor, **run))


def test_progress_comes_back(here):
    seen = []
    bd.run("wheel", ["uniform"], executor=Inline(), **{**SMALL, "progress": lambda *at: seen.append(at)})
    assert [at[0] for at in seen] == [1, 2, 3, 4] and seen[-1][1:3] == (4, 1.0)


def test_what_a_worker_cannot_run_is_said_with_its_name(tmp_path):
    data = tmp_path / "a.csv"
    data.write_text("x,y\n" + "".join(f"{i % 5},{'ab'[i % 2]}\n" for i in range(40)))

    class Moved(Inline):
        def submit(self, function, /, *arguments):
            if self.jobs == 0:
                data.write_text(text)
            return super().submit(function, *arguments)

    spec = f"csv:{data},label=y"
    call = dict(trials=2, steps=20, progress=False)
    text = data.read_text().replace("4", "7")
    with pytest.raises(bd.Error, match="on worker .*: the data of 'csv:.* are others on"):
        bd.run(spec, "linear", executor=Moved(), **call)
    text = "x,y\n"
    with pytest.raises(bd.Error, match="on worker .*a.csv"):
        data.write_text("x,y\n" + "".join(f"{i % 5},{'ab'[i % 2]}\n" for i in range(40)))
        bd.run(spec, "linear", executor=Moved(), **call)


def test_a_failed_trial_is_a_warning_wherever_it_ran():
    class Broken(Sine):
        steps = None

        def reward(self, t, action):
            raise ValueError("no reward today")

    with pytest.warns(RuntimeWarning, match="4 of 4 trials failed.*no reward today"):
        result = bd.run(Broken(), "linear", executor=Inline(), **SMALL)
    assert len(result.failures) == 4


def test_agents_cannot_be_saved_from_elsewhere(tmp_path):
    with pytest.raises(bd.Error, match="save= and executor="):
        bd.run("wheel", "linear", executor=Inline(), save=tmp_path, **SMALL)
