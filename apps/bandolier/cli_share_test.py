#!/usr/bin/env python3
"""The program from outside: an experiment in shares, and its shares put together."""

import itertools
import json
import os
import signal
import subprocess
import time
import unittest

from cli_case import PROGRAM, CommandLine, bandolier

WORK = ["--env", "linear", "wheel", "--agent", "linear", "uniform", "auto", "--steps", "300",
        "--trials", "5", "--quiet"]


class Share(CommandLine):
    def bytes(self, folder):
        """What must be the same, whoever ran it."""
        return [self.read(folder, name) for name in ("trials.csv", "curves.csv")]

    def read(self, *parts):
        with open(self.path(*parts), "rb") as file:
            return file.read()

    def lines(self, *parts):
        return len(self.read(*parts).splitlines()) if os.path.exists(self.path(*parts)) else 0

    def shares(self, of, *parts):
        for part in parts:
            result = bandolier("run", *WORK, "--part", f"{part}/{of}", "--out",
                               self.path(f"part-{part}"))
            self.assertEqual(result.returncode, 0, result.stderr)
        return [self.path(f"part-{part}") for part in parts]

    def whole(self):
        self.assertEqual(bandolier("run", *WORK, "--out", self.path("whole")).returncode, 0)
        return self.bytes("whole")

    def test_shares_merged_are_the_bytes_of_one_process(self):
        shares = self.shares(3, 1, 2, 3)
        result = bandolier("merge", *shares, "--out", self.path("merged"))
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual(result.stdout, f"{self.path('merged')}: 30 of 30 trials\n")
        self.assertEqual(self.bytes("merged"), self.whole())
        report = bandolier("report", self.path("merged"))
        self.assertEqual(report.returncode, 0, report.stderr)
        with open(self.path("merged", "report.html"), encoding="utf-8") as page:
            self.assertIn("merged of 3 shares", page.read())

    def test_a_share_that_is_lost_is_named_and_the_whole_command_runs_the_rest(self):
        shares = self.shares(3, 1, 3)
        result = bandolier("merge", *shares, "--out", self.path("merged"))
        self.assertEqual(result.returncode, 1)
        self.assertEqual(len(result.stderr.splitlines()), 1)
        self.assertIn("part 2/3, of which no folder was given, has trial", result.stderr)
        self.assertEqual(bandolier("run", *WORK, "--out", self.path("merged")).returncode, 0)
        self.assertEqual(self.bytes("merged"), self.whole())

    def test_a_share_killed_in_the_middle_goes_on_and_merges(self):
        work = ["--env", "wheel", "--agent", "linear", "uniform", "auto", "--steps", "10000",
                "--trials", "4", "--jobs", "1", "--quiet"]
        command = [PROGRAM, "run", *work, "--part", "2/2", "--out", self.path("part-2")]
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        limit = time.monotonic() + 60
        while self.lines("part-2", "trials.csv") < 3:
            self.assertLess(time.monotonic(), limit)
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
        process.wait()
        bandolier("run", *work, "--part", "1/2", "--out", self.path("part-1"))
        merge = ["merge", self.path("part-1"), self.path("part-2"), "--out", self.path("merged")]
        result = bandolier(*merge)
        self.assertEqual(result.returncode, 1)
        self.assertIn(f"part 2/2 ({self.path('part-2')}) lacks trial", result.stderr)
        self.assertEqual(subprocess.run(command, capture_output=True).returncode, 0)
        self.assertEqual(bandolier(*merge).returncode, 0)
        bandolier("run", *work, "--out", self.path("whole"))
        self.assertEqual(self.bytes("merged"), self.bytes("whole"))

    def test_the_part_may_come_from_a_cluster_or_a_file(self):
        shares = self.shares(2, 1, 2)
        clean = {name: value for name, value in os.environ.items()
                 if not name.startswith(("SLURM_", "JOB_"))}
        slurm = {**clean, "SLURM_ARRAY_TASK_ID": "7", "SLURM_ARRAY_TASK_COUNT": "2",
                 "SLURM_ARRAY_TASK_MIN": "7", "SLURM_ARRAY_TASK_MAX": "8"}
        kubernetes = {**clean, "JOB_COMPLETION_INDEX": "1", "JOB_COMPLETIONS": "2"}
        with open(self.path("part.toml"), "w", encoding="utf-8") as file:
            file.write('env = ["linear", "wheel"]\nagent = ["linear", "uniform", "auto"]\n'
                       'steps = 300\ntrials = 5\npart = "auto"\n')
        for environment, share in ((slurm, shares[0]), (kubernetes, shares[1])):
            for work in (["run", *WORK, "--part", "auto"], ["run", self.path("part.toml")]):
                result = bandolier(*work, "--quiet", "--out", self.path("auto"), env=environment)
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertEqual(self.bytes("auto"), self.bytes(share))
                subprocess.run(["rm", "-r", self.path("auto")], check=True)
        result = bandolier("run", *WORK, "--part", "auto", env=clean)
        self.assertEqual(result.returncode, 2)
        self.assertIn("neither SLURM_ARRAY_TASK_ID nor JOB_COMPLETION_INDEX", result.stderr)

    def test_the_paper_in_shares_is_merged_part_by_part_and_then_judged(self):
        if not os.path.isdir(os.path.join(os.environ.get("BANDOLIER_DATA", ""), "paper")):
            self.skipTest("the paper's rows are not there")
        work = ["paper", "subspace-dim", "--quick", "--trials", "1", "--quiet"]
        self.assertIn("part 2/2 of these: 4 trials",
                      bandolier(*work, "--part", "2/2", "--dry-run").stdout)
        for part in ("1", "2"):
            result = bandolier(*work, "--part", f"{part}/2", "--out", self.path(part))
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertFalse(os.path.exists(self.path(part, "verdicts.csv")))
        result = bandolier("merge", self.path("1"), self.path("2"), "--out", self.path("merged"))
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual(bandolier(*work, "--out", self.path("whole")).returncode, 0)
        folders = [name for name in sorted(os.listdir(self.path("whole")))
                   if os.path.isdir(self.path("whole", name))]
        self.assertEqual(len(folders), 3)
        for folder in folders:
            self.assertEqual(self.bytes(os.path.join("merged", folder)),
                             self.bytes(os.path.join("whole", folder)))
        bandolier("report", self.path("merged"))
        self.assertTrue(os.path.exists(self.path("merged", "verdicts.csv")))

    def cluster(self, *lines):
        """Runs the examples' lines as a cluster would, with the results in a folder of the test."""
        examples = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../examples/cluster")
        environment = {name: value for name, value in os.environ.items()
                       if not name.startswith(("SLURM_", "JOB_"))}
        environment["PATH"] = os.path.dirname(PROGRAM) + ":" + environment["PATH"]
        with open(self.path("experiment.toml"), "w", encoding="utf-8") as file:
            file.write('env = ["linear"]\nagent = ["linear"]\nsteps = 100\ntrials = 8\n')
        for line, variables in lines:
            result = subprocess.run(["/bin/bash", "-c", line], cwd=examples, capture_output=True,
                                    text=True, env={**environment, **variables}, timeout=60)
            self.assertEqual(result.returncode, 0, line + result.stderr)
        return result.stdout

    def test_the_slurm_example_runs_as_slurm_would_run_it(self):
        tasks = [(f"./slurm.sh {self.path('experiment.toml')} {self.path('out')}",
                  {"SLURM_CPUS_PER_TASK": "1", "SLURM_ARRAY_TASK_ID": str(i),
                   "SLURM_ARRAY_TASK_COUNT": "8", "SLURM_ARRAY_TASK_MIN": "1",
                   "SLURM_ARRAY_TASK_MAX": "8", "SLURM_ARRAY_TASK_STEP": "1"})
                 for i in range(1, 9)]
        again = (tasks[4][0], {**tasks[4][1], "SLURM_ARRAY_TASK_COUNT": "1", "PART": "5/8",
                               "SLURM_ARRAY_TASK_MIN": "5", "SLURM_ARRAY_TASK_MAX": "5"})
        said = self.cluster(*tasks, again, (f"./slurm-merge.sh {self.path('out')}", {}))
        self.assertIn("8 of 8 trials", said)

    def test_the_kubernetes_example_runs_as_kubernetes_would_run_it(self):
        def command(name):
            """The text behind `args:`."""
            examples = os.path.join(os.path.dirname(os.path.abspath(__file__)),
                                    "../../examples/cluster")
            with open(os.path.join(examples, name), encoding="utf-8") as file:
                lines = file.read().split(">-\n")[1].splitlines()
            depth = len(lines[0]) - len(lines[0].lstrip())
            text = " ".join(line.strip() for line in
                            itertools.takewhile(lambda line: line.startswith(" " * depth), lines))
            return text.replace("/experiment/", self.path("") + "/").replace(
                "/results", self.path("results"))

        pods = [(command("kubernetes.yaml"),
                 {"JOB_COMPLETION_INDEX": str(i), "JOB_COMPLETIONS": "8"}) for i in range(8)]
        self.assertIn("8 of 8 trials", self.cluster(*pods, (command("kubernetes-merge.yaml"), {})))

    def test_parts_that_make_no_sense_are_wrong_usage(self):
        for part, expected in (("", "expected I/N"), ("2", "expected I/N"), ("3/2", "part is 3/2"),
                               ("0/2", "part is 0/2"), ("1/0", "part is 1/0"),
                               ("x/y", "expected I/N")):
            with self.subTest(part=part):
                self.refused(expected, "run", *WORK, "--part", part)
                self.refused(expected, "paper", "movielens", "--part", part)

    def test_what_cannot_be_merged_is_refused_in_one_line(self):
        share, = self.shares(2, 1)
        self.refused("--out is required", "merge", share)
        self.refused("--out is empty", "merge", share, "--out", "")
        self.refused("none of the folders holds results", "merge", self.path("none"), "--out",
                     self.path("merged"))
        self.refused("is a share and the folder to merge into", "merge", share, "--out", share)
        other = self.path("other")
        bandolier("run", *WORK, "--seed", "1", "--part", "2/2", "--out", other)
        self.refused("are not shares of one experiment: seed is 0 there and 1 here", "merge", share,
                     other, "--out", self.path("merged"))
        self.refused("it is of part 1/2 there and 2/2 here", "run", *WORK, "--part", "2/2", "--out",
                     share)
        with open(self.path("part-1", "manifest.json"), encoding="utf-8") as file:
            manifest = json.load(file)
        manifest["share"]["costs"].pop()
        with open(self.path("part-1", "manifest.json"), "w", encoding="utf-8") as file:
            json.dump(manifest, file)
        self.refused("is damaged: its share is not one of its settings", "merge", share, "--out",
                     self.path("merged"))

    def test_a_share_without_trials_is_a_share(self):
        result = bandolier("run", "--env", "linear", "--agent", "uniform", "--steps", "50",
                           "--trials", "1", "--quiet", "--part", "2/3", "--out", self.path("two"))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(self.lines("two", "trials.csv"), 1)


if __name__ == "__main__":
    unittest.main()
