"""Contexts and actions by name."""
import pickle

import numpy as np
import pandas as pd
import pytest

import bandolier as bd

MENU = [{"id": "a", "price": 3.0}, {"id": "b", "price": 4.5}]


def visitor(i):
    return {"user": {"age": 20 + i % 50, "country": "NO" if i % 2 else "IT"}, "mobile": i % 3 == 0}


def test_actions_that_change_are_chosen_by_their_id():
    shop = bd.Agent("auto", seed=1)
    decision = shop.choose(visitor(0), actions=MENU)
    assert decision.action == MENU[decision.index]["id"] and decision.probabilities.shape == (2,)
    assert shop.observe(visitor(0), decision.action, 1.0, actions=MENU, ticket=decision.ticket)
    assert shop.choose(visitor(1), actions=[7, 8]).action in (7, 8)
    assert sorted(shop.top(visitor(1), k=2, actions=MENU)) == ["a", "b"]


def test_it_learns_what_visitors_of_a_country_like():
    shop = bd.Agent("linear", actions=["tea", "coffee"], seed=1)
    for i in range(400):
        decision = shop.choose(visitor(i))
        likes = "coffee" if i % 2 else "tea"
        shop.observe(visitor(i), decision.action, float(decision.action == likes))
    assert shop.choose({"user": {"country": "NO"}}).action == "coffee"
    assert shop.choose({"user": {"country": "IT"}}).action == "tea"
    assert shop.choose({"user": {"country": "IT"}}, actions=["coffee"]).action == "coffee"


def test_many_contexts_by_name_are_lists_or_tables():
    rows = [visitor(i) for i in range(300)]
    likes = [i % 2 for i in range(300)]
    agents = [bd.Agent("linear", actions=["tea", "coffee"], seed=1) for _ in range(2)]
    flat = [{"age": 1.0 * r["user"]["age"], "country": r["user"]["country"]} for r in rows]
    for agent, given in zip(agents, (flat, pd.DataFrame(flat))):
        assert agent.observe(given, likes, np.ones(300)) == 300
    assert np.array_equal(agents[0].probabilities(flat), agents[1].probabilities(pd.DataFrame(flat)))
    assert agents[0].choose(flat, threads=2).shape == (300,)
    assert agents[0].scores(flat[0]).shape == (2,)


def test_missing_values_of_a_table_are_left_out():
    agent = bd.Agent("linear", actions=["tea", "coffee"], seed=1)
    agent.observe([{"age": 30.0}, {"age": 50.0}], [0, 1], [1.0, 0.0])
    table = pd.DataFrame({"age": [30.0, np.nan], "city": [None, "Oslo"]})
    assert np.array_equal(agent.probabilities(table), agent.probabilities([{"age": 30.0}, {"city": "Oslo"}]))


def test_values_of_every_kind():
    agent = bd.Agent("linear", seed=1)
    context = {
        "n": np.float32(1.5), "i": np.int64(3), "t": np.True_, "none": None, "x": np.array([1.0, 2.0]),
        "list": [1, 2], "words": ["a", "b"], "nested": {"deep": {"er": 1}}, "empty": [], "objects": [{"p": 1}, {"q": "z"}],
    }
    assert agent.choose(context, actions=["a", "b"]).action in "ab"


def test_named_features_take_dictionaries_and_arrays():
    agent = bd.Agent("linear", features=["age", "visits"], actions=["tea", "coffee"], seed=1)
    agent.observe(np.array([[30.0, 2.0], [60.0, 1.0]]), ["tea", "coffee"], [1.0, 0.0])
    by_name = agent.probabilities({"visits": 2.0, "age": 30.0})
    assert np.allclose(by_name, agent.probabilities([30.0, 2.0]), atol=1e-6)
    assert np.allclose(by_name, agent.probabilities(pd.DataFrame({"visits": [2.0], "age": [30.0]}))[0], atol=1e-6)


def test_saved_and_pickled_it_goes_on(tmp_path):
    shop = bd.Agent("linear", seed=5)
    for i in range(50):
        decision = shop.choose(visitor(i), actions=MENU)
        shop.observe(visitor(i), decision.action, float(i % 2), actions=MENU)
    shop.save(tmp_path / "shop.bndl")
    others = [bd.load(tmp_path / "shop.bndl"), pickle.loads(pickle.dumps(shop)), shop.copy()]
    expected = [shop.choose(visitor(i), actions=MENU).action for i in range(40)]
    for other in others:
        assert [other.choose(visitor(i), actions=MENU).action for i in range(40)] == expected


RECURSIVE: dict = {}
RECURSIVE["self"] = RECURSIVE


@pytest.mark.parametrize(
    "said, call",
    {
        "actions is missing": lambda a: a.choose({"x": 1}),
        "actions is empty": lambda a: a.choose({"x": 1}, actions=[]),
        r"actions\[0\] has no id": lambda a: a.choose({"x": 1}, actions=[{"price": 1}]),
        "offered twice": lambda a: a.choose({"x": 1}, actions=["a", "a"]),
        "actions is 'ab': expected a list": lambda a: a.choose({"x": 1}, actions="ab"),
        "'x' is": lambda a: a.choose({"x": object()}, actions=["a"]),
        "the name 1 is no text": lambda a: a.choose({1: 2}, actions=["a"]),
        "several kinds": lambda a: a.choose({"x": [1, "a"]}, actions=["a"]),
        "no UTF-8": lambda a: a.choose({"x": "\ud800"}, actions=["a"]),
        "self.self": lambda a: a.choose(RECURSIVE, actions=["a"]),
        "'n'": lambda a: a.choose({"n": float("nan")}, actions=["a"]),
        "takes contexts by name": lambda a: a.choose(np.zeros(1024), actions=["a"]),
        "available is given": lambda a: a.choose({"x": 1}, actions=["a"], available=[1]),
        "'z' was taken, and is none of": lambda a: a.observe({"x": 1}, "z", 1.0, actions=["a"]),
        "reward is None": lambda a: a.observe({"x": 1}, "a", None, actions=["a"]),
        r"context\[1\]: the name": lambda a: a.choose([{"x": 1}, {2: 1}], actions=["a"]),
        "warm_up is for contexts of numbers": lambda a: a.warm_up([{"x": 1}], [0], [1]),
    }.items(),
)
def test_a_wrong_call_is_an_error_that_changes_nothing(said, call):
    agent = bd.Agent("linear", seed=1)
    agent.observe({"x": 1}, "a", 1.0, actions=["a", "b"])
    before = pickle.dumps(agent)
    with pytest.raises(bd.Error, match=said):
        call(agent)
    assert pickle.dumps(agent) == before
