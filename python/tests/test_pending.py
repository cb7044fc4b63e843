"""Rewards that come later."""
import pickle

import numpy as np
import pytest

import bandolier as bd

X = np.random.default_rng(1).normal(size=(60, 4)).astype(np.float32)


class Clock:
    def __init__(self):
        self.now = 0.0

    def __call__(self):
        return self.now


def make(**arguments):
    return bd.Pending(bd.Agent("linear", features=4, actions=3, seed=1), **arguments)


def test_late_rewards_teach_what_rewards_at_once_would():
    late, agent = make(), bd.Agent("linear", features=4, actions=3, seed=1)
    x = np.empty(4, np.float32)
    for i in range(60):
        x[:] = X[i]  # the same memory again and again
        decision = late.choose(x, id=i)
        assert decision.action == agent.choose(X[i]).action
    for i in range(60):
        assert late.reward(i, float(i % 2)) is True
    other = make()
    actions = [other.choose(X[i], id=i).action for i in range(60)]
    for i in range(60):
        agent.observe(X[i], actions[i], float(i % 2))
    assert np.array_equal(agent.scores(X), late.agent.scores(X))


def test_an_unknown_id_is_not_learnt_and_a_reward_counts_once():
    late = make()
    late.choose(X[0], id="a")
    assert late.reward("b", 1.0) is False
    assert late.reward("a", 1.0) is True and late.reward("a", 1.0) is False
    assert late.agent.report()["rewards"] == 1


def test_an_id_that_waits_is_an_error_and_nothing_is_decided():
    late = make()
    late.choose(X[0], id="a")
    with pytest.raises(bd.Error, match="id 'a' waits for a reward already"):
        late.choose(X[1], id="a")
    assert late.agent.report()["decisions"] == 1


def test_a_wrong_reward_leaves_the_decision_waiting():
    late = make()
    late.choose(X[0], id="a")
    late.choose(X[1], id="b")
    for wrong in ("x", float("nan")):
        with pytest.raises(bd.Error):
            late.reward("a", wrong)
        with pytest.raises(bd.Error):
            late.expire(seconds=0, reward=wrong)
    assert late.waiting() == ["a", "b"]


def test_decisions_expire_by_the_clock():
    clock = Clock()
    late = make(clock=clock)
    for i in range(10):
        clock.now = i
        late.choose(X[i], id=i)
    clock.now = 10
    assert late.expire(seconds=6, reward=0.0) == 5
    assert late.waiting() == [5, 6, 7, 8, 9] and late.agent.report()["rewards"] == 5
    assert late.expire(seconds=0) == 5
    assert len(late) == 0 and late.agent.report()["rewards"] == 5


def test_more_than_its_capacity_are_forgotten_the_oldest_first():
    late = make(capacity=3)
    for i in range(5):
        late.choose(X[i], id=i)
    assert late.waiting() == [2, 3, 4] and late.forgotten == 2


def test_saved_and_pickled_with_what_waits(tmp_path):
    late = make()
    for i in range(20):
        late.choose(X[i], id=i)
    late.save(tmp_path / "late")
    for other in (bd.Pending.load(tmp_path / "late"), pickle.loads(pickle.dumps(late))):
        assert other.waiting() == list(range(20))
        for i in range(20):
            other.reward(i, 1.0)
        assert other.agent.report()["rewards"] == 20
    (tmp_path / "late").write_bytes(b"no pickle")
    with pytest.raises(bd.Error, match="holds no saved Pending"):
        bd.Pending.load(tmp_path / "late")
    with pytest.raises(bd.Error, match="none"):
        bd.Pending.load(tmp_path / "none")


def test_actions_that_change_are_kept_with_the_decision():
    shop = bd.Pending(bd.Agent("linear", seed=1))
    menu = [{"id": "a", "price": 3.0}, {"id": "b", "price": 4.5}]
    shop.choose({"age": 31}, actions=menu, id=1)
    menu.clear()
    assert shop.reward(1, 1.0) is True
    assert "0 decisions wait" in repr(shop)
