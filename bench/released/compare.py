#!/usr/bin/env python3
"""The paper authors' own code, as released and with its leak mended, beside Bandolier.

  make bench-released BANDITS=bandits JSL=JSL       installs what their code needs and runs this
  compare.py --bandits bandits --jsl JSL --problems movielens --warmups 3

The two clones (or .tar.gz of them), at the commits that prepare.py names:

  git clone https://github.com/probml/bandits && git -C bandits checkout ba672cf
  git clone https://github.com/probml/JSL && git -C JSL checkout 3cfc10e

Every warm-up is a process on one core: its own order of rows, initial weights, training, basis and
decisions. Each result is a line of --out, and a line that is there is not run again: the same
command goes on where it stopped. After a change of Bandolier name another --out, or remove its
lines. Progress goes to stderr, tables to stdout.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import queue
import shutil
import statistics
import subprocess
import sys
import threading

from agent import PROBLEMS, STEPS
from prepare import how_to_clone, prepare, refuse

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
VERSIONS = {
    "released": "released code",
    "mended": "released code, mended",
    "ours-leak": "Bandolier, with the leak",
    "ours": "Bandolier",
}
ONE_THREAD = {
    "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1",
    "TF_CPP_MIN_LOG_LEVEL": "3",
    "JAX_PLATFORMS": "cpu",
    **{name: "1" for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")},
}


def their_command(options, version, problem, warmup):
    command = [sys.executable, HERE / "agent.py", problem, options.scratch / version]
    command += ["--warmup", warmup]
    return command + (["--steps", options.steps] if options.steps else [])


def our_command(options, version, problem, warmup):
    """The same method with the same network, training and d; prior and noise are Bandolier's."""
    network, pulls, rate = PROBLEMS[problem]
    model = "lenet5" if network == "LeNet5" else "mlp:50"
    name = problem.split("-")[0]
    env = name if name in ("movielens", "mnist") else f"{name}:sample=paper"
    agent = f"basis=svd,offset=sgd,offset_pulls=1,dim=470,model={model},learning_rate={rate},temperature=1"
    steps = options.steps or (STEPS if name == "mnist" else None)
    command = [options.program, "run", "--env", env, "--agent", f"subspace-ekf:{agent}"]
    command += ["--trials", 1, "--seed", warmup, "--jobs", 1, "--format", "json", "--quiet"]
    command += ["--warmup-pulls", pulls]
    command += ["--warmup-feedback", "full" if version == "ours-leak" else "bandit"]
    return command + (["--steps", steps] if steps else [])


def run_on(core, command):
    """Output of a command on one core, and the processor seconds that it took."""
    pin = ["taskset", "-c", core] if shutil.which("taskset") else []
    command = [str(word) for word in [*pin, *command]]
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **ONE_THREAD},
    ) as process:
        errors = []
        reader = threading.Thread(target=lambda: errors.append(process.stderr.read()))
        reader.start()
        out = process.stdout.read()
        reader.join()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise RuntimeError(f"{' '.join(command)} failed:\n{errors[0][-2000:]}")
    return out, usage.ru_utime + usage.ru_stime


def run(options, core, version, problem, warmup):
    """One warm-up and one trial: what its line says beside its name."""
    if version in ("released", "mended"):
        out, _ = run_on(core, their_command(options, version, problem, warmup))
        return json.loads(out.splitlines()[-1])
    out, cpu_seconds = run_on(core, our_command(options, version, problem, warmup))
    (result,) = json.loads(out)
    return {
        "reward": result["reward_mean"],
        "seconds": round(result["seconds_mean"], 2),
        "cpu_seconds": round(cpu_seconds, 2),
        "played": result["steps"],
        "notes": result["notes"],
    }


def name_of(line):
    return line["problem"], line["version"], line["warmup"], line["steps"]


def read_lines(path):
    """Results by name, of every line that an earlier run has finished."""
    if not path.is_file():
        return {}
    lines = {}
    for number, text in enumerate(path.read_text().splitlines(), 1):
        try:
            line = json.loads(text)
            lines[name_of(line)] = line
        except (ValueError, KeyError):
            refuse(f"{path}:{number}: not a line of results. Remove it, or name another --out")
    return lines


def run_all(options, lines):
    """Runs what `lines` lacks, --jobs at a time, and adds it there and to the file."""
    todo = [
        (version, problem, warmup)
        for problem in options.problems
        for warmup in range(options.warmups)
        for version in options.versions
        if (problem, version, warmup, options.steps) not in lines
    ]
    cores = queue.Queue()
    available = sorted(os.sched_getaffinity(0))
    for job in range(options.jobs):
        cores.put(available[job % len(available)])
    lock = threading.Lock()

    def work(version, problem, warmup):
        core = cores.get()
        try:
            found = run(options, core, version, problem, warmup)
        finally:
            cores.put(core)
        line = {"problem": problem, "version": version, "warmup": warmup, "steps": options.steps}
        line.update(found)
        with lock, options.out.open("a") as out:
            out.write(json.dumps(line) + "\n")
            lines[name_of(line)] = line
            told = f"reward {line['reward']:.0f}, {line['seconds']:.1f} s"
            print(f"{problem} {version} warm-up {warmup}: {told}", file=sys.stderr, flush=True)

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        futures = [pool.submit(work, *task) for task in todo]
        try:
            for future in concurrent.futures.as_completed(futures):
                future.result()
        except BaseException:  # Ctrl-C too
            pool.shutdown(cancel_futures=True)
            raise


def with_interval(values):
    """Mean ± half-width of Student's 95 % interval."""
    from scipy import stats

    mean = statistics.mean(values)
    if len(values) < 2:
        return f"{mean:,.0f}"
    width = stats.t.ppf(0.975, len(values) - 1) * statistics.stdev(values) / len(values) ** 0.5
    return f"{mean:,.0f} ± {width:,.0f}"


def table(options, lines, title, cell):
    print(f"\n| {title} | " + " | ".join(options.problems) + " |")
    print("| --- |" + " --- |" * len(options.problems))
    for version in options.versions:
        cells = [
            cell([lines[problem, version, w, options.steps] for w in range(options.warmups)])
            for problem in options.problems
        ]
        print(f"| {VERSIONS[version]} | " + " | ".join(cells) + " |")


def tables(options, lines):
    steps = f"{options.steps} steps" if options.steps else "all steps"
    print(f"{options.warmups} warm-ups, {steps}; mean ± 95 % interval over warm-ups.")
    table(options, lines, "total reward", lambda of: with_interval([l["reward"] for l in of]))
    table(
        options,
        lines,
        "processor seconds per trial",
        lambda of: f"{statistics.mean(l['cpu_seconds'] for l in of):,.1f}",
    )


def parse():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    path = {"type": pathlib.Path, "metavar": "PATH"}
    add("--bandits", **path, help="clone or .tar.gz of probml/bandits at ba672cf")
    add("--jsl", **path, help="clone or .tar.gz of probml/JSL at 3cfc10e")
    add("--data", **path, default=os.environ.get("BANDOLIER_DATA"),
        help="Bandolier's data folder; default: what `bandolier data path` says")  # fmt: skip
    add("--program", **path, default=ROOT / "build/release/bin/bandolier",
        help="default: build/release/bin/bandolier")  # fmt: skip
    add("--problems", nargs="+", choices=PROBLEMS, default=list(PROBLEMS), metavar="PROBLEM",
        help=f"some of {', '.join(PROBLEMS)}; default: all")  # fmt: skip
    add("--versions", nargs="+", choices=VERSIONS, default=list(VERSIONS), metavar="VERSION",
        help=f"some of {', '.join(VERSIONS)}; default: all")  # fmt: skip
    add("--warmups", type=int, default=10, metavar="N", help="of each version; default: 10")
    add("--steps", type=int, metavar="N", help="stop trials early, to try it out")
    add("--jobs", type=int, default=1, metavar="N", help="processes side by side; default: 1")
    add("--scratch", **path, default=ROOT / "build/released/scratch",
        help="where their code is copied to; default: build/released/scratch")  # fmt: skip
    add("--out", **path, default=ROOT / "build/released/results.jsonl",
        help="lines of results; default: build/released/results.jsonl")  # fmt: skip
    return parser.parse_args()


def main():
    options = parse()
    theirs = {"released", "mended"} & set(options.versions)
    for name in ("bandits", "jsl") if theirs else ():
        if getattr(options, name) is None:
            refuse(f"--{name} is missing. Get it: {how_to_clone(name)}")
    if set(options.versions) - theirs and not options.program.is_file():
        refuse(f"{options.program}: not found. Run `make build`, or name it with --program")
    if options.warmups < 1 or options.jobs < 1:
        refuse("--warmups and --jobs are 1 or more")
    if options.data is None and not options.program.is_file():
        refuse("--data is missing, and there is no program to ask. Name Bandolier's data folder")
    if options.data is None:
        command = [options.program, "data", "path"]
        options.data = subprocess.run(command, capture_output=True, text=True).stdout.strip()
    os.environ["BANDOLIER_DATA"] = str(options.data)

    lines = read_lines(options.out)
    if theirs:
        prepare(options.bandits, options.jsl, options.data, options.scratch, options.problems)
    options.out.parent.mkdir(parents=True, exist_ok=True)
    try:
        run_all(options, lines)
    except (RuntimeError, KeyboardInterrupt) as error:
        refuse(f"{error or 'stopped'}\nWhat is done stands in {options.out}: run it again to go on")
    tables(options, lines)


if __name__ == "__main__":
    main()
