"""What tests of executors and clusters share."""
import os
import signal

import numpy as np

import bandolier as bd


def table(rows, features):
    random = np.random.default_rng(2)
    X = random.normal(size=(rows, features))
    return bd.Table(X, (X @ random.normal(size=(features, 3))).argmax(axis=1))


class Sine:
    """Kills the worker that runs its second trial, once: where there is no file `mark`, and it is given."""

    features, actions, steps = 2, 2, 400

    def __init__(self, mark=None):
        self.mark = mark

    def trial(self, seed, trial):
        if self.mark and trial == 1 and not os.path.exists(self.mark):
            open(self.mark, "w").close()
            os.kill(os.getpid(), signal.SIGKILL)
        return self

    def context(self, t):
        return [np.sin(t), np.cos(t)]

    def reward(self, t, action):
        return float(action == (np.sin(t) > 0))


def same(one, other):
    """Whether the results are, byte for byte."""
    return (one._core.trials, one._core.curves) == (other._core.trials, other._core.curves)
