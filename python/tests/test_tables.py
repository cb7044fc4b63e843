"""Tables in memory and environments in Python."""
import pickle

import numpy as np
import pandas as pd
import pytest
import scipy.sparse

import bandolier as bd

SMALL = dict(trials=2, steps=100, progress=False)


def frame(rows=300):
    random = np.random.default_rng(0)
    table = pd.DataFrame({"age": random.normal(40, 10, rows).round(1),
                          "plan": random.choice(["free", "gold", "pro"], rows),
                          "seen": 1_700_000_000 + random.integers(0, 20_000, rows)})
    table.loc[::17, "age"] = np.nan
    table["left"] = np.where((table.age < 35) | (table.plan == "pro"), "yes", "no")
    return table


def test_a_table_gives_the_results_of_the_file_with_the_same_numbers(tmp_path):
    table = frame()
    table.to_csv(tmp_path / "a.csv", index=False)
    by_file = bd.run(f"csv:{tmp_path}/a.csv,label=left,keep=seen", ["linear", "auto"], **SMALL)
    in_memory = bd.run(bd.Table(table.drop(columns="left"), table.left), ["linear", "auto"], **SMALL)
    for name in ("trials", "curves"):
        one, other = getattr(by_file, name), getattr(in_memory, name)
        assert one.drop(columns="env").equals(other.drop(columns="env"))


def test_rewards_with_gaps_are_actions_that_are_not_available():
    random = np.random.default_rng(1)
    X = random.normal(size=(200, 3))
    R = X @ random.normal(size=(3, 4))
    R[:100, 2] = np.nan
    result = bd.run(bd.Table(X, rewards=R, actions=["a", "b", "c", "d"], name="shop"),
                    ["linear", "uniform"], trials=2, progress=False)
    assert result.environments == ["shop"]
    assert (result.trials.chosen.map(lambda text: eval(text)[2]) <= 100).all()
    assert result.trials.reward.groupby(result.trials.agent).mean()["linear"] > 0


@pytest.mark.parametrize("X", [
    np.arange(40.0, dtype=np.float32).reshape(20, 2), np.arange(40).reshape(20, 2).tolist(),
    np.asfortranarray(np.arange(40.0).reshape(20, 2)), np.arange(80.0).reshape(20, 4)[:, ::2],
    scipy.sparse.csr_matrix(np.arange(40.0).reshape(20, 2)),
    pd.DataFrame({"a": pd.array([1, None] * 10, "Int64"), "b": pd.Categorical(["x", "y"] * 10)}),
    pd.DataFrame({"a": pd.date_range("2024-01-01", periods=20), "b": [True, False] * 10})])
def test_what_people_have_is_taken(X):
    table = bd.Table(X, [0, 1] * 10)
    assert "20 rows" in repr(table) and "2 actions" in repr(table)
    assert not bd.run(table, "linear", trials=1, progress=False).failures


def test_the_key_is_of_the_data_and_survives_pickling():
    X, y = np.arange(40.0).reshape(20, 2), [0, 1] * 10
    table = bd.Table(X, y)
    assert pickle.loads(pickle.dumps(table)).key == table.key == bd.Table(X.tolist(), y).key
    changed = X.copy()
    changed[7, 1] += 1e-9
    assert len({table.key, bd.Table(changed, y).key, bd.Table(X, y, name="b").key,
                bd.Table(X, [1, 0] * 10).key, bd.Table(X, y, drift=5).key}) == 5


def test_options_are_those_of_the_command_line():
    X, y = np.arange(40.0).reshape(20, 2), [0, 1] * 10
    assert "10 rows" in repr(bd.Table(X, y, rows=10, standardise="none", delay=3))
    with pytest.raises(bd.Error, match="did you mean 'drift'"):
        bd.Table(X, y, drif=3)
    with pytest.raises(bd.Error, match="rows=30"):
        bd.Table(X, y, rows=30)


def test_results_are_not_gone_on_with_on_other_data(tmp_path):
    X, y = np.arange(400.0).reshape(200, 2), [0, 1] * 100
    bd.run(bd.Table(X, y), "uniform", out=tmp_path, **SMALL)
    with pytest.raises(bd.Error, match="data is"):
        bd.run(bd.Table(X**2, y), "uniform", out=tmp_path, **SMALL)


X20, Y20 = np.ones((20, 2)), [0, 1] * 10


@pytest.mark.parametrize("make, expected", [
    (lambda: bd.Table(X20), "either y"),
    (lambda: bd.Table(X20, Y20, rewards=X20), "either y"),
    (lambda: bd.Table(X20, Y20[:-1]), r"y has the shape 19 and X 20×2"),
    (lambda: bd.Table(X20, X20), r"y has the shape 20×2 and X 20×2"),
    (lambda: bd.Table(np.ones(20), Y20), "X has the shape 20: expected rows×columns"),
    (lambda: bd.Table(np.ones((2, 2, 2)), [0, 1]), "X has the shape 2×2×2"),
    (lambda: bd.Table(np.ones((0, 2)), []), "no rows|one class"),
    (lambda: bd.Table(np.ones((20, 0)), Y20), "y has the shape|no feature columns"),
    (lambda: bd.Table(X20, rewards=X20[:3]), r"rewards has the shape 3×2 and X 20×2"),
    (lambda: bd.Table(X20, rewards=X20[:, :1]), "at least two"),
    (lambda: bd.Table(X20, rewards=X20, actions=["a"]), "actions has 1 names and rewards 2"),
    (lambda: bd.Table(X20, Y20, actions=["a", "b"]), "goes with rewards="),
    (lambda: bd.Table(X20, rewards=np.full((20, 2), "a")), "hold words"),
    (lambda: bd.Table(np.where(X20 > 0, np.inf, 0), Y20), "row 0, column 'x0': found inf"),
    (lambda: bd.Table(X20, [0] * 20), "one class only"),
    (lambda: bd.Table(X20, [None] + [1, 2] * 9 + [1]), "lacks the class of row 0"),
    (lambda: bd.Table(X20, Y20, action_features=np.ones((3, 2))), "2 actions and 3 rows"),
    (lambda: bd.Table(X20, Y20, action_features=np.ones(3)), "action_features has the shape 3"),
    (lambda: bd.Table(X20, Y20, name=""), "name is ''"),
    (lambda: bd.Table(pd.DataFrame(X20, columns=["a", "a"]), Y20), "several columns called 'a'"),
])
def test_what_is_no_table_is_an_error_with_its_shapes(make, expected):
    with pytest.raises(bd.Error, match=expected):
        make()


class Ring:
    """Pays where the action is the sector that the context points at."""

    features, actions, steps = 2, 3, 400
    action_names = ["left", "middle", "right"]

    def context(self, t):
        return [np.cos(t), np.sin(t)]

    def reward(self, t, action):
        return float(action == int(3 * (t % 6.283) / 6.283))


def test_an_environment_in_python_is_learnt_and_pure():
    one = bd.run(Ring(), ["linear", "auto", "uniform"], trials=2, jobs=2, progress=False)
    two = bd.run(Ring(), ["linear", "auto", "uniform"], trials=2, jobs=1, progress=False)
    assert one.trials.equals(two.trials)
    assert (one.trials.steps == 400).all()
    means = one.trials.groupby("agent").reward.mean()
    assert means["auto"] > 2 * means["uniform"]
    assert (one.trials.oracle == 400).all()  # expected rewards are those that it pays


def test_trials_may_have_worlds_of_their_own_with_menus_and_features_of_actions():
    class Menu:
        features, actions, action_features = 1, 2, 1

        def __init__(self, shift=0.0):
            self.shift = shift

        def trial(self, seed, trial):
            return Menu(trial)

        def context(self, t):
            return {"features": [t % 2], "action_features": [[self.shift], [1.0]],
                    "available": [True, t % 3 > 0]}

        def reward(self, t, action):
            return self.shift + action

        def expected_rewards(self, t):
            return [self.shift, self.shift + 1]

    result = bd.run(Menu(), "uniform", trials=3, steps=30, warmup_pulls=0, progress=False)
    chosen = [eval(text) for text in result.trials.chosen]
    assert all(second <= 20 for _, second in chosen)
    assert result.trials.reward.tolist() == [30 * i + c[1] for i, c in enumerate(chosen)]


def broken(**changes):
    class Broken(Ring):
        steps = None

    for name, value in changes.items():
        setattr(Broken, name, value)
    return Broken()


@pytest.mark.parametrize("changes, expected", [
    (dict(context=lambda self, t: [1, 2, 3]), r"context\(0\) has the shape \(3,\): expected \(2,\)"),
    (dict(context=lambda self, t: {"x": 1}), r"context\(0\) has the keys \['x'\]"),
    (dict(context=lambda self, t: {"features": [1, 2], "available": [1]}), r"shape \(1,\)"),
    (dict(context=lambda self, t: ["a", "b"]), "ValueError"),
    (dict(context=lambda self, t: [np.nan, 1]), "nan"),
    (dict(reward=lambda self, t, a: "much"), "is 'much': expected a number"),
    (dict(reward=lambda self, t, a: 1 / 0), "ZeroDivisionError"),
    (dict(expected_rewards=lambda self, t: [1.0]), r"expected_rewards\(0\) has the shape \(1,\)"),
])
def test_an_environment_that_breaks_fails_its_trials_and_says_why(changes, expected):
    with pytest.warns(RuntimeWarning, match=expected):
        result = bd.run(broken(**changes), "linear", **SMALL)
    assert len(result.failures) == 2


@pytest.mark.parametrize("changes, expected", [
    (dict(features=-1), "features is -1"), (dict(actions="two"), "actions is 'two'"),
    (dict(actions=1, action_names=[]), "1 actions"), (dict(action_names=["a"]), "1 action_names and 3 actions")])
def test_an_environment_of_no_shape_is_refused(changes, expected):
    with pytest.raises(bd.Error, match=expected):
        bd.run(broken(**changes), "linear", **SMALL)


def test_one_that_has_a_number_of_steps_is_asked_before_anything_runs():
    with pytest.raises(bd.Error, match=r"environment 'Broken': context\(0\) has the shape"):
        bd.run(broken(steps=100, context=lambda self, t: [1]), "linear", **SMALL)


def test_more_steps_than_it_has_are_refused():
    with pytest.raises(bd.Error, match="400 rows and 500 steps were asked for"):
        bd.run(Ring(), "linear", trials=1, steps=500, progress=False)
