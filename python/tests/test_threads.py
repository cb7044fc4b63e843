"""Many threads, one agent."""
import threading

import numpy as np

import bandolier as bd

X = np.random.default_rng(1).normal(size=(3000, 20)).astype(np.float32)


def test_many_threads_choose_while_another_observes():
    agent = bd.Agent("linear", features=20, actions=4, seed=1)
    done, wrong, decided = threading.Event(), [], [0, 0, 0]

    def choose(me):
        while not done.is_set():
            decision = agent.choose(X[decided[me] % 3000])
            if abs(decision.probabilities.sum() - 1) > 1e-6:
                wrong.append(decision)
            if not np.isin(agent.choose(X[:300]), range(4)).all():
                wrong.append("batch")
            decided[me] += 1

    threads = [threading.Thread(target=choose, args=(i,)) for i in range(3)]
    for thread in threads:
        thread.start()
    for i in range(1500):
        agent.observe(X[i], i % 4, float(X[i, i % 4]))
    while min(decided) < 5:
        pass
    done.set()
    for thread in threads:
        thread.join()
    assert not wrong and agent.report()["steps"] == 1500
    alone = bd.Agent("linear", features=20, actions=4, seed=1)
    for i in range(1500):
        alone.observe(X[i], i % 4, float(X[i, i % 4]))
    assert np.array_equal(agent.scores(X), alone.scores(X))


def test_other_threads_run_while_one_decides():
    agent = bd.Agent("auto", features=20, actions=4, seed=1)
    agent.observe(X[:400], np.arange(400) % 4, X[:400, 0])
    done, ticks = threading.Event(), [0]

    def tick():
        while not done.wait(0.001):
            ticks[0] += 1

    thread = threading.Thread(target=tick)
    thread.start()
    while ticks[0] == 0:
        pass
    before = ticks[0]
    agent.choose(np.tile(X, (4, 1)), probabilities=True)
    done.set()
    thread.join()
    assert ticks[0] > before + 3
