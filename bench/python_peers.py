#!/usr/bin/env python3
"""Microseconds per decision from Python: Bandolier beside other libraries, in one run on one core.

  make bench-python                          installs the peers into build/peers, runs this
  bench/python_peers.py --rows 500 --repeats 1

The rows are covertype's (54 features, 7 actions), the paper's from Bandolier's data folder, or
generated ones of that shape where it has none. Every library sees the same rows in the same order,
and the reward of the action it took: 1 where that is the row's label. One by one: choose, then
observe, with what the library needs for its next decision. Batches: decide 1,000 rows, then learn
them. Each figure is the least of --repeats runs, each with a new agent, over the rows after
--warm-up; the reward is that of the rows timed one by one. Other work on the machine shows in all of them.
"""
import argparse
import csv
import gzip
import importlib.metadata
import os
import pathlib
import random
import sys
import time
import types

for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ[name] = "1"
import numpy as np  # noqa: E402

ACTIONS = 7
BATCH = 1000


def covertype(rows):
    folder = pathlib.Path(os.environ.get("BANDOLIER_DATA", pathlib.Path.home() / ".cache" / "bandolier"))
    found = sorted(folder.glob("paper/*covertype*")) + sorted(folder.glob("*covertype*"))
    if found:
        opened = gzip.open if found[0].suffix == ".gz" else open
        with opened(found[0], "rt") as file:
            table = list(csv.reader(file))
        if not table[0][0].replace(".", "").isdigit():
            del table[0]
        table = np.array(table, dtype=np.float64)
        X, y = table[:, :54], table[:, -1].astype(int)
        spread = X.std(axis=0)
        X = (X - X.mean(axis=0)) / np.where(spread > 0, spread, 1)
        order = np.random.default_rng(0).permutation(len(X))[:rows]
        return X[order].astype(np.float32), y[order] - y.min(), found[0].name
    rng = np.random.default_rng(0)
    X = rng.normal(size=(rows, 54)).astype(np.float32)
    return X, (X @ rng.normal(size=(54, ACTIONS))).argmax(axis=1), "generated rows"


class Bandolier:
    def __init__(self, spec):
        import bandolier

        self.agent = bandolier.Agent(spec, features=54, actions=ACTIONS, seed=1)

    def choose(self, x):
        self.decision = self.agent.choose(x)
        return self.decision.action

    def observe(self, x, a, r):
        self.agent.observe(x, a, r, ticket=self.decision.ticket)

    def choose_many(self, X):
        return self.agent.choose(X)

    def observe_many(self, X, A, R):
        self.agent.observe(X, A, R)


class Mabwiser:
    def __init__(self):
        from mabwiser.mab import MAB, LearningPolicy

        self.mab = MAB(list(range(ACTIONS)), LearningPolicy.LinTS(alpha=1.0), seed=1)
        X = np.random.default_rng(1).normal(size=(ACTIONS, 54))
        self.mab.fit(list(range(ACTIONS)), [0.0] * ACTIONS, X)

    def choose(self, x):
        return self.mab.predict(x[None])

    def observe(self, x, a, r):
        self.mab.partial_fit([a], [r], x[None])

    def choose_many(self, X):
        return np.array(self.mab.predict(X))

    def observe_many(self, X, A, R):
        self.mab.partial_fit(A, R, X)


class BayesianBandits:
    def __init__(self):
        from bayesianbandits import Arm, ContextualAgent, NormalInverseGammaRegressor, ThompsonSampling

        arms = [Arm(a, learner=NormalInverseGammaRegressor()) for a in range(ACTIONS)]
        self.agent = ContextualAgent(arms, ThompsonSampling(), random_seed=1)

    def choose(self, x):
        return self.agent.pull(x[None].astype(np.float64))[0]

    def observe(self, x, a, r):
        self.agent.select_for_update(a).update(x[None].astype(np.float64), np.array([r]))

    def choose_many(self, X):
        return np.array(self.agent.pull(X.astype(np.float64)))

    def observe_many(self, X, A, R):
        for a in range(ACTIONS):
            mine = A == a
            if mine.any():
                self.agent.select_for_update(a).update(X[mine].astype(np.float64), R[mine])


class River:
    """Rows are dictionaries, made beforehand: not timed."""

    def __init__(self):
        from river import bandit

        self.policy = bandit.LinUCBDisjoint(alpha=1.0, seed=1)
        self.arms = list(range(ACTIONS))
        self.made = {}

    def prepare(self, X):
        self.made = {x.tobytes(): {str(i): float(v) for i, v in enumerate(x)} for x in X}

    def choose(self, x):
        self.x = self.made[x.tobytes()]
        return self.policy.pull(self.arms, context=self.x)

    def observe(self, x, a, r):
        self.policy.update(a, self.x, r)


class Obp:
    def __init__(self):
        if "torch" not in sys.modules:  # its linear policies need none of it
            torch, nn, optim, utils = (types.ModuleType(n) for n in ("torch", "torch.nn", "torch.optim", "torch.utils"))
            data = types.ModuleType("torch.utils.data")

            def anything(self, name):
                if name.startswith("__"):
                    raise AttributeError(name)
                return type(name, (), {})

            for module in (torch, nn, optim, utils, data):
                module.__getattr__ = anything.__get__(module)
            functional = types.ModuleType("torch.nn.functional")
            functional.__getattr__ = anything.__get__(functional)
            torch.nn, torch.optim, torch.utils, utils.data, nn.functional = nn, optim, utils, data, functional
            names = {"torch": torch, "torch.nn": nn, "torch.optim": optim, "torch.utils": utils}
            sys.modules.update(names | {"torch.utils.data": data, "torch.nn.functional": functional})
        from obp.policy import LinTS

        self.policy = LinTS(dim=54, n_actions=ACTIONS, batch_size=1, random_state=1)

    def choose(self, x):
        return int(self.policy.select_action(x[None])[0])

    def observe(self, x, a, r):
        self.policy.update_params(action=a, reward=r, context=x[None])


class ContextualBandits:
    def __init__(self):
        from contextualbandits.online import LinTS

        self.policy = LinTS(nchoices=ACTIONS, beta_prior=None, random_state=1)
        X = np.random.default_rng(1).normal(size=(ACTIONS, 54))
        self.policy.fit(X, np.arange(ACTIONS), np.zeros(ACTIONS))

    def choose(self, x):
        return int(self.policy.predict(x[None])[0])

    def observe(self, x, a, r):
        self.policy.partial_fit(x[None], np.array([a]), np.array([r]))

    def choose_many(self, X):
        return self.policy.predict(X)

    def observe_many(self, X, A, R):
        self.policy.partial_fit(X, A, R)


class VowpalWabbit:
    """Its text is made within the time: it is its way in from Python."""

    def __init__(self):
        from vowpalwabbit import Workspace

        self.vw = Workspace(f"--cb_explore {ACTIONS} --bag 5 --quiet --random_seed 1")
        self.random = random.Random(1)

    def choose(self, x):
        self.text = " |x " + " ".join(f"{i}:{v:.6g}" for i, v in enumerate(x.tolist()))
        self.q = self.vw.predict(self.text)
        self.a = self.random.choices(range(ACTIONS), self.q)[0]
        return self.a

    def observe(self, x, a, r):
        self.vw.learn(f"{a + 1}:{-r}:{self.q[a]}{self.text}")


LIBRARIES = {
    "bandolier linear": ("bandolier", lambda: Bandolier("linear")),
    "bandolier auto": ("bandolier", lambda: Bandolier("auto")),
    "MABWiser LinTS": ("mabwiser", Mabwiser),
    "bayesianbandits NIG": ("bayesianbandits", BayesianBandits),
    "river LinUCB": ("river", River),
    "obp LinTS": ("obp", Obp),
    "contextualbandits LinTS": ("contextualbandits", ContextualBandits),
    "Vowpal Wabbit bag": ("vowpalwabbit", VowpalWabbit),
}


def one_by_one(agent, X, y, warm_up):
    if hasattr(agent, "prepare"):
        agent.prepare(X)
    earned = 0.0
    for i, x in enumerate(X):
        if i == warm_up:
            begin, earned = time.perf_counter(), 0.0
        a = agent.choose(x)
        r = 1.0 if a == y[i] else 0.0
        earned += r
        agent.observe(x, a, r)
    timed = len(X) - warm_up
    return (time.perf_counter() - begin) / timed * 1e6, earned / timed


def in_batches(agent, X, y):
    if not hasattr(agent, "choose_many"):
        return None
    spent = 0.0
    batches = range(0, len(X) - BATCH + 1, BATCH)
    for n, first in enumerate(batches):
        begin = time.perf_counter()
        A = agent.choose_many(X[first : first + BATCH])
        R = (A == y[first : first + BATCH]).astype(np.float64)
        agent.observe_many(X[first : first + BATCH], A, R)
        if n > 0:  # the first sets up
            spent += time.perf_counter() - begin
    return spent / ((len(batches) - 1) * BATCH) * 1e6


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, default=1500, help="one by one")
    parser.add_argument("--warm-up", type=int, default=200, help="rows before the clock starts")
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--batches", type=int, default=4, help=f"of {BATCH}; the first is not timed")
    parser.add_argument("--only", nargs="*", default=list(LIBRARIES), choices=list(LIBRARIES))
    args = parser.parse_args()
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    X, y, source = covertype(max(args.rows, args.batches * BATCH))
    print(f"{source}: {X.shape[1]} features, {ACTIONS} actions; Python {sys.version.split()[0]}; one core")
    print(f"{'':36}{'us one by one':>14}{'us in batches':>14}{'reward':>8}")
    for name in args.only:
        package, make = LIBRARIES[name]
        try:
            make()
            version = getattr(sys.modules[package], "__version__", None) or importlib.metadata.version(package)
            label = f"{name} ({version})"
        except Exception as error:  # not installable on this Python, or broken on it
            print(f"{name:36}not measured: {type(error).__name__}: {str(error).splitlines()[0][:70]}")
            continue
        timed = [one_by_one(make(), X[: args.rows], y, args.warm_up) for _ in range(args.repeats)]
        many = [in_batches(make(), X[: args.batches * BATCH], y) for _ in range(args.repeats)]
        batched = "" if None in many else f"{min(many):.1f}"
        print(f"{label:36}{min(t for t, _ in timed):14.1f}{batched:>14}{timed[0][1]:8.3f}", flush=True)


if __name__ == "__main__":
    main()
