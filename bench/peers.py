#!/usr/bin/env python3
"""Bandolier beside Vowpal Wabbit and bayesianbandits: the same rows, one protocol, one run.

  make bench-peers                          installs the peers into build/peers and runs this
  bench/peers.py [TABLE.csv[.gz] ...]       tables with a column `label`; without any: the paper's rows
                                            in $BANDOLIER_DATA, or a generated table where they are absent

A row is a context, its label the action that earns 1. Every action is pulled twice in turn, then the agent
decides; it learns from the reward of the pulled action and nothing else, and warm-up rewards count. Each agent
runs in a process of its own on one core. Reward is the mean of the trials' totals, us/event the trial's wall time
over its rows (reading the table excluded), memory the process's peak, interpreter and table included.
"""
import argparse
import gzip
import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROGRAM = ROOT / "build/release/bin/bandolier"
PULLS = 2
OURS = ["linear", "auto", "subspace-ekf"]
VW = {"vw epsilon": "--epsilon 0.05", "vw bag": "--bag 5", "vw cover": "--cover 3"}
PEERS = [*VW, "bayesianbandits"]
ONE_CORE = {name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")}


class VowpalWabbit:
    """Its contextual bandit, an exploration setting of VW."""

    def __init__(self, features, actions, seed, setting):
        import vowpalwabbit

        self.workspace = vowpalwabbit.Workspace(
            f"--cb_explore {actions} {VW[setting]} --random_seed {seed + 1} --quiet")
        self.random = random.Random(seed)
        self.actions = range(actions)

    def text(self, x):
        return "| " + " ".join(f"{i}:{v:.6g}" for i, v in enumerate(x) if v != 0)

    def choose(self, x):
        self.probabilities = self.workspace.predict(self.text(x))
        return self.random.choices(self.actions, self.probabilities)[0]

    def learn(self, x, action, reward, decided):
        probability = self.probabilities[action] if decided else 1 / len(self.actions)
        self.workspace.learn(f"{action + 1}:{-reward}:{probability:.6f} {self.text(x)}")


class BayesianBandits:
    """Thompson sampling with a normal-inverse-gamma regression per action, its prior that of `linear`."""

    def __init__(self, features, actions, seed, _setting):
        import bayesianbandits as bb

        arms = [bb.Arm(a, learner=bb.NormalInverseGammaRegressor(lam=0.25, a=6, b=6)) for a in range(actions)]
        self.agent = bb.ContextualAgent(arms, bb.ThompsonSampling(), random_seed=seed)

    def row(self, x):
        import numpy as np

        return np.append(x, 1.0).reshape(1, -1)

    def choose(self, x):
        return self.agent.pull(self.row(x))[0]

    def learn(self, x, action, reward, decided):
        import numpy as np

        if not decided:
            self.agent.select_for_update(action)
        self.agent.update(self.row(x), np.array([float(reward)]))


def read(path):
    import numpy as np

    opened = gzip.open if path.endswith(".gz") else open
    with opened(path, "rt") as lines:
        names = lines.readline().strip().split(",")
        table = np.loadtxt(lines, delimiter=",")
    label = names.index("label")
    return np.delete(table, label, axis=1), table[:, label].astype(int)


def play(peer, path, seed):
    """One trial of one peer, in this process."""
    import numpy as np

    x, label = read(path)
    order = np.random.default_rng(seed).permutation(len(x))
    actions = int(label.max()) + 1
    start = time.perf_counter()
    agent = (VowpalWabbit if peer in VW else BayesianBandits)(x.shape[1], actions, seed, peer)
    total = 0
    for t, row in enumerate(order):
        decided = t >= PULLS * actions
        action = agent.choose(x[row]) if decided else t % actions
        reward = int(action == label[row])
        agent.learn(x[row], action, reward, decided)
        total += reward
    seconds = time.perf_counter() - start
    print(json.dumps({"reward": total, "us": seconds / len(x) * 1e6}))


def measured(command):
    """Output of a command, and its peak memory in MB."""
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ, **ONE_CORE})
    out = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"peers: {' '.join(map(str, command))} failed")
    return json.loads(out), usage.ru_maxrss / 1024


def mean(values):
    values = list(values)
    return sum(values) / len(values)


def run(agent, path, trials):
    if agent in OURS:
        (result,), memory = measured(
            [PROGRAM, "run", "--env", f"csv:{path},label=label,standardise=none", "--agent", agent, "--trials",
             str(trials), "--jobs", "1", "--warmup-pulls", str(PULLS), "--format", "json", "--quiet"])
        return result["reward_mean"], result["seconds_mean"] / result["steps"] * 1e6, memory
    runs = [measured([sys.executable, __file__, "--play", agent, "--seed", str(seed), path]) for seed in range(trials)]
    return (mean(out["reward"] for out, _ in runs), mean(out["us"] for out, _ in runs),
            max(memory for _, memory in runs))


def generated(folder):
    """2,000 rows whose best of 4 actions is that of the largest |x_a|: no linear model finds it."""
    source = random.Random(1)
    path = pathlib.Path(folder) / "generated.csv"
    with path.open("w") as out:
        out.write(",".join(f"x{i}" for i in range(8)) + ",label\n")
        for _ in range(2000):
            x = [source.gauss(0, 1) for _ in range(8)]
            label = max(range(4), key=lambda a: abs(x[a]))
            out.write(",".join(f"{v:.6f}" for v in x) + f",{label}\n")
    return [str(path)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tables", nargs="*", metavar="TABLE")
    parser.add_argument("--trials", type=int, default=2)
    parser.add_argument("--agents", nargs="+", default=OURS + PEERS, choices=OURS + PEERS, metavar="AGENT")
    parser.add_argument("--out", type=pathlib.Path, default=ROOT / "build/bench/peers.json")
    parser.add_argument("--play", choices=PEERS, help=argparse.SUPPRESS)
    parser.add_argument("--seed", type=int, default=0, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.play:
        play(options.play, options.tables[0], options.seed)
        return

    results = []
    with tempfile.TemporaryDirectory() as folder:
        data = pathlib.Path(os.environ.get("BANDOLIER_DATA", ROOT.parent / "shared/data")) / "paper"
        tables = options.tables or sorted(map(str, data.glob("*.csv.gz"))) or generated(folder)
        print(f"{'table':<14}{'agent':<18}{'reward':>9}{'us/event':>11}{'memory MB':>11}")
        for table in tables:
            name = pathlib.Path(table).name.split(".")[0]
            for agent in options.agents:
                reward, us, memory = run(agent, table, options.trials)
                results.append({"table": name, "agent": agent, "trials": options.trials, "reward": reward,
                                "us_per_event": us, "memory_mb": memory})
                print(f"{name:<14}{agent:<18}{reward:>9.0f}{us:>11.1f}{memory:>11.0f}", flush=True)
    options.out.parent.mkdir(parents=True, exist_ok=True)
    options.out.write_text(json.dumps(results, indent=1))
    print(f"kept in {options.out}", file=sys.stderr)


if __name__ == "__main__":
    main()
