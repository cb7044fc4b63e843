"""Saved agents go from the command line to Python and back. BANDOLIER_PROGRAM names the program; ctest sets it."""
import json
import os
import subprocess

import numpy as np
import pandas as pd
import pytest

import bandolier as bd

PROGRAM = os.environ.get("BANDOLIER_PROGRAM")
pytestmark = pytest.mark.skipif(not PROGRAM, reason="BANDOLIER_PROGRAM names no program: this is no build of the tree")


def run(*arguments, **options):
    done = subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, check=True, **options)
    return done.stdout


def test_a_model_of_the_command_line_goes_on_in_python(tmp_path):
    table = pd.DataFrame({"age": np.arange(300) % 60 + 18.0, "city": ["Oslo", "Lima", "Rome"] * 100})
    table["churned"] = np.where(table.city == "Lima", "yes", "no")
    table.to_csv(tmp_path / "churn.csv", index=False)
    run("run", "--env", f"csv:{tmp_path}/churn.csv,label=churned", "--agent", "linear", "--trials", "1", "--quiet",
        "--save", tmp_path / "models")
    (path,) = (tmp_path / "models").glob("*.bndl")
    agent = bd.load(path)
    assert set(agent.actions) == {"yes", "no"}
    assert agent.choose({"age": 30, "city": "Lima"}).action == "yes"
    places = agent.choose(table[["age", "city"]])
    right = np.array(agent.actions)[places] == table.churned
    assert right.mean() > 0.9
    with pytest.raises(bd.Error, match="takes contexts by name"):
        agent.choose(np.zeros(agent.features))


def test_a_model_of_python_goes_on_at_the_command_line(tmp_path):
    agent = bd.Agent("linear", features=["age", "visits"], actions=["tea", "coffee"], seed=1)
    X = np.random.default_rng(1).normal(size=(400, 2))
    A = np.arange(400) % 2
    agent.observe(X, A, ((X[:, 0] > 0) == A).astype(float))
    agent.save(tmp_path / "tea.bndl")
    assert "linear" in run("inspect", tmp_path / "tea.bndl")
    asked = {"id": 1, "context": {"age": 3.0, "visits": 0.0}}
    answer = json.loads(run("decide", tmp_path / "tea.bndl", input=json.dumps(asked) + "\n"))
    assert answer["action"] == agent.choose([3.0, 0.0]).action == "coffee"
    run("decide", tmp_path / "tea.bndl", "--save", tmp_path / "again.bndl",
        input=json.dumps(asked | {"action": "tea", "reward": 1.0}) + "\n")
    again = bd.load(tmp_path / "again.bndl", seed=5)
    assert again.report()["steps"] == 401 and again.seed == 5
