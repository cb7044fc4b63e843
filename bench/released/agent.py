#!/usr/bin/env python3
"""One warm-up and one trial of the paper authors' SubspaceNeuralBandit. Prints one JSON line.

  agent.py PROBLEM CODE --warmup W      CODE: SCRATCH/released or SCRATCH/mended of prepare.py

W is the seed of everything: which rows come first, initial weights, decisions. The reward counts
every step once, those of the warm-up too. Seconds are those of warm-up (training and basis) and of
decisions, JAX's compilation of each included; making the environment is not counted. `cpu_seconds`
are the processor's and do not grow when the machine is busy, `seconds` are the clock's.
"""
import argparse
import json
import os
import pathlib
import sys
import time

# Settings of scripts/tabular_exp.py, movielens_exp.py and mnist_exp.py ("EKF Subspace SVD").
# Network, warm-up pulls per action, learning rate.
PROBLEMS = {
    "shuttle": ("MLP", 20, 0.05),
    "covertype": ("MLP", 20, 0.05),
    "adult": ("MLP", 20, 0.05),
    "movielens": ("MLP", 2, 0.8),
    "mnist-mlp50": ("MLP", 20, 0.8),
    "mnist-lenet5": ("LeNet5", 20, 0.8),
}
MOMENTUM = 0.9
SUBSPACE = {
    "prior_noise_variance": 1e-4,
    "nwarmup": 2000,
    "nepochs": 1000,
    "observation_noise": 0.0,
    "n_components": 470,
    "random_projection": False,
}
STEPS = 5000


def make_environment(problem, key):
    """As their scripts make it, but for the key and for MNIST, which is read from a file."""
    if problem == "movielens":
        from environments.movielens_env import MovielensEnvironment

        return MovielensEnvironment(key, repeat=1)  # reads ../bandit-data/ml-100k/u.data
    if problem.startswith("mnist"):
        import numpy as np
        from environments import mnist_env

        digits = np.load("../bandit-data/mnist.npz")
        mnist_env.fetch_openml = lambda *_, **__: (digits["images"], digits["labels"])
        return mnist_env.MnistEnvironment(key, ntrain=STEPS)
    from environments.tabular_env import TabularEnvironment

    return TabularEnvironment(
        key, name=problem, ntrain=STEPS, intercept=False, path="../bandit-data"
    )


def play(problem, warmup, steps):
    import jax
    import optax
    from agents.ekf_subspace import SubspaceNeuralBandit
    from scripts import training_utils

    network, pulls, rate = PROBLEMS[problem]
    environment_key, belief_key, decisions_key = jax.random.split(jax.random.PRNGKey(warmup), 3)
    environment = make_environment(problem, environment_key)
    environment.contexts = environment.contexts[:steps]
    environment.labels_onehot = environment.labels_onehot[:steps]
    steps, features = environment.contexts.shape
    actions = environment.n_arms
    if pulls * actions >= steps:
        sys.exit(f"agent: {steps} steps, and the warm-up takes {pulls * actions}: give more")
    agent = SubspaceNeuralBandit(
        features,
        actions,
        getattr(training_utils, network)(actions),
        optax.sgd(rate, MOMENTUM),
        **SUBSPACE,
    )

    start, cpu_start = time.perf_counter(), time.process_time()
    seen = environment.warmup(pulls)
    belief = jax.block_until_ready(agent.init_bel(belief_key, *seen))
    cpu_warmed_up = time.process_time()
    _, _, rewards = training_utils.run_bandit(
        decisions_key, agent, belief, environment, seen, nsteps=steps, neural=False
    )
    total = float(rewards.sum())  # the warm-up's rewards are among them
    end, cpu_end = time.perf_counter(), time.process_time()
    return {
        "reward": round(total, 3),
        "seconds": round(end - start, 2),
        "cpu_seconds": round(cpu_end - cpu_start, 2),
        "warmup_cpu_seconds": round(cpu_warmed_up - cpu_start, 2),
        "played": steps,
    }


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("problem", choices=PROBLEMS)
    parser.add_argument("code", type=pathlib.Path)
    parser.add_argument("--warmup", type=int, default=0, metavar="W")
    parser.add_argument("--steps", type=int, metavar="N", help="stop early; default: all steps")
    options = parser.parse_args()
    if not (options.code / "agents/ekf_subspace.py").is_file():
        sys.exit(f"agent: {options.code} holds no code: run prepare.py, or compare.py, first")
    sys.path.insert(0, str(options.code.resolve()))
    os.chdir(options.code)
    print(json.dumps(play(options.problem, options.warmup, options.steps)))


if __name__ == "__main__":
    main()
