"""Decisions and rewards: what goes in, what comes out."""
import copy
import pickle

import numpy as np
import pandas as pd
import pytest
import scipy.sparse

import bandolier as bd

X = np.random.default_rng(1).normal(size=(700, 5)).astype(np.float32)


def make(spec="linear", **arguments):
    return bd.Agent(spec, features=5, actions=3, **{"seed": 1, **arguments})


def trained(spec="linear", n=100, **arguments):
    agent = make(spec, **arguments)
    agent.observe(X[:n], np.arange(n) % 3, X[:n, 0])
    return agent


def test_a_decision_has_action_propensity_probabilities_and_scores():
    decision = trained().choose(X[0])
    assert isinstance(decision.action, int) and 0 <= decision.action < 3
    assert decision.index == decision.action
    assert decision.probabilities.shape == (3,) and decision.probabilities.dtype == np.float64
    assert decision.probabilities.sum() == pytest.approx(1)
    assert decision.propensity == decision.probabilities[decision.action]
    assert decision.scores.shape == (3,) and decision.scores.dtype == np.float32
    assert "propensity=" in repr(decision)


def test_arrays_of_a_decision_outlive_it_and_cannot_be_written():
    probabilities = trained().choose(X[0]).probabilities
    assert probabilities.sum() == pytest.approx(1)
    with pytest.raises(ValueError):
        probabilities[0] = 1


def test_without_probabilities_it_is_plain_thompson_sampling():
    decision = trained().choose(X[0], probabilities=False)
    assert decision.probabilities is None and decision.propensity is None


def test_frequencies_of_actions_are_their_probabilities():
    agent = trained(n=6)
    answer = agent.choose(np.repeat(X[:1], 20_000, axis=0), probabilities=True)
    shares = np.bincount(answer.actions, minlength=3) / 20_000
    assert np.allclose(shares, answer.probabilities.mean(axis=0), atol=4 * 0.5 / np.sqrt(20_000))
    assert np.array_equal(
        answer.propensities, answer.probabilities[np.arange(20_000), answer.actions]
    )


@pytest.mark.parametrize(
    "form",
    [
        lambda x: x.astype(np.float64),
        lambda x: np.asfortranarray(x),
        lambda x: np.repeat(x, 2, axis=1)[:, ::2],
        lambda x: x.astype(">f4"),
        lambda x: x.tolist(),
        lambda x: pd.DataFrame(x),
        lambda x: pd.DataFrame(x.astype(np.float64)).convert_dtypes(),
        lambda x: scipy.sparse.csr_matrix(x),
        lambda x: scipy.sparse.coo_array(x.astype(np.float64)),
    ],
)
def test_every_form_of_the_same_numbers_gives_the_same_decisions(form):
    # `auto` and dense forms to the bit; sparse rows up to the order of sums.
    one, other = trained(n=300), trained(n=300)
    assert np.array_equal(one.choose(X), other.choose(form(X)))
    assert one.observe(X, np.zeros(len(X), int), X[:, 0]) == len(X)
    assert other.observe(form(X), [0] * len(X), X[:, 0].tolist()) == len(X)
    assert np.allclose(one.scores(X), other.scores(form(X)), atol=1e-4)


def test_one_context_may_be_of_any_form():
    expected = trained().probabilities(X[0])
    for form in (X[0].tolist(), X[0].astype(float), tuple(X[0]), pd.Series(X[0]), X.T[:, 0]):
        assert np.allclose(trained().probabilities(form), expected, atol=1e-6)
    assert trained().probabilities(X[:1]).shape == (1, 3)


def test_integers_and_truth_are_numbers():
    whole = (X > 0)[:50]
    answers = [trained().choose(whole.astype(t)) for t in (bool, np.int8, np.uint16, np.int64, np.float16)]
    assert all(np.array_equal(answers[0], other) for other in answers)


def test_the_same_seed_repeats_and_another_differs():
    assert np.array_equal(trained().choose(X), trained().choose(X))
    assert not np.array_equal(trained(n=6).choose(X), trained(n=6, seed=2).choose(X))


def test_threads_do_not_change_decisions():
    answers = [trained().choose(X, threads=n) for n in (1, 2, 5)]
    assert all(np.array_equal(answers[0], other) for other in answers)


def test_a_stream_of_ones_own_leaves_the_agents_alone():
    agent, other = trained(), trained()
    first = agent.choose(X, random=bd.Random(9))
    assert np.array_equal(first, agent.choose(X, random=bd.Random(9)))
    assert np.array_equal(agent.choose(X), other.choose(X))


def test_probabilities_are_those_of_the_next_choose():
    agent = trained(n=6)
    asked = agent.probabilities(X)
    assert np.array_equal(asked, agent.choose(X, probabilities=True).probabilities)


def test_actions_that_are_not_available_are_never_taken():
    agent = trained(n=6)
    mask = np.array([True, False, True])
    assert set(agent.choose(X, available=mask)) == {0, 2}
    assert agent.choose(X[0], available=[0, 1, 0]).action == 1
    assert agent.probabilities(X[0], available=mask)[1] == 0
    rows = np.random.default_rng(2).random((len(X), 3)) < 0.5
    rows[~rows.any(axis=1), 0] = True
    assert rows[np.arange(len(X)), agent.choose(X, available=rows)].all()


def test_scores_and_top():
    agent = trained(n=300)
    mean, deviation = agent.scores(X), agent.scores(X, kind="deviation")
    assert mean.shape == deviation.shape == (700, 3) and (deviation > 0).all()
    samples = np.stack([agent.scores(X[0], kind="sample") for _ in range(2000)])
    assert np.allclose(samples.std(axis=0), deviation[0], rtol=0.5)
    best = agent.top(X, k=2)
    assert best.shape == (700, 2) and (best[:, 0] != best[:, 1]).all()
    assert sorted(agent.top(X[0], k=3)) == [0, 1, 2]
    with pytest.raises(bd.Error, match="best 3 actions were asked for, and 2 are available"):
        agent.top(X[0], k=3, available=[1, 0, 1])


def test_features_of_actions():
    agent = bd.Agent("auto", features=5, actions=3, action_features=2, seed=1)
    F = np.eye(3, 2)
    assert agent.choose(X[0], action_features=F).action in (0, 1, 2)
    per_row = np.repeat(F[None], len(X), axis=0)
    other = agent.copy()
    assert np.array_equal(
        agent.choose(X, action_features=F), other.choose(X, action_features=per_row.astype(np.float32))
    )
    assert agent.observe(X, np.arange(700) % 3, X[:, 1], action_features=per_row) == 700


def test_actions_that_change():
    agent = bd.Agent("auto", features=5, actions=10, action_features=2, fixed_actions=False, seed=1)
    F = np.random.default_rng(3).normal(size=(4, 2))
    decision = agent.choose(X[0], action_features=F, action_ids=[10, 20, 30, 40])
    assert decision.probabilities.shape == (4,)
    assert agent.observe(X[0], decision.action, 1.0, action_features=F, action_ids=[10, 20, 30, 40])


def test_images_may_have_their_shape():
    pictures = np.random.default_rng(4).random((6, 4, 4), dtype=np.float32)
    agent = bd.Agent("linear", image=(4, 4), actions=2, seed=1)
    flat = agent.copy()
    turned = pictures[:, ::-1]
    for given, row in ((pictures, pictures), (turned, turned), (pictures[..., None], pictures)):
        assert np.array_equal(agent.probabilities(given), flat.probabilities(row.reshape(6, 16)))
    assert agent.probabilities(pictures[0]).shape == (2,)
    with pytest.raises(bd.Error, match=r"shape \(6, 3, 4\)"):
        agent.choose(pictures[:, :3])


def test_names_of_actions():
    agent = bd.Agent("linear", features=5, actions=["tea", "coffee"], seed=1)
    decision = agent.choose(X[0])
    assert decision.action == agent.actions[decision.index]
    assert agent.observe(X[0], "coffee", 1.0) is True
    assert agent.observe(X[:2], ["tea", "coffee"], [0.0, 1.0]) == 2
    assert agent.observe(X[:2], np.array(["tea", "coffee"]), [0.0, 1.0]) == 2
    assert agent.observe(X[:2], [0, 1], [0.0, 1.0]) == 2
    with pytest.raises(bd.Error, match="action is 'juice'"):
        agent.observe(X[0], "juice", 1.0)


def test_a_ticket_changes_nothing_but_the_work():
    def play(use_ticket):
        agent, actions = make("auto"), []
        for x in X[:80]:
            decision = agent.choose(x)
            actions.append(decision.action)
            agent.observe(x, decision.action, x[decision.action], ticket=decision.ticket if use_ticket else None)
        return actions

    assert play(True) == play(False)


def test_warm_up_is_learnt_and_comes_first():
    agent = make()
    agent.warm_up(X[:30], np.arange(30) % 3, X[:30, 0])
    assert agent.report()["steps"] == 30
    with pytest.raises(bd.Error, match="warm_up comes before every other call"):
        agent.warm_up(X[:30], np.arange(30) % 3, X[:30, 0])


@pytest.mark.parametrize("spec", ["linear", "auto", "subspace-ekf:dim=20"])
def test_saved_pickled_and_copied_agents_go_on_alike(spec, tmp_path):
    agent = trained(spec)
    agent.choose(X[:5])
    agent.save(tmp_path / "m.bndl")
    agents = [bd.load(tmp_path / "m.bndl"), pickle.loads(pickle.dumps(agent)), agent.copy(), copy.deepcopy(agent)]
    for other in agents:
        assert other.seed == 1 and other.report() == agent.report()
    expected = agent.choose(X), agent.probabilities(X)
    for other in agents:
        assert np.array_equal(other.choose(X), expected[0])
        assert np.array_equal(other.probabilities(X), expected[1])


def test_a_copy_learns_by_itself():
    agent = trained()
    before = agent.scores(X)
    other = agent.copy()
    other.observe(X, np.zeros(len(X), int), np.ones(len(X)))
    assert np.array_equal(agent.scores(X), before)
    assert not np.array_equal(other.scores(X), before)


def test_decisions_can_be_pickled():
    decision = trained().choose(X[0])
    other = pickle.loads(pickle.dumps(decision))
    assert other.action == decision.action and np.array_equal(other.probabilities, decision.probabilities)
    assert other.ticket is None


def test_report_and_repr_say_something():
    agent = trained()
    report = agent.report()
    assert report["agent"] == "linear" and report["rewards"] == 100 and report["belief_bytes"] > 0
    assert report["options"].keys() == bd.options("linear").keys()
    assert repr(agent) == "<bandolier.Agent linear: 5 features, 3 actions, 0 decisions, 100 rewards>"
    assert (agent.name, agent.features, agent.actions, agent.seed) == ("linear", 5, 3, 1)


def test_options_are_keywords_or_text():
    for agent in (make("linear:lambda=0.5"), make(lambda_=0.5), make(**{"lambda": 0.5}), make(lambda_="0.5")):
        assert agent.report()["options"]["lambda"] == "0.5"
    assert make(soft_clip=True).report()["options"]["soft_clip"] == "true"


def test_an_agent_learns():
    def reward(x, action):
        return float(np.argmax(x[:3]) == action)

    agent = make("linear", seed=3)
    earned = []
    for x in np.random.default_rng(5).normal(size=(1500, 5)):
        decision = agent.choose(x)
        earned.append(reward(x, decision.action))
        agent.observe(x, decision.action, earned[-1], ticket=decision.ticket)
    assert np.mean(earned[:30]) < 0.65 < 0.75 < np.mean(earned[-500:])
