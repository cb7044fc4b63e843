"""bd.run: the numbers of the command line, resuming, interrupts, and what is refused."""
import csv
import os
import pathlib
import signal
import subprocess
import sys
import textwrap
import time

import pytest

import bandolier as bd

PROGRAM = pathlib.Path(__file__).parents[2] / "build/release/bin/bandolier"
SMALL = dict(trials=3, steps=200, progress=False)


def read(folder):
    return [(pathlib.Path(folder) / name).read_bytes() for name in ("trials.csv", "curves.csv")]


@pytest.mark.skipif(not PROGRAM.exists(), reason="the program is not built")
def test_the_files_are_those_of_the_command_line_byte_for_byte(tmp_path):
    result = bd.run(["wheel:delta=0.9", "linear"], ["auto", "linear", "uniform"], seed=3, jobs=2,
                    warmup_pulls=1, out=tmp_path / "python", **SMALL)
    subprocess.run([PROGRAM, "run", "--env", "wheel:delta=0.9", "linear", "--agent", "auto", "linear",
                    "uniform", "--seed", "3", "--warmup-pulls", "1", "--trials", "3", "--steps", "200",
                    "--jobs", "1", "--out", tmp_path / "program"], check=True, capture_output=True)
    assert read(tmp_path / "python") == read(tmp_path / "program")
    # The folder is the command line's own: it goes on from there.
    again = subprocess.run([PROGRAM, "run", "--env", "wheel:delta=0.9", "linear", "--agent", "auto",
                            "linear", "uniform", "--seed", "3", "--warmup-pulls", "1", "--trials", "3",
                            "--steps", "200", "--out", tmp_path / "python"], check=True,
                           capture_output=True, text=True)
    assert "has 18 trials: going on from there" in again.stderr
    assert result.complete and not result.failures


def test_frames_have_the_columns_and_numbers_of_the_files(tmp_path):
    result = bd.run("wheel", ["linear", "uniform"], out=tmp_path, **SMALL)
    for name in ("trials", "curves", "timings"):
        with open(tmp_path / f"{name}.csv", newline="", encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        frame = getattr(result, name)
        assert list(frame.columns) == list(rows[0])
        assert len(frame) == len(rows)
    assert list(result.trials.reward) == [float(row["reward"]) for row in
                                          csv.DictReader(open(tmp_path / "trials.csv"))]
    summary = result.summary()
    assert list(summary.agent) == ["linear", "uniform"]
    means = result.trials.groupby("agent").reward.mean()
    assert summary.reward_mean.tolist() == pytest.approx(means.tolist())
    assert summary.difference_mean[1] == pytest.approx(means["uniform"] - means["linear"])


def test_results_do_not_depend_on_jobs_and_go_on_where_they_were(tmp_path):
    one = bd.run("wheel", ["linear", "uniform"], jobs=1, **SMALL)
    two = bd.run("wheel", ["linear", "uniform"], jobs=2, **SMALL)
    assert one.trials.equals(two.trials) and one.curves.equals(two.curves)
    bd.run("wheel", ["linear", "uniform"], out=tmp_path, **{**SMALL, "trials": 1})
    seen = []
    more = bd.run("wheel", ["linear", "uniform"], out=tmp_path,
                  **{**SMALL, "progress": lambda *at: seen.append(at)})
    assert more.trials.equals(one.trials)
    assert seen[-1][:3] == (6, 6, 1.0)
    kept = bd.read_results(tmp_path)
    assert kept.trials.equals(one.trials) and kept.complete


def test_shares_are_merged_to_the_whole(tmp_path):
    whole = bd.run(["wheel", "linear"], ["linear", "uniform"], out=tmp_path / "whole", **SMALL)
    parts = [bd.run(["wheel", "linear"], ["linear", "uniform"], part=f"{i}/2", out=tmp_path / str(i),
                    **SMALL) for i in (1, 2)]
    assert sum(len(part.trials) for part in parts) == len(whole.trials)
    assert "of 12 trials are there" in repr(parts[0])
    with pytest.warns(RuntimeWarning, match="part 2/2, of which no folder was given"):
        assert not bd.merge([tmp_path / "1"], tmp_path / "merged").complete
    merged = bd.merge([tmp_path / "1", tmp_path / "2"], tmp_path / "merged")
    assert merged.complete
    assert read(tmp_path / "merged") == read(tmp_path / "whole")


def test_labels_are_shown_and_specs_are_kept():
    result = bd.run({"ring": "wheel"}, {"ridge": "linear:lambda=1", "chance": "uniform"},
                    baseline="chance", **SMALL)
    assert result.environments == ["wheel"] and result.agents == ["linear:lambda=1", "uniform"]
    assert "ridge" in repr(result) and "vs chance" in repr(result)
    page = result._repr_html_()
    assert ">ring<" in page and ">ridge<" in page and "3 trials" in page


def test_an_interrupt_keeps_what_is_done_and_the_same_call_goes_on(tmp_path):
    script = tmp_path / "long.py"
    script.write_text(textwrap.dedent(f"""
        import sys
        import bandolier as bd
        try:
            bd.run("wheel", ["linear"], trials=40, steps=200_000, jobs=1, progress=False,
                   out={str(tmp_path / "out")!r})
        except KeyboardInterrupt as stop:
            print(len(stop.result.trials), stop.result.complete)
            bd.run("wheel", ["linear"], trials=len(stop.result.trials), steps=200_000, jobs=1,
                   progress=False, out={str(tmp_path / "out")!r})
            sys.exit(7)
    """))
    process = subprocess.Popen([sys.executable, script], stdout=subprocess.PIPE, text=True)
    trials = tmp_path / "out" / "trials.csv"
    end = time.monotonic() + 60
    while not (trials.exists() and len(trials.read_text().splitlines()) > 1):
        assert process.poll() is None and time.monotonic() < end
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    output, _ = process.communicate(timeout=60)
    count, complete = output.split()
    assert process.returncode == 7 and complete == "False"
    assert len(trials.read_text().splitlines()) == int(count) + 1


def test_agents_are_saved_and_go_on(tmp_path):
    bd.run("wheel", "linear", save=tmp_path, **SMALL)
    with pytest.raises(bd.Error, match="is there and its trial is to run"):
        bd.run("wheel", "linear", save=tmp_path, **SMALL)
    bd.run("wheel", "linear", save=tmp_path, overwrite=True, **SMALL)
    result = bd.run("wheel", tmp_path / "wheel--linear.bndl", **SMALL)
    assert not result.failures


@pytest.mark.parametrize("arguments, expected", [
    (dict(envs="weel"), "did you mean 'wheel'"),
    (dict(envs=[]), "no environment"),
    (dict(envs=3), "expected a name, a Table, or an object"),
    (dict(envs=["wheel", "wheel"]), "given twice"),
    (dict(agents=["liner"]), "did you mean 'linear'"),
    (dict(agents=[]), "no agent"),
    (dict(agents=[1]), "agent 1: expected a text"),
    (dict(agents="linear:lamda=1"), "did you mean 'lambda'"),
    (dict(trials=0), "trials is 0"),
    (dict(trials=2.5), "trials is 2.5"),
    (dict(trials=True), "trials is True"),
    (dict(seed=-1), "seed is -1"),
    (dict(seed=2**70), "64 bits"),
    (dict(steps=5), "warm-up takes 10 steps"),
    (dict(jobs=0), "jobs is 0"),
    (dict(jobs=10**6), "jobs is 1000000"),
    (dict(warmup_feedback="none"), "expected 'bandit' or 'full'"),
    (dict(baseline="nobody"), "baseline 'nobody'"),
    (dict(part="3/2"), "part is 3/2"),
    (dict(out=""), "out is empty"),
    (dict(out="/dev/null/x"), "/dev/null"),
    (dict(executor=3), "expected a concurrent.futures.Executor"),
])
def test_what_cannot_be_run_is_refused_before_anything_runs(arguments, expected):
    call = {"envs": "wheel", "agents": ["uniform"], **SMALL, **arguments}
    with pytest.raises(bd.Error, match=expected):
        bd.run(call.pop("envs"), call.pop("agents"), **call)


def test_a_folder_of_another_experiment_is_refused(tmp_path):
    bd.run("wheel", "uniform", out=tmp_path, **SMALL)
    with pytest.raises(bd.Error, match="seed is 0 there and 1 here"):
        bd.run("wheel", "uniform", out=tmp_path, seed=1, **SMALL)
    with pytest.raises(bd.Error, match="holds no results"):
        bd.read_results(tmp_path / "none")
    with pytest.raises(bd.Error, match="none of the folders holds results"):
        bd.merge([tmp_path / "none"], tmp_path / "out")


def test_what_the_progress_raises_stops_the_run_and_lets_go_of_the_folder(tmp_path):
    def stop(*_):
        raise LookupError("enough")

    with pytest.raises(LookupError, match="enough"):
        bd.run("wheel", "linear", trials=50, steps=20_000, out=tmp_path, progress=stop)
    bd.run("wheel", "linear", trials=1, steps=20_000, out=tmp_path, progress=False)
