#!/usr/bin/env python3
"""Makes a scratch folder in which the paper authors' code runs, as released and mended.

  prepare.py BANDITS JSL DATA SCRATCH

BANDITS and JSL are clones of the two repositories at the commits below, or .tar.gz of them. DATA is
Bandolier's data folder. Nothing outside SCRATCH is changed. SCRATCH gets:

  released/     their code; the only change: JSL's __init__.py are emptied, since they import demos
  mended/       the same, with the warm-up loss comparing rewards that were seen (see mend)
  bandit-data/  the data in the form that their code reads
"""
import argparse
import gzip
import hashlib
import pathlib
import pickle
import shutil
import sys
import tarfile
import tempfile

CLONES = {
    "bandits": ("https://github.com/probml/bandits", "ba672cf626bc049f48c8b8087961dfe77e5703e4"),
    "jsl": ("https://github.com/probml/JSL", "3cfc10ee77802e93fbf0aeb269fee41587594abc"),
}
# What is copied, with git's name (blob) of each file at that commit.
FILES = {
    "bandits": {
        "agents/agent_utils.py": "1e58fda31ab122758d4d987665b1437158496122",
        "agents/ekf_subspace.py": "9e936cfff6396f978a15689c2910f1a4dc2c4fe2",
        "environments/environment.py": "dd594b6186b6251fef1afccdcacf914fe3e78fa4",
        "environments/mnist_env.py": "3680c3e72368a2e22bf20ce94cb26fb91b28c253",
        "environments/movielens_env.py": "c0275e2ed23e448e1b3ed6101d2263ab6739c6ad",
        "environments/tabular_env.py": "928551b9617095414799a8585c4a028222d715f3",
        "scripts/training_utils.py": "f8ec0f570127686d7e0ccb84510671dca6c3e75b",
    },
    "jsl": {
        "nlds/base.py": "796147f9029a18fc2e2f5b285bdae68c4269ec29",
        "nlds/extended_kalman_filter.py": "dd59e0da412f20b10c5cb4b52f224635e2fe2ada",
    },
}
TABLES = ("shuttle", "covertype", "adult")


def how_to_clone(name):
    url, commit = CLONES[name]
    folder = url.rsplit("/", 1)[1]
    return f"git clone {url} && git -C {folder} checkout {commit[:7]}"


def refuse(text):
    sys.exit(f"released: {text}")


def blob(content):
    return hashlib.sha1(b"blob %d\0" % len(content) + content).hexdigest()


def package_folder(name, path):
    """The folder of `path` that holds the package: a clone has it one level down."""
    first = next(iter(FILES[name]))
    for folder in (path, path / name):
        if (folder / first).is_file():
            return folder
    refuse(f"{path}: no {name}/{first} in it. Expected a clone: {how_to_clone(name)}")


def read_code(name, path):
    """Path in the package -> content, checked against the commit."""
    path = pathlib.Path(path)
    if not path.exists():
        refuse(f"{path}: not found. Get it: {how_to_clone(name)}")
    with tempfile.TemporaryDirectory() as unpacked:
        if path.is_file():
            with tarfile.open(path) as archive:
                archive.extractall(unpacked, filter="data")
            path = pathlib.Path(unpacked)
        folder = package_folder(name, path)
        code = {file: (folder / file).read_bytes() for file in FILES[name]}
    for file, content in code.items():
        if blob(content) != FILES[name][file]:
            refuse(
                f"{name}/{file} is another version than that of commit {CLONES[name][1][:7]}. "
                f"Take that commit: {how_to_clone(name)}"
            )
    return code


def mend(source):
    """The warm-up loss with the rewards that were seen.

    Released: prediction[:, actions] against states[:, actions]. Entry (t, s) of both is about
    context t and the action pulled at s: every warm-up context is fitted to the reward of every
    action, though one alone was pulled. Mended: row t with the action pulled at t.
    """
    leak, seen = "[:, actions.astype(int)]", "[jnp.arange(len(actions)), actions.astype(int)]"
    if source.count(leak) != 2:
        refuse(f"agents/ekf_subspace.py: expected '{leak}' twice, found {source.count(leak)}")
    return source.replace(leak, seen)


def write_code(folder, bandits, jsl):
    for package, code in (("", bandits), ("jsl", jsl)):
        for file, content in code.items():
            path = folder / package / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
    for package in ("jsl", "jsl/nlds"):
        (folder / package / "__init__.py").touch()


def find_data(data, file, hint):
    path = pathlib.Path(data) / file
    if not path.is_file():
        refuse(f"{path}: not found. {hint}")
    return path


def write_table(data, name, folder):
    """The paper's rows as the pickle that their TabularEnvironment reads."""
    import pandas as pd

    hint = "The rows are in the clone of bandits: bench/released/rows.py brings them over."
    table = pd.read_csv(find_data(data, f"paper/{name}.csv.gz", hint))
    label = table.pop("label").to_numpy().astype(int)
    rewarded = [1.0] * len(label)
    content = (table.to_numpy(), pd.Series(rewarded).to_numpy(), (label,))
    (folder / f"bandit-{name}.pkl").write_bytes(pickle.dumps(content))


def write_movielens(data, folder):
    path = find_data(data, "ml-100k/u.data.gz", "bandolier data get movielens")
    (folder / "ml-100k").mkdir(exist_ok=True)
    (folder / "ml-100k/u.data").write_bytes(gzip.decompress(path.read_bytes()))


def write_mnist(data, folder):
    """All 70,000 digits in OpenML's order: the training images, then the test images."""
    import numpy as np

    def values(file, header):
        path = find_data(data, f"mnist/{file}.gz", "bandolier data get mnist")
        return np.frombuffer(gzip.decompress(path.read_bytes()), np.uint8, offset=header)

    parts = ("train", "t10k")
    images = np.concatenate([values(f"{part}-images-idx3-ubyte", 16) for part in parts])
    labels = np.concatenate([values(f"{part}-labels-idx1-ubyte", 8) for part in parts])
    np.savez(folder / "mnist.npz", images=images.reshape(-1, 784), labels=labels)


def prepare(bandits, jsl, data, scratch, problems):
    """Fills the folder `scratch` with both versions of the code and the data of `problems`."""
    bandits, jsl = read_code("bandits", bandits), read_code("jsl", jsl)
    for version in ("released", "mended"):
        shutil.rmtree(scratch / version, ignore_errors=True)
        write_code(scratch / version, bandits, jsl)
    agent = scratch / "mended/agents/ekf_subspace.py"
    agent.write_text(mend(agent.read_text()))

    folder = scratch / "bandit-data"
    folder.mkdir(parents=True, exist_ok=True)
    for name in TABLES:
        if name in problems:
            write_table(data, name, folder)
    if "movielens" in problems:
        write_movielens(data, folder)
    if any(problem.startswith("mnist") for problem in problems):
        write_mnist(data, folder)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    for name in ("bandits", "jsl", "data", "scratch"):
        parser.add_argument(name, type=pathlib.Path)
    options = parser.parse_args()
    problems = (*TABLES, "movielens", "mnist")
    prepare(options.bandits, options.jsl, options.data, options.scratch, problems)


if __name__ == "__main__":
    main()
