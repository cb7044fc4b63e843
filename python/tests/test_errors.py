"""What is wrong is a bandolier.Error that names the argument, and changes nothing."""
import pickle

import numpy as np
import pandas as pd
import pytest

import bandolier as bd

X = np.random.default_rng(1).normal(size=(50, 5)).astype(np.float32)
A = np.arange(50) % 3
R = np.ones(50)
NAN = X.astype(np.float64).copy()
NAN[3, 2] = np.nan


def make():
    return bd.Agent("linear", features=5, actions=3, seed=1)


CALLS = {
    # contexts
    r"feature 2 is nan": lambda a: a.choose(NAN),
    r"feature 0 is inf": lambda a: a.choose(np.full(5, 1e300)),
    r"context has the type object": lambda a: a.choose(X.astype(object)),
    r"context has the type <U1": lambda a: a.choose(list("abcde")),
    r"context has the type complex128": lambda a: a.choose(X.astype(complex)),
    r"context holds what is no number": lambda a: a.choose([[1, 2], [3]]),
    r"context holds what is no number \(": lambda a: a.choose(pd.DataFrame({"a": ["x", "y"]})),
    r"context has the shape \(6,\): expected \(5,\), or \(n, 5\)": lambda a: a.choose(np.zeros(6)),
    r"context has the shape \(50, 4\): expected": lambda a: a.choose(X[:, :4]),
    r"context has the shape \(1, 50, 5\): expected": lambda a: a.choose(X[None]),
    r"context has the shape \(\): expected": lambda a: a.choose(1.0),
    r"context has the type object: expected numbers": lambda a: a.choose(None),
    r"context is a dictionary: this agent takes arrays of 5": lambda a: a.choose({"age": 3}),
    # masks
    r"none of the context's 3 actions is available": lambda a: a.choose(X[0], available=[0, 0, 0]),
    r"available has the shape \(2,\): expected \(3,\)": lambda a: a.choose(X[0], available=[1, 1]),
    r"available has the shape \(49, 3\): expected \(3,\), or \(50, 3\)": lambda a: a.choose(
        X, available=np.ones((49, 3), bool)
    ),
    r"available has numbers with fractions": lambda a: a.choose(X[0], available=[0.5, 1, 1]),
    # features and ids of actions
    r"action_features is given: this agent's actions have none": lambda a: a.choose(
        X, action_features=np.ones((3, 2))
    ),
    r"action_ids has the shape \(2,\)": lambda a: a.choose(X[0], action_ids=[1, 2]),
    r"actions is given: for contexts of numbers": lambda a: a.choose(X[0], actions=["a"]),
    # others of choose
    r"threads is 0: expected 1 to 1024": lambda a: a.choose(X, threads=0),
    r"random is 7: expected a bandolier.Random": lambda a: a.choose(X, random=7),
    r"kind=median: expected mean\|sample\|deviation": lambda a: a.scores(X, kind="median"),
    r"k is 4: expected 1 to 3": lambda a: a.top(X, k=4),
    # rewards
    r"action is 3: expected a whole number from 0 to 2": lambda a: a.observe(X[0], 3, 1.0),
    r"action is -1: expected": lambda a: a.observe(X[0], -1, 1.0),
    r"action is 1.5: expected": lambda a: a.observe(X[0], 1.5, 1.0),
    r"action is 'tea': expected": lambda a: a.observe(X[0], "tea", 1.0),
    r"action is 1000000000000000000000000000000: expected": lambda a: a.observe(X[0], 10**30, 1.0),
    r"row 7 of 50: action 9 was taken: expected 0 to 2": lambda a: a.observe(
        X, np.where(np.arange(50) == 7, 9, A), R
    ),
    r"actions has fractions": lambda a: a.observe(X, A + 0.5, R),
    r"actions has the shape \(49,\): expected \(50,\)": lambda a: a.observe(X, A[1:], R),
    r"rewards have the shape \(50, 1\): expected \(50,\)": lambda a: a.observe(X, A, R[:, None]),
    r"reward is 'a': expected a number": lambda a: a.observe(X[0], 0, "a"),
    r"the reward of action 0 is nan": lambda a: a.observe(X[0], 0, np.nan),
    r"row 49 of 50: the reward of action 1 is inf": lambda a: a.observe(
        X, A, np.where(np.arange(50) == 49, np.inf, R)
    ),
    r"action 0 was taken, and the context says": lambda a: a.observe(
        X[0], 0, 1.0, available=[0, 1, 1]
    ),
    r"ticket is 'x': expected that of a decision": lambda a: a.observe(X[0], 0, 1.0, ticket="x"),
    r"was given by another agent": lambda a: a.observe(
        X[0], 0, 1.0, ticket=make().choose(X[0]).ticket
    ),
    r"ticket is given with many contexts": lambda a: a.observe(
        X, A, R, ticket=a.copy().choose(X[0]).ticket
    ),
}


@pytest.mark.parametrize("said", CALLS)
def test_a_wrong_call_is_an_error_that_changes_nothing(said):
    agent, spared = make(), make()
    agent.observe(X, A, R)
    spared.observe(X, A, R)
    with pytest.raises(bd.Error, match=said) as caught:
        CALLS[said](agent)
    assert isinstance(caught.value, ValueError)
    assert agent.report() == spared.report()
    assert pickle.dumps(agent) == pickle.dumps(spared)


@pytest.mark.parametrize(
    "said, arguments",
    {
        "no agent is called 'atuo', did you mean 'auto'": dict(agent="atuo", features=5, actions=3),
        "agent 'linear' has no option 'lamda', did you mean 'lambda'": dict(
            agent="linear", features=5, actions=3, lamda=1
        ),
        "agent 'linear': lambda=-1: expected": dict(agent="linear", features=5, actions=3, lambda_=-1),
        "gives lambda twice": dict(agent="linear:lambda=1", features=5, actions=3, lambda_=2),
        "option lambda is None: expected": dict(agent="linear", features=5, actions=3, lambda_=None),
        "the problem has 0 features": dict(features=0, actions=3),
        "the problem has 1 actions": dict(features=5, actions=1),
        "features is 'five': expected a whole number": dict(features="five", actions=3),
        "features is 5.5: expected a whole number": dict(features=5.5, actions=3),
        "actions is missing": dict(features=5),
        "features is missing: with actions=3": dict(actions=3),
        "action 'a' is named twice": dict(features=5, actions=["a", "a"]),
        r"actions\[1\] is 2: expected a name": dict(features=5, actions=["a", 2]),
        "seed is -1: expected a whole number from 0": dict(features=5, actions=3, seed=-1),
        r"image is \(4,\): expected \(height, width\)": dict(image=(4,), actions=3),
        "the image is 4 x 4 x 1: expected 5 values": dict(image=(4, 4), features=5, actions=3),
        "slots, action_slots and most_actions are for contexts by name": dict(
            features=5, actions=3, slots=64
        ),
        "fixed_actions is False": dict(features=5, actions=["a", "b"], fixed_actions=False),
    }.items(),
)
def test_a_wrong_agent_is_an_error(said, arguments):
    with pytest.raises(bd.Error, match=said):
        bd.Agent(**{"agent": "linear", **arguments})


def test_sizes_beyond_all_bounds_are_errors():
    with pytest.raises(bd.Error, match="features: expected 1 to 2147483647"):
        bd.Agent("linear", features=2**40, actions=3)
    with pytest.raises(bd.Error, match="features is 1267650600228229401496703205376"):
        bd.Agent("linear", features=2**100, actions=3)
    with pytest.raises(bd.Error, match="GB"):  # a covariance of 4 TB
        bd.Agent("linear", features=1_000_000, actions=3).scores(np.zeros(1_000_000))


def test_files_that_are_cut_missing_or_no_model_are_errors_with_their_name(tmp_path):
    path = tmp_path / "m.bndl"
    make().save(path)
    whole = path.read_bytes()
    for length in (0, 7, 40, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:length])
        with pytest.raises(bd.Error, match="m.bndl"):
            bd.load(path)
    flipped = bytearray(whole)
    flipped[len(whole) // 2] ^= 1
    path.write_bytes(flipped)
    with pytest.raises(bd.Error, match="m.bndl"):
        bd.load(path)
    with pytest.raises(bd.Error, match="none.bndl"):
        bd.load(tmp_path / "none.bndl")
    with pytest.raises(bd.Error, match="nowhere"):
        make().save(tmp_path / "nowhere" / "m.bndl")


def test_a_pickle_that_was_changed_is_an_error():
    agent = make()
    with pytest.raises(bd.Error, match="the pickled agent"):
        bd.Agent.__new__(bd.Agent).__setstate__(agent.__getstate__()[:-1])


def test_a_warm_up_that_fails_can_be_repeated():
    agent = make()
    with pytest.raises(bd.Error, match="is nan"):
        agent.warm_up(NAN, A, R)
    agent.warm_up(X, A, R)
    assert agent.report()["steps"] == 50
