#!/usr/bin/env python3
"""Bandolier beside Vowpal Wabbit and bayesianbandits: the same rows, one protocol, one run.

  make bench-peers                                    installs the peers into build/peers, runs this
  bench/peers.py --env covertype --trials 2 --steps 500 --explorers squarecb bag   a quick look
  bench/peers.py --env items words --agents auto --explorers squarecb adf-bag     generated problems
  bench/peers.py TABLE.csv[.gz] ...                   your own tables, with a column `label`

Without tables: the paper's rows in Bandolier's data folder, or a generated table where they are
absent. A row is a context, its label the action that earns 1. Every action is pulled twice in turn,
then the agent decides; it learns from the reward of the pulled action and nothing else, and warm-up
rewards count. Every trial has its own shuffle. In a generated problem (--env items, words, options
behind a colon) trial i is Bandolier's own trial i of seed 0, contexts and rewards alike, which
export_problem prints; what actions are is in their features and ids. Each agent runs in a process
of its own on one core. Reward is the mean of the trials' totals with its 95 % interval, us/event a
trial's wall time over its rows (reading and formatting them excluded), memory the process's peak,
interpreter and rows included.

Vowpal Wabbit gets one row per explorer. Every explorer is run with every one of --rates, --features
and --costs, and its row shows the best of them, chosen after the fact by the very rewards shown.
"""
import argparse
import concurrent.futures
import gzip
import itertools
import json
import os
import pathlib
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
PULLS = 2
OURS = ["linear", "auto", "subspace-ekf"]
AGENTS = [*OURS, "bayesianbandits"]
TABLES = ["shuttle", "covertype", "adult"]
GENERATED = ["items", "words"]
# {actions} is their number. cb_explore has one regression per action; in cb_explore_adf actions
# have features, here one that names the action. Settings are defaults but for cover-nu and greedy,
# which "A Contextual Bandit Bake-off" (Bietti et al. 2021) recommends.
EXPLORERS = {
    "epsilon": "--cb_explore {actions} --epsilon 0.05",
    "bag": "--cb_explore {actions} --bag 5",
    "cover": "--cb_explore {actions} --cover 3",
    "first": "--cb_explore {actions} --first 100",
    "adf-epsilon": "--cb_explore_adf --epsilon 0.05",
    "adf-greedy": "--cb_explore_adf --epsilon 0",
    "adf-first": "--cb_explore_adf --first 100",
    "adf-bag": "--cb_explore_adf --bag 5",
    "adf-bag-greedify": "--cb_explore_adf --bag 5 --greedify",
    "adf-cover": "--cb_explore_adf --cover 3",
    "adf-cover-nu": "--cb_explore_adf --cover 4 --psi 0.1 --nounif",
    "squarecb": "--cb_explore_adf --squarecb",
    "squarecb-elim": "--cb_explore_adf --squarecb --elim",
    "regcb": "--cb_explore_adf --regcb",
    "regcb-optimistic": "--cb_explore_adf --regcbopt",
}
# x: the context, a: the action, i: its id where actions change. Squares and products of features
# are its way to leave the linear.
FEATURES = {
    "linear": {"cb_explore": "", "cb_explore_adf": "-q xa"},
    "quadratic": {"cb_explore": "-q xx", "cb_explore_adf": "-q xa --interactions xxa"},
}
# Generated problems: items by users and items, or all pairs of everything; words by topic, without
# collisions of the 1,000,000 weights.
OWN_FEATURES = {
    "items": {"linear": "-q xa", "quadratic": "-q ::"},
    "words": {"linear": "-q xa -b 24", "quadratic": "-q xa --interactions xxa -b 24"},
}
# Its cost is this less the reward. An untrained model predicts 0: the best, or the worst.
COSTS = {"loss": 1, "gain": 0}
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
ONE_CORE = {name: "1" for name in THREADS}


class VowpalWabbit:
    """One of its contextual bandits; `setting` is its command line, and which costs it gets."""

    def __init__(self, actions, seed, setting):
        import vowpalwabbit

        setting, costs = setting.format(actions=actions).split(" costs=")
        self.best_cost = COSTS[costs]

        self.workspace = vowpalwabbit.Workspace(f"{setting} --random_seed {seed + 1} --quiet")
        self.random = random.Random(seed)
        self.actions = range(actions)
        self.adf = "--cb_explore_adf" in setting

    def example(self, row, action=None, label=""):
        if not self.adf:
            return f"{label}{row.context}"
        lines = [f"shared {row.context}", *row.actions]
        if action is not None:
            lines[action + 1] = label + lines[action + 1]
        return lines

    def choose(self, row):
        weights = self.workspace.predict(self.example(row))
        self.probabilities = [weight / sum(weights) for weight in weights]  # ties add up to 2
        return self.random.choices(self.actions, self.probabilities)[0]

    def learn(self, row, action, reward, decided):
        probability = self.probabilities[action] if decided else 1 / len(self.actions)
        number = 0 if self.adf else action + 1
        label = f"{number}:{self.best_cost - reward:.6g}:{probability:.6f} "
        self.workspace.learn(self.example(row, action, label))

    def close(self):
        self.workspace.finish()


class BayesianBandits:
    """Thompson sampling, one normal-inverse-gamma regression per action, the prior of `linear`."""

    def __init__(self, actions, seed, _setting):
        import bayesianbandits as bb

        arms = [
            bb.Arm(a, learner=bb.NormalInverseGammaRegressor(lam=0.25, a=6, b=6))
            for a in range(actions)
        ]
        self.agent = bb.ContextualAgent(arms, bb.ThompsonSampling(), random_seed=seed)

    def choose(self, row):
        return self.agent.pull(row.x)[0]

    def learn(self, row, action, reward, decided):
        import numpy as np

        if not decided:
            self.agent.select_for_update(action)
        self.agent.update(row.x, np.array([float(reward)]))

    def close(self):
        pass


class Row:
    """A context and the rewards of its actions; `context` and `actions` are VW's lines."""

    def __init__(self, x, rewards, indices=None, ids=None, actions=None, **_):
        self.x, self.rewards = x, rewards
        self.context = "|x " + pairs(range(len(x)) if indices is None else indices, x)
        names = [f"|a {a}" for a in range(len(rewards))]
        if actions:
            names = ["|a " + pairs(range(len(features)), features) for features in actions]
        self.actions = [f"{name} |i {i}" for name, i in zip(names, ids)] if ids else names


def pairs(indices, values):
    return " ".join(f"{i}:{v:.6g}" for i, v in zip(indices, values) if v != 0)


def read_table(path):
    """Rows of a table."""
    import numpy as np

    opened = gzip.open if path.endswith(".gz") else open
    with opened(path, "rt") as lines:
        names = lines.readline().strip().split(",")
        if "label" not in names:
            sys.exit(f"peers: {path}: columns {', '.join(names[:5])}, …: none is called 'label'")
        table = np.loadtxt(lines, delimiter=",")
    label = names.index("label")
    best = table[:, label].astype(int)
    rewards = np.eye(best.max() + 1, dtype=int).tolist()
    rows = [Row(x, rewards[a]) for x, a in zip(np.delete(table, label, axis=1), best)]
    for row in rows:
        row.x = np.append(row.x, 1.0).reshape(1, -1)
    return rows


def read_trials(path, trials, steps):
    """Rows of every trial, in its order."""
    if is_generated(path):
        for trial in range(trials):
            command = [exporter(), path, "0", str(trial), *([str(steps)] if steps else [])]
            with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
                rows = [Row(**json.loads(line)) for line in process.stdout]
            if process.returncode != 0:
                sys.exit(f"peers: {' '.join(command)} failed")
            yield rows
        return
    import numpy as np

    rows = read_table(path)
    for trial in range(trials):
        order = np.random.default_rng(trial).permutation(len(rows))[:steps]
        yield [rows[i] for i in order]


def is_generated(name):
    return name.split(":")[0] in GENERATED


def exporter():
    path = ROOT / "build/release/bin/export_problem"
    if not path.is_file():
        sys.exit(f"peers: {path} not found. Run `cmake --build --preset release -t export_problem`")
    return str(path)


def play(path, setting, trials, steps):
    """Trials of one peer, in this process: rewards, time, and the first trial's peak memory."""
    kind = BayesianBandits if setting == "bayesianbandits" else VowpalWabbit
    rewards, seconds = [], []
    for seed, rows in enumerate(read_trials(path, trials, steps)):
        actions = len(rows[0].rewards)
        if seed == 0:
            kind(actions, 0, setting).close()  # imports what it needs, outside the time taken
        start = time.perf_counter()
        agent = kind(actions, seed, setting)
        total = 0
        for t, row in enumerate(rows):
            decided = t >= PULLS * actions
            action = agent.choose(row) if decided else t % actions
            reward = row.rewards[action]
            agent.learn(row, action, reward, decided)
            total += reward
        rewards.append(total)
        seconds.append(time.perf_counter() - start)
        agent.close()
        if seed == 0:
            memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    us = statistics.mean(seconds) / len(rows) * 1e6
    print(json.dumps({"rewards": rewards, "us": us, "memory_mb": memory}))


def measured(command):
    """Output of a command, and its peak memory in MB."""
    command = [str(word) for word in command]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env={**os.environ, **ONE_CORE}
    )
    out = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise RuntimeError(f"{' '.join(command)} failed")
    return json.loads(out), usage.ru_maxrss / 1024


def half_width(rewards):
    """Of Student's 95 % interval of the mean; none for one trial.

    Without SciPy: what this process holds would count as its children's peak memory.
    """
    n = len(rewards)
    if n < 2:
        return None
    first = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262]  # 1 to 9 degrees
    quantile = first[n - 2] if n < 11 else 1.96 + 2.372 / (n - 1) + 2.82 / (n - 1) ** 2
    return quantile * statistics.stdev(rewards) / n**0.5


def run(path, agent, setting, options):
    """One agent with one setting on one table."""
    steps = ["--steps", options.steps] if options.steps else []
    if agent in OURS:
        env = path if is_generated(path) else f"csv:{path},label=label,standardise=none"
        command = [options.program, "run", "--env", env, "--agent", agent]
        command += ["--trials", options.trials, "--seed", 0, "--warmup-pulls", PULLS, *steps]
        command += ["--jobs", 1, "--format", "json", "--quiet"]
        (result,), memory = measured(command)
        reward, ci95 = result["reward_mean"], result["reward_ci95"]
        us = result["seconds_mean"] / result["steps"] * 1e6
    else:
        command = [sys.executable, __file__, "--play", setting, "--trials", options.trials]
        result, _ = measured([*command, *steps, path])
        reward, ci95 = statistics.mean(result["rewards"]), half_width(result["rewards"])
        us, memory = result["us"], result["memory_mb"]
    table = path if is_generated(path) else pathlib.Path(path).name.split(".")[0]
    print(f"{table} {agent} {setting}: {reward:.0f}", file=sys.stderr, flush=True)
    return {
        "table": table, "agent": agent, "setting": setting, "trials": options.trials,
        "steps": options.steps, "reward": reward, "ci95": ci95, "us_per_event": us,
        "memory_mb": memory,
    }  # fmt: skip


def run_all(path, agents, options):
    """Results of all agents on one table, --jobs at a time, in order."""
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        futures = [pool.submit(run, path, *agent, options) for agent in agents]
        try:
            return [future.result() for future in futures]
        except RuntimeError as error:
            pool.shutdown(cancel_futures=True)
            sys.exit(f"peers: {error}")
        except KeyboardInterrupt:
            pool.shutdown(cancel_futures=True)
            sys.exit("peers: stopped")


def vw_settings(explorer, path, options):
    """Settings of one explorer: every learning rate, with every set of features, with all costs."""
    base = EXPLORERS[explorer]
    kind = base.split()[0].removeprefix("--")
    own = OWN_FEATURES[path.split(":")[0]] if is_generated(path) else None
    bounded = "regcb" in base or "elim" in base
    settings = []
    for features, rate, costs in itertools.product(options.features, options.rates, options.costs):
        words = [base, own[features] if own else FEATURES[features][kind], f"-l {rate:g}"]
        if bounded and costs == "gain":
            words.append("--cb_min_cost -1 --cb_max_cost 0")
        settings.append(" ".join([*filter(None, words), f"costs={costs}"]))
    return settings


def agents_for(path, options):
    """Without those that need a dense context and actions that stay."""
    return [a for a in options.agents if a in OURS or not is_generated(path)]


def explorers_for(path, options):
    """Generated problems are for explorers whose actions have features."""
    return [e for e in options.explorers if "adf" in EXPLORERS[e] or not is_generated(path)]


def print_table(name, results, explorers):
    """One row per agent and explorer, an explorer's best setting standing for it."""
    rows = [result for result in results if result["agent"] not in explorers]
    best = []
    for explorer in explorers:
        mine = [result for result in results if result["agent"] == explorer]
        best.append(max(mine, key=lambda result: result["reward"]))
    best_of_all = max(best, key=lambda result: result["reward"], default=None)
    print(f"\n| {name} | setting | reward | µs/event | MB |\n| --- | --- | --- | --- | --- |")
    for row in rows + best:
        agent = f"VW {row['agent']}" if row in best else row["agent"]
        setting = f"`{row['setting']}`" if row in best else "default"
        setting = setting.replace(" {actions}", " K")
        reward = f"{row['reward']:,.0f}"
        if row["ci95"] is not None:
            reward += f" ± {row['ci95']:,.0f}"
        if row is best_of_all:
            reward = f"**{reward}**"
        memory = f"{row['memory_mb']:.0f}"
        print(f"| {agent} | {setting} | {reward} | {row['us_per_event']:.0f} | {memory} |")
    if best:
        print(
            "\nEach row of VW is the best of its explorer's settings, and bold is the best of VW's "
            "rows: both chosen after the fact, by these very rewards."
        )


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


def paper_tables(names, program):
    """Paths of the paper's rows; all that are there if none is named."""
    folder = os.environ.get("BANDOLIER_DATA", "")
    if not folder and program.is_file():
        command = [program, "data", "path"]
        folder = subprocess.run(command, capture_output=True, text=True).stdout.strip()
    paths = {name: pathlib.Path(folder) / f"paper/{name}.csv.gz" for name in names or TABLES}
    missing = [path for path in paths.values() if not path.is_file()]
    if names and missing:
        sys.exit(f"peers: {missing[0]} not found. bench/released/rows.py brings the paper's rows")
    return [str(path) for path in paths.values() if path.is_file()]


def parse():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("tables", nargs="*", metavar="TABLE")
    add("--env", nargs="+", default=[], metavar="NAME",
        help=f"the paper's rows: some of {', '.join(TABLES)}; default: all there are; or "
        f"generated: some of {', '.join(GENERATED)}")  # fmt: skip
    add("--trials", type=int, default=10, metavar="N", help="default: 10")
    add("--steps", type=int, metavar="N", help="rows of a trial; default: all")
    add("--agents", nargs="*", default=AGENTS, choices=AGENTS, metavar="AGENT",
        help=f"some of {', '.join(AGENTS)}, or nothing; default: all")  # fmt: skip
    add("--explorers", nargs="*", default=list(EXPLORERS), choices=EXPLORERS, metavar="EXPLORER",
        help=f"of VW: some of {', '.join(EXPLORERS)}, or nothing; default: all")  # fmt: skip
    add("--rates", nargs="+", type=float, default=[0.1, 0.5], metavar="RATE",
        help="learning rates of VW; default: 0.1 0.5, the latter being its own")  # fmt: skip
    add("--features", nargs="+", choices=FEATURES, default=list(FEATURES), metavar="WHICH",
        help="that VW sees: linear, quadratic; default: both")  # fmt: skip
    add("--costs", nargs="+", choices=COSTS, default=list(COSTS), metavar="WHICH",
        help="that VW gets: loss (1 - reward), gain (-reward); default: both")  # fmt: skip
    add("--jobs", type=int, default=1, metavar="N", help="processes side by side; default: 1")
    add("--program", type=pathlib.Path, default=ROOT / "build/release/bin/bandolier",
        metavar="PATH", help="default: build/release/bin/bandolier")  # fmt: skip
    add("--out", type=pathlib.Path, default=ROOT / "build/bench/peers.json", metavar="PATH",
        help="every setting's result; default: build/bench/peers.json")  # fmt: skip
    add("--play", metavar="SETTING", help=argparse.SUPPRESS)
    return parser.parse_args()


def main():
    options = parse()
    if options.play:
        play(options.tables[0], options.play, options.trials, options.steps)
        return
    if set(options.agents) & set(OURS) and not options.program.is_file():
        sys.exit(f"peers: {options.program} not found. Run `make build`, or name it with --program")

    named = [name for name in options.env if not is_generated(name)]
    for name in named:
        if name not in TABLES:
            sys.exit(f"peers: --env {name}: expected some of {', '.join(TABLES + GENERATED)}")
    for table in options.tables:
        if not os.path.isfile(table):
            sys.exit(f"peers: {table} not found. Expected a table with a column `label`")

    results = []
    with tempfile.TemporaryDirectory() as folder:
        tables = options.tables + [name for name in options.env if is_generated(name)]
        if named or not tables:
            tables += paper_tables(named, options.program)
        for table in tables or generated(folder):
            explorers = explorers_for(table, options)
            agents = [(agent, agent) for agent in agents_for(table, options)]
            for explorer in explorers:
                agents += [(explorer, setting) for setting in vw_settings(explorer, table, options)]
            if not agents:
                sys.exit(f"peers: none of the agents and explorers named can play {table}")
            found = run_all(table, agents, options)
            results += found
            options.out.parent.mkdir(parents=True, exist_ok=True)
            options.out.write_text(json.dumps(results, indent=1))
            print_table(found[0]["table"], found, explorers)
    print(f"every setting's result is in {options.out}", file=sys.stderr)


if __name__ == "__main__":
    main()
