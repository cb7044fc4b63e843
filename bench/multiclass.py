#!/usr/bin/env python3
"""Relative errors of estimators on scikit-learn's digits, as Open Bandit Pipeline publishes them.

usage: bench/multiclass.py PATH_TO_BANDOLIER [RUNS]    needs numpy and scikit-learn

Each run splits the digits: 30 % teach two classifiers, 70 % become a log. The log's policy follows
logistic regression with probability 0.4 and is uniform otherwise, the policy to evaluate follows a
random forest with 0.9; the reward is 1 for the right digit. Rewards are predicted by boosted trees
of 30 rounds, cross-fitted over three folds. The truth is what the policy earns on all labels.
"""

import csv
import json
import os
import subprocess
import sys
import tempfile

import numpy as np
from sklearn.datasets import load_digits
from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import KFold, train_test_split

PUBLISHED = {"dm": .436541, "ips": .030288, "snips": .022764, "dr": .016156, "sndr": .022082,
             "switch-dr": .034657, "dros": .015868}
SEED = 12345
ACTIONS = 10


def policy(classifier, share, train, labels, contexts):
    chosen = classifier.fit(train, labels).predict(contexts)
    probabilities = np.full((len(contexts), ACTIONS), (1 - share) / ACTIONS)
    probabilities[np.arange(len(contexts)), chosen] += share
    return probabilities


def predicted_rewards(contexts, actions, rewards):
    one_hot = np.eye(ACTIONS)
    predictions = np.empty((len(contexts), ACTIONS))
    for train, test in KFold(3, shuffle=True, random_state=SEED).split(contexts):
        model = GradientBoostingClassifier(n_estimators=30, learning_rate=0.01, max_depth=5,
                                           min_samples_leaf=10, random_state=SEED)
        model.fit(np.hstack([contexts[train], one_hot[actions[train]]]), rewards[train])
        for action in range(ACTIONS):
            rows = np.hstack([contexts[test], np.tile(one_hot[action], (len(test), 1))])
            predictions[test, action] = model.predict_proba(rows)[:, 1]
    return predictions


def write_log(path, actions, rewards, propensities, target, predictions):
    with open(path, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["action", "reward", "propensity"] +
                        [f"pi_{a}" for a in range(ACTIONS)] + [f"q_{a}" for a in range(ACTIONS)])
        for row in zip(actions, rewards, propensities, target, predictions):
            writer.writerow([row[0], int(row[1]), repr(float(row[2]))] +
                            [repr(float(x)) for x in row[3]] + [repr(float(x)) for x in row[4]])


def errors_of_run(program, run, folder):
    x, y = load_digits(return_X_y=True)
    x_train, x, y_train, y = train_test_split(x, y, test_size=0.7, random_state=run)
    logger = policy(LogisticRegression(max_iter=10000, C=100, random_state=SEED), 0.4,
                    x_train, y_train, x)
    target = policy(RandomForestClassifier(n_estimators=30, max_depth=5, min_samples_leaf=10,
                                           random_state=SEED), 0.9, x_train, y_train, x)
    random = np.random.RandomState(run)
    actions = np.array([random.choice(ACTIONS, p=p) for p in logger])
    rewards = (actions == y).astype(float)
    rows = np.arange(len(y))
    truth = target[rows, y].mean()
    path = os.path.join(folder, "log.csv")
    write_log(path, actions, rewards, logger[rows, actions], target,
              predicted_rewards(x, actions, rewards))
    found = subprocess.run([program, "evaluate", path, "--policy", "columns:pi_", "--predictions",
                            "q_", "--interval", "normal", "--format", "json", "--quiet",
                            "--estimator", *PUBLISHED], capture_output=True, text=True, check=True)
    return {row["estimator"]: abs(row["value"] - truth) / truth for row in json.loads(found.stdout)}


def main():
    program, runs = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 30
    with tempfile.TemporaryDirectory() as folder:
        errors = [errors_of_run(program, run, folder) for run in range(runs)]
    print("estimator,published,found,deviation,runs")
    for name, published in PUBLISHED.items():
        values = [one[name] for one in errors]
        print(f"{name},{published:.4f},{np.mean(values):.4f},{np.std(values):.4f},{runs}")


if __name__ == "__main__":
    main()
