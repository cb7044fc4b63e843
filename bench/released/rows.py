#!/usr/bin/env python3
"""Brings the paper's rows of shuttle, covertype and adult from the authors' repository.

  rows.py BANDITS DATA      for instance: rows.py bandits "$(bandolier data path)"

BANDITS is a clone of https://github.com/probml/bandits at ba672cf, which holds them as pickles
(bandit-data/bandit-statlog.pkl and so on). DATA/paper/NAME.csv.gz is written for each: one column
per feature, and `label`. `--env shuttle:sample=paper` reads them. Needs NumPy.
"""
import argparse
import gzip
import pathlib
import pickle
import sys

PICKLES = {"shuttle": "statlog", "covertype": "covertype", "adult": "adult"}


class NumbersOnly(pickle.Unpickler):
    """A pickle can run any code. This one makes NumPy arrays and nothing else."""

    def find_class(self, module, name):
        arrays = module.split(".")[0] == "numpy" and name in ("_reconstruct", "ndarray", "dtype")
        if not arrays and (module, name) != ("_codecs", "encode"):
            raise pickle.UnpicklingError(f"{module}.{name} is not expected in a table")
        return super().find_class(module, name)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("bandits", type=pathlib.Path)
    parser.add_argument("data", type=pathlib.Path)
    options = parser.parse_args()
    for name, pickled in PICKLES.items():
        source = options.bandits / f"bandit-data/bandit-{pickled}.pkl"
        if not source.is_file():
            sys.exit(
                f"rows: {source} not found. Expected a clone: "
                "git clone https://github.com/probml/bandits"
            )
        with source.open("rb") as file:
            features, _, (*_, labels) = NumbersOnly(file).load()
        target = options.data / f"paper/{name}.csv.gz"
        target.parent.mkdir(parents=True, exist_ok=True)
        with gzip.open(target, "wt") as out:
            out.write(",".join(f"x{i}" for i in range(features.shape[1])) + ",label\n")
            for row, label in zip(features, labels):
                out.write(",".join(f"{value:.9g}" for value in row) + f",{label:.0f}\n")
        print(f"{target}: {len(labels):,} rows, {features.shape[1]} features")


if __name__ == "__main__":
    main()
