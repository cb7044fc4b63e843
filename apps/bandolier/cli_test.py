#!/usr/bin/env python3
"""The command line from outside: exit codes, one-line errors, output formats, stopping, resuming.

usage: cli_test.py PATH_TO_BANDOLIER
"""

import csv
import gzip
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import time
import unittest

PROGRAM = ""
LIST = [
    "env", "agent", "steps", "trials", "reward_mean", "reward_std", "reward_ci95", "regret_mean",
    "uniform_mean", "best_fixed_mean", "oracle_mean", "seconds_mean", "step_us_p50",
    "step_us_p99", "belief_bytes", "parameters", "subspace_dim"]
SMALL = ["--env", "linear", "--agent", "linear", "uniform", "--steps", "200", "--trials", "3"]


def bandolier(*arguments, **options):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, timeout=120,
                          **options)


class CommandLine(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, *parts):
        return os.path.join(self.folder.name, *parts)

    def refused(self, expected, *arguments):
        """Exit code 1 or 2, one line that says `expected`, nothing on stdout, nothing left."""
        before = sorted(os.listdir(self.folder.name))
        result = bandolier(*arguments)
        self.assertIn(result.returncode, (1, 2), arguments)
        self.assertEqual(result.stdout, "", arguments)
        self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
        self.assertTrue(result.stderr.startswith("bandolier: "), result.stderr)
        self.assertIn(expected, result.stderr)
        self.assertEqual(sorted(os.listdir(self.folder.name)), before)

    def test_unknown_names_give_one_line_with_the_nearest(self):
        self.refused("did you mean 'wheel'?", "run", "--env", "weel")
        self.refused("did you mean 'linear'?", "run", "--env", "wheel", "--agent", "liner")
        self.refused("did you mean 'lambda'?", "run", "--env", "wheel", "--agent",
                     "linear:lamda=1")
        self.refused("did you mean 'delta'?", "run", "--env", "wheel:delt=0.5")
        self.refused("did you mean '--trials'?", "run", "--env", "wheel", "--trails", "3")
        self.refused("did you mean 'run'?", "runn")
        self.refused("known: run, paper, report, list, data, inspect, decide, help", "fly")
        self.refused("did you mean 'agents'?", "list", "agent")
        self.refused("linear", "list", "agents", "liner")
        self.refused("did you mean 'tabular'?", "paper", "tabluar")
        self.refused("did you mean '--quiet'? (see bandolier help data get)", "data", "get",
                     "shuttle", "--quite")
        self.refused("did you mean 'report'?", "help", "reprot")
        self.refused("there is no help on 'it'", "help", "run", "it")

    def test_bad_values_are_wrong_usage(self):
        for expected, *arguments in (
                ["trials is 0", "--trials", "0"], ["trials is -3", "--trials", "-3"],
                ["trials is 'many'", "--trials", "many"],
                ["trials is 99999999999", "--trials", "99999999999"],
                ["trials is '18446744073709551619'", "--trials", "18446744073709551619"],
                ["steps is 0", "--steps", "0"], ["steps is -1", "--steps", "-1"],
                ["warm-up takes 10 steps", "--steps", "5"], ["seed is -1", "--seed", "-1"],
                ["seed is '9223372036854775808'", "--seed", "9223372036854775808"],
                ["warmup-pulls is -1", "--warmup-pulls", "-1"],
                ["warm-up takes 500000 steps", "--warmup-pulls", "100000"],
                ["jobs is 0", "--jobs", "0"], ["jobs is 5000", "--jobs", "5000"],
                ["format=xml: expected table|json|csv", "--format", "xml"],
                ["expected bandit|full", "--warmup-feedback", "none"],
                ["lambda=-1", "--agent", "linear:lambda=-1"],
                ["lambda=nan", "--agent", "linear:lambda=nan"],
                ["lambda=1e-40", "--agent", "linear:lambda=1e-40"],
                ["'lambda' is not an option", "--agent", "linear:lambda"],
                ["has no name", "--agent", ""], ["given twice", "--agent", "linear", "linear"],
                ["baseline 'nobody'", "--baseline", "nobody"],
                ["--out is empty", "--out", ""], ["--save is empty", "--save", ""],
                ["--log is empty", "--log", ""],
                ["rank=100000", "--agent", "lofi:rank=100000"],
                ["to 1e12 or unlimited", "--agent", "neural-linear:memory=99999999999999999"]):
            with self.subTest(arguments=arguments):
                self.refused(expected, "run", "--env", "wheel", "--agent", "uniform", *arguments)
                self.assertEqual(bandolier("run", "--env", "wheel", *arguments).returncode, 2)
        self.refused("no environment", "run")
        self.refused("delta=2", "run", "--env", "wheel:delta=2")
        self.refused("none.csv", "run", "--env", "csv:" + self.path("none.csv") + ",label=y")
        self.refused("expected agents or envs", "list")
        self.refused("required", "inspect")
        self.refused("was not expected", "")
        self.refused("a command is missing: expected run, paper, report")
        self.refused("a command is missing: expected list, get, path", "data")
        self.refused("seed is '9223372036854775808'", "paper", "tabular", "--seed",
                     "9223372036854775808")
        self.refused("--out is empty", "paper", "tabular", "--out", "")

    def test_an_error_is_one_line_whatever_a_name_holds(self):
        self.refused("no agent is called 'a b[31mc'", "run", "--env", "wheel", "--agent",
                     "a\nb\x1b[31mc\r")

    def test_files_that_are_missing_empty_cut_or_of_another_kind(self):
        self.refused("No such file", "inspect", self.path("none"))
        self.refused("is a folder", "inspect", self.folder.name)
        os.mkfifo(self.path("pipe"))
        for path in (self.path("pipe"), "/dev/zero", "/dev/null"):
            self.refused(path + " is a device or a pipe: expected a file", "inspect", path)
        with open(self.path("huge"), "wb") as file:
            file.truncate(20 << 30)  # a hole: its first bytes are all that is read
        self.refused("is not a saved model", "inspect", self.path("huge"))
        for name, content, expected in (("empty", b"", "is empty"),
                                        ("text", b"hello\n", "is not a saved model"),
                                        ("packed", gzip.compress(b"BNDLIER"),
                                         "is not a saved model"),
                                        ("seven", b"BNDLIER", "is cut off"),
                                        ("zeros", bytes(500), "is not a saved model")):
            with open(self.path(name), "wb") as file:
                file.write(content)
            self.refused(self.path(name) + " " + expected, "inspect", self.path(name))
            self.refused("is not a folder", "report", self.path(name))
        self.refused("none.toml", "run", self.path("none.toml"))
        with open(self.path("bad.toml"), "w", encoding="utf-8") as file:
            file.write('env = ["wheel"]\ntrails = 3\n')
        self.refused("bad.toml:2: unknown key 'trails', did you mean 'trials'?", "run",
                     self.path("bad.toml"))
        self.refused("holds no results", "report", self.folder.name)
        self.refused("is not a folder", "report", self.path("none"))

    def test_a_table_or_a_name_in_place_of_an_experiment_file_says_what_to_type(self):
        for name in ("churn.csv", "churn.tsv.gz", "churn.data"):
            with open(self.path(name), "w", encoding="utf-8") as file:
                file.write("x,y\n1,a\n")
            self.refused("bandolier run --env csv:" + self.path(name) + ",label=", "run",
                         self.path(name))
        self.refused("No such file", "run", self.path("none.csv"))
        self.refused("bandolier run --env wheel:delta=0.5", "run", "wheel:delta=0.5")
        self.refused("is a folder", "run", self.folder.name)

    def test_an_output_folder_that_cannot_be_written(self):
        with open(self.path("file"), "w", encoding="utf-8") as file:
            file.write("x")
        self.refused("file", "run", *SMALL, "--out", self.path("file"))
        self.refused("file", "run", *SMALL, "--out", self.path("file", "below"))
        self.refused("/proc/bandolier", "run", *SMALL, "--out", "/proc/bandolier")
        self.refused("file", "run", *SMALL, "--save", self.path("file", "below"), "--out",
                     self.path("out"))
        self.refused("cannot be made: File name too long", "run", *SMALL, "--out",
                     self.path("a" * 300))

    def test_json_has_one_element_for_each_pair_in_the_order_asked(self):
        result = bandolier("run", "--env", "wheel:delta=0.5", "linear", "--agent", "uniform",
                           "linear:lambda=1", "--steps", "100", "--trials", "2", "--format",
                           "json")
        self.assertEqual(result.returncode, 0, result.stderr)
        rows = json.loads(result.stdout)
        self.assertEqual([(row["env"], row["agent"]) for row in rows],
                         [(env, agent) for env in ("wheel:delta=0.5", "linear")
                          for agent in ("uniform", "linear:lambda=1")])
        for row in rows:
            self.assertEqual(list(row)[:len(LIST)], LIST)
            self.assertEqual(row["steps"], 100)
            self.assertEqual(row["trials"], 2)
            self.assertLessEqual(row["reward_mean"], row["oracle_mean"] + 50)
        one = json.loads(bandolier("run", "--env", "linear", "--agent", "linear", "--steps", "50",
                                   "--trials", "1", "--format", "json").stdout)[0]
        self.assertIsNone(one["reward_std"])
        self.assertIsNone(one["reward_ci95"])
        self.assertIsNone(one["subspace_dim"])

    def test_csv_has_the_same_columns(self):
        result = bandolier("run", *SMALL, "--format", "csv")
        rows = list(csv.DictReader(result.stdout.splitlines()))
        self.assertEqual(len(rows), 2)
        self.assertEqual(list(rows[0])[:len(LIST)], LIST)

    def test_results_do_not_depend_on_the_number_of_jobs(self):
        def rewards(jobs):
            rows = json.loads(bandolier("run", *SMALL, "--jobs", jobs, "--format", "json").stdout)
            return [(row["reward_mean"], row["regret_mean"], row["reward_std"]) for row in rows]

        self.assertEqual(rewards("1"), rewards("2"))
        for jobs in ("1", "2"):
            bandolier("run", *SMALL, "--jobs", jobs, "--out", self.path(jobs))
        for name in ("trials.csv", "curves.csv"):
            with open(self.path("1", name), "rb") as one, open(self.path("2", name), "rb") as two:
                self.assertEqual(one.read(), two.read())

    def test_linear_on_linear_has_less_than_fifteen_percent_of_the_regret_of_uniform(self):
        result = bandolier("run", "--env", "linear", "--agent", "linear", "uniform", "--steps",
                           "2000", "--trials", "2", "--format", "json")
        linear, uniform = json.loads(result.stdout)
        self.assertLess(linear["regret_mean"], 0.15 * uniform["regret_mean"])

    def test_an_experiment_file_and_flags_that_override_it(self):
        with open(self.path("e.toml"), "w", encoding="utf-8") as file:
            file.write('env = ["linear"]\nagent = ["uniform"]\nsteps = 100\ntrials = 2\n'
                       'format = "json"\n')
        rows = json.loads(bandolier("run", self.path("e.toml"), "--trials", "3").stdout)
        self.assertEqual([(r["env"], r["agent"], r["steps"], r["trials"]) for r in rows],
                         [("linear", "uniform", 100, 3)])

    def test_a_dry_run_prints_the_plan_and_writes_nothing(self):
        result = bandolier("run", *SMALL, "--dry-run", "--out", self.path("out"))
        self.assertEqual(result.returncode, 0)
        self.assertIn("environment linear: 200 steps", result.stdout)
        self.assertFalse(os.path.exists(self.path("out")))

    def test_a_dry_run_checks_folders_and_shows_the_notes(self):
        with open(self.path("file"), "w", encoding="utf-8") as file:
            file.write("x,y\n1,a\n2,b\n?,a\n4,b\n5,a\n6,b\n7,a\n8,b\n")
        self.refused("is not a folder", "run", *SMALL, "--dry-run", "--out", self.path("file"))
        self.refused("is not a folder", "run", *SMALL, "--dry-run", "--save", self.path("file"))
        bandolier("run", *SMALL, "--out", self.path("o"))
        self.refused("seed is 0 there and 1 here", "run", *SMALL, "--seed", "1", "--dry-run",
                     "--out", self.path("o"))
        plan = bandolier("run", "--env", "csv:" + self.path("file") + ",label=y", "--dry-run")
        self.assertIn("1 missing numbers replaced", plan.stdout)

    def test_a_finished_run_saves_agents_that_are_asked_for_later(self):
        self.assertEqual(bandolier("run", *SMALL, "--out", self.path("o")).returncode, 0)
        self.assertEqual(bandolier("run", *SMALL, "--out", self.path("o"), "--save",
                                   self.path("m")).returncode, 0)
        self.assertEqual(len(os.listdir(self.path("m"))), 2)

    def read_log(self, *parts):
        with open(self.path(*parts), encoding="utf-8") as file:
            return [json.loads(line) for line in file]

    def test_a_log_has_every_decision_with_the_probabilities_it_was_drawn_from(self):
        work = ["run", "--env", "linear", "--agent", "auto", "subspace-ekf:dim=5,exploration_floor=0",
                "--steps", "150", "--trials", "2", "--out", self.path("o")]
        result = bandolier(*work, "--log", self.path("l"), "--format", "json")
        self.assertEqual(result.returncode, 0, result.stderr)
        names = ["linear--auto--trial-0.dsjson", "linear--auto--trial-1.dsjson",
                 "linear--subspace-ekf_dim=5_exploration_floor=0--trial-0.dsjson",
                 "linear--subspace-ekf_dim=5_exploration_floor=0--trial-1.dsjson"]
        self.assertEqual(sorted(os.listdir(self.path("l"))), names)
        earned = 0
        for name in names[:2]:
            events = self.read_log("l", name)
            self.assertEqual([e["Timestamp"] for e in events], [str(t) for t in range(150)])
            self.assertEqual(len({e["EventId"] for e in events}), 150)
            for step, event in enumerate(events):
                self.assertEqual(sorted(event["a"]), list(range(1, 9)))
                self.assertAlmostEqual(sum(event["p"]), 1, 9)
                self.assertEqual(event["p"][0], event["_label_probability"])
                self.assertEqual(event["a"][0], event["_label_Action"])
                self.assertEqual(event["p"][1:], sorted(event["p"][1:], reverse=True))
                self.assertEqual("_skipLearn" in event, step < 16)
                self.assertNotIn("_noSupport", event)
                if step >= 16:
                    self.assertGreaterEqual(min(event["p"]), 0.01 / 8 - 1e-12)
            earned -= sum(e["_label_cost"] for e in events) / 2
        self.assertTrue(self.read_log("l", names[2])[-1]["_noSupport"])
        self.assertAlmostEqual(earned, json.loads(result.stdout)[0]["reward_mean"], 2)
        # A log that is lost is made again; a folder of such a run is not one of another.
        first = self.read_log("l", names[1])
        os.remove(self.path("l", names[1]))
        self.assertEqual(bandolier(*work, "--log", self.path("l")).returncode, 0)
        self.assertEqual(self.read_log("l", names[1]), first)
        self.assertEqual(bandolier(*work).returncode, 1)

    def test_changed_data_are_refused_by_a_folder_that_began_with_others(self):
        def write(last):
            with open(self.path("d.csv"), "w", encoding="utf-8") as file:
                file.write("x,y\n" + "".join(f"{i},{'ab'[i % 2]}\n" for i in range(20)) + last)

        work = ["run", "--env", "csv:" + self.path("d.csv") + ",label=y", "--agent", "uniform",
                "--trials", "1", "--out", self.path("o")]
        write("20,a\n")
        self.assertEqual(bandolier(*work).returncode, 0)
        write("21,a\n")
        self.assertIn("data is ", bandolier(*work).stderr)

    def test_nothing_decided_has_no_latency(self):
        row = json.loads(bandolier("run", "--env", "wheel", "--agent", "uniform", "--steps", "10",
                                   "--trials", "1", "--format", "json").stdout)[0]
        self.assertIsNone(row["step_us_p50"])
        self.assertIsNone(row["step_us_p99"])

    def test_saved_agents_can_be_inspected(self):
        self.assertEqual(bandolier("run", *SMALL, "--save", self.path("m")).returncode, 0)
        self.assertEqual(sorted(os.listdir(self.path("m"))),
                         ["linear--linear.bndl", "linear--uniform.bndl"])
        result = bandolier("inspect", self.path("m", "linear--linear.bndl"))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("steps learned  200", result.stdout)
        self.assertIn("lambda", result.stdout)
        with open(self.path("m", "linear--linear.bndl"), "rb") as file:
            whole = file.read()
        with open(self.path("cut"), "wb") as file:
            file.write(whole[:len(whole) // 2])
        self.refused("cut", "inspect", self.path("cut"))

    def test_an_agent_that_goes_by_names_shows_them(self):
        source = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
        result = bandolier("inspect", os.path.join(source, "testing", "data", "named.bndl"))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stdout, "action names +tea, coffee")
        self.assertRegex(result.stdout, "named features +3 in 16 slots: country=IT, age, country=GB")

    def test_another_experiment_in_the_folder_is_refused(self):
        self.assertEqual(bandolier("run", *SMALL, "--out", self.path("o")).returncode, 0)
        result = bandolier("run", *SMALL, "--seed", "1", "--out", self.path("o"))
        self.assertEqual(result.returncode, 1)
        self.assertIn("seed is 0 there and 1 here", result.stderr)

    def test_the_same_command_on_a_complete_folder_runs_nothing_and_prints_the_same(self):
        first = bandolier("run", *SMALL, "--out", self.path("o"), "--format", "json")
        second = bandolier("run", *SMALL, "--out", self.path("o"), "--format", "json")
        first, second = json.loads(first.stdout), json.loads(second.stdout)
        self.assertEqual([r["reward_mean"] for r in first], [r["reward_mean"] for r in second])
        for a, b in zip(first, second):
            self.assertAlmostEqual(a["seconds_mean"] / b["seconds_mean"], 1, places=4)

    def test_more_trials_agents_and_environments_go_on_from_what_is_there(self):
        def work(agents, trials, envs, *more):
            return bandolier("run", "--env", *envs, "--agent", *agents, "--steps", "100",
                             "--trials", trials, "--format", "json", *more)

        whole = ("linear", "wheel"), ("linear", "uniform")
        self.assertEqual(work(whole[1], "3", whole[0], "--out", self.path("w")).returncode, 0)
        first = work(["uniform"], "2", ["wheel"], "--out", self.path("o"))
        self.assertEqual(first.returncode, 0, first.stderr)
        second = work(whole[1], "3", whole[0], "--out", self.path("o"))
        self.assertIn("has 2 trials: going on from there", second.stderr)
        self.assertEqual([row["trials"] for row in json.loads(second.stdout)], [3] * 4)
        for name in ("trials.csv", "curves.csv"):
            with open(self.path("w", name), "rb") as a, open(self.path("o", name), "rb") as b:
                self.assertEqual(a.read(), b.read())
        # Less is shown, and nothing is lost.
        less = work(["uniform"], "1", ["wheel"], "--out", self.path("o"))
        self.assertEqual([row["trials"] for row in json.loads(less.stdout)], [1])
        with open(self.path("o", "trials.csv"), encoding="utf-8") as file:
            self.assertEqual(len(file.readlines()), 13)

    def test_agents_that_are_there_are_replaced_by_force_alone(self):
        save = ["run", *SMALL, "--save", self.path("m")]
        self.assertEqual(bandolier(*save).returncode, 0)
        self.refused("use --force", *save)
        self.refused("use --force", *save, "--dry-run")
        self.assertEqual(bandolier(*save, "--force").returncode, 0)
        # Of a run that goes on they are its own.
        with_out = ["run", *SMALL, "--save", self.path("n"), "--out", self.path("o")]
        for _ in range(2):
            self.assertEqual(bandolier(*with_out).returncode, 0)
        self.assertEqual(sorted(os.listdir(self.path("n"))),
                         ["linear--linear.bndl", "linear--uniform.bndl"])

    def test_a_report_of_a_damaged_folder_says_so_and_fails(self):
        work = ["run", *SMALL, "--out", self.path("o")]
        bandolier(*work)
        self.assertEqual(bandolier("report", self.path("o")).returncode, 0)
        with open(self.path("o", "trials.csv"), "r+b") as file:
            file.truncate(os.path.getsize(file.name) - 3)
        os.remove(self.path("o", "report.html"))
        result = bandolier("report", self.path("o"))
        self.assertEqual(result.returncode, 1)
        self.assertIn("trials.csv: the last line is incomplete", result.stderr)
        self.assertIn("run the same command again to mend it", result.stderr)
        self.assertTrue(os.path.exists(self.path("o", "report.html")))
        self.assertEqual(bandolier(*work).returncode, 0)
        result = bandolier("report", self.path("o"))
        self.assertEqual((result.returncode, result.stderr), (0, ""))

    def test_a_file_name_that_is_not_utf8_keeps_its_result(self):
        name = os.fsencode(self.path("")) + b"\xff.csv"
        with open(name, "w", encoding="utf-8") as file:
            file.write("x,y\n" + "".join(f"{i},{'ab'[i % 2]}\n" for i in range(20)))
        work = [PROGRAM, "run", "--env", b"csv:" + name + b",label=y", "--agent", "uniform",
                "--trials", "1", "--format", "json", "--out", self.path("o")]
        for _ in range(2):
            result = subprocess.run(work, capture_output=True, timeout=60)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn("\ufffd.csv", json.loads(result.stdout)[0]["env"])
        self.assertEqual(bandolier("report", self.path("o")).returncode, 0)

    def test_the_table_is_narrow_and_actions_are_counted(self):
        long = "linear:temperature=pulls,temperature_floor=0.1,temperature_pulls=5,optimism=0.6"
        result = bandolier("run", "--env", "wheel", "--agent", "uniform", long, "--steps", "100",
                           "--trials", "2", "--actions")
        self.assertEqual(result.returncode, 0, result.stderr)
        lines = result.stdout.splitlines()
        self.assertLessEqual(max(len(line) for line in lines), 100, result.stdout)
        self.assertIn("  [2] " + long, lines)
        self.assertIn("wheel: how often each action was chosen, %", lines)
        rows = json.loads(bandolier("run", "--env", "wheel", "--agent", "uniform", "--steps",
                                    "100", "--trials", "2", "--format", "json").stdout)
        self.assertEqual(len(rows[0]["chosen"]), 5)
        self.assertAlmostEqual(sum(row["share"] for row in rows[0]["chosen"]), 1)

    def test_killed_three_times_and_resumed_gives_the_same_bytes(self):
        work = ["run", "--env", "linear", "wheel", "--agent", "linear", "uniform", "--steps",
                "20000", "--trials", "4", "--quiet", "--jobs", "2"]
        self.assertEqual(bandolier(*work, "--out", self.path("whole")).returncode, 0)
        for seconds in (0.01, 0.02, 0.15):
            process = subprocess.Popen([PROGRAM, *work, "--out", self.path("cut")],
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(seconds)
            process.send_signal(signal.SIGKILL)
            process.wait()
        self.assertEqual(bandolier(*work, "--out", self.path("cut")).returncode, 0)
        for name in ("trials.csv", "curves.csv"):
            with open(self.path("whole", name), "rb") as a, open(self.path("cut", name), "rb") as b:
                self.assertEqual(a.read(), b.read())

    def test_ctrl_c_keeps_what_is_done_and_says_how_to_go_on(self):
        work = ["run", "--env", "wheel", "--agent", "linear", "--steps", "300000", "--trials",
                "50", "--quiet", "--out", self.path("o")]
        process = subprocess.Popen([PROGRAM, *work], stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True)
        while not os.path.exists(self.path("o", "manifest.json")):
            time.sleep(0.02)
        second = bandolier(*work)
        process.send_signal(signal.SIGINT)
        _, stderr = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 1)
        self.assertIn("stopping: trials under way are given up, those that are done (", stderr)
        self.assertIn("the same command goes on from here", stderr)
        self.assertEqual(second.returncode, 1)
        self.assertIn("in use by another process", second.stderr)

    @staticmethod
    def training(epochs):
        """Two trials, the second of them a training of so many steps."""
        return ["run", "--env", "wheel", "--agent", "uniform",
                f"neural-greedy:epochs={epochs},max_steps=0", "--steps", "20", "--trials", "1",
                "--jobs", "1", "--quiet"]

    def start_training(self, epochs, out, *arguments):
        """The program, once its first trial is done."""
        process = subprocess.Popen([PROGRAM, *self.training(epochs), "--out", out, *arguments],
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.kill)
        lines = 0
        while lines < 2:
            self.assertIsNone(process.poll())
            time.sleep(0.02)
            if os.path.exists(os.path.join(out, "trials.csv")):
                with open(os.path.join(out, "trials.csv"), encoding="utf-8") as file:
                    lines = len(file.readlines())
        time.sleep(0.1)
        return process

    def test_ctrl_c_in_the_middle_of_a_training_keeps_the_trials_that_are_done(self):
        for stop in (signal.SIGINT, signal.SIGTERM):
            out, models, logs = (self.path(f"{kind}-{stop}") for kind in "oml")
            process = self.start_training(10**9, out, "--save", models, "--log", logs)
            process.send_signal(stop)
            stdout, stderr = process.communicate(timeout=60)
            self.assertEqual(process.returncode, 1)
            self.assertEqual(stderr.splitlines(), [
                "bandolier: stopping: trials under way are given up, those that are done (1) are "
                "kept, and the same command goes on from there; Ctrl-C again ends at once",
                "bandolier: stopped after 1 of 2 trials; the same command goes on from here"])
            self.assertIn("uniform", stdout)
            self.assertEqual(os.listdir(models), ["wheel--uniform.bndl"])
            self.assertEqual(os.listdir(logs), ["wheel--uniform--trial-0.dsjson"])
            self.assertEqual(bandolier("report", out).returncode, 0)

    def test_a_stopped_training_and_the_same_command_again_give_the_same_bytes(self):
        process = self.start_training(300000, self.path("cut"))
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, 1)
        for name in ("cut", "whole"):
            again = bandolier(*self.training(300000), "--out", self.path(name))
            self.assertEqual(again.returncode, 0, again.stderr)
        for name in ("trials.csv", "curves.csv"):
            with open(self.path("whole", name), "rb") as a, open(self.path("cut", name), "rb") as b:
                self.assertEqual(a.read(), b.read())

    def test_a_second_ctrl_c_ends_at_once(self):
        process = self.start_training(10**9, self.path("o"))
        process.send_signal(signal.SIGSTOP)  # so that both are there before the first is heard
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGTERM)
        process.send_signal(signal.SIGCONT)
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130)

    def test_quiet_hides_progress_and_going_on_but_no_repair_and_no_failure(self):
        work = ["run", *SMALL, "--out", self.path("o")]
        self.assertEqual(bandolier(*work).returncode, 0)
        self.assertIn("going on from there", bandolier(*work).stderr)
        with open(self.path("o", "trials.csv"), "rb+") as file:
            file.truncate(os.path.getsize(self.path("o", "trials.csv")) - 5)
        result = bandolier(*work, "--quiet")
        self.assertEqual(result.returncode, 0)
        self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
        self.assertNotIn("going on", result.stderr)
        self.assertIn("trials.csv", result.stderr)
        failed = bandolier("run", *SMALL, "--agent", "subspace-ekf:basis=svd", "--warmup-pulls", "0",
                           "--quiet")
        self.assertEqual(failed.returncode, 1)
        self.assertIn("failed: basis=svd", failed.stderr)

    def test_a_closed_pipe_is_quiet(self):
        for arguments in (["list", "agents", "linear"], ["run", *SMALL, "--format", "json"]):
            process = subprocess.Popen([PROGRAM, *arguments], stdout=subprocess.PIPE,
                                       stderr=subprocess.PIPE)
            process.stdout.close()
            self.assertEqual(process.stderr.read(), b"")
            process.stderr.close()
            self.assertEqual(process.wait(), 0)

    def test_a_full_disk_under_stdout_is_one_line(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("no /dev/full on this system")
        with open("/dev/full", "w", encoding="utf-8") as full:
            result = subprocess.run([PROGRAM, "list", "agents"], stdout=full,
                                    stderr=subprocess.PIPE, text=True, check=False)
        self.assertEqual(result.returncode, 1)
        self.assertEqual(len(result.stderr.splitlines()), 1)

    def test_a_stdout_that_is_not_there_is_one_line_and_damages_no_file(self):
        result = subprocess.run(["sh", "-c", '"$@" >&-', "sh", PROGRAM, "run", *SMALL, "--log",
                                 self.path("l"), "--out", self.path("o")],
                                stderr=subprocess.PIPE, text=True, check=False, timeout=120)
        self.assertEqual(result.returncode, 1)
        self.assertEqual(result.stderr, "bandolier: standard output cannot be written: Bad file "
                         "descriptor\n")
        self.assertEqual(bandolier("report", self.path("o")).returncode, 0)

    def test_a_report_is_one_page_that_loads_nothing_and_a_file_for_each_figure(self):
        bandolier("run", *SMALL, "--out", self.path("o"))
        result = bandolier("report", self.path("o"))
        self.assertEqual(result.stdout, self.path("o", "report.html") + "\n")
        with open(self.path("o", "report.html"), encoding="utf-8") as file:
            page = file.read()
        self.assertEqual(page.count("<svg"), 4)
        self.assertNotIn("http", page.replace("http://www.w3.org/2000/svg", ""))
        self.assertNotIn("<script", page)
        self.assertNotIn("nan", page)
        self.assertIn("bandolier run --env linear --agent linear uniform --steps 200", page)
        figures = [name for name in os.listdir(self.path("o")) if name.endswith(".svg")]
        self.assertEqual(sorted(figures), ["linear-curves.svg", "linear-memory.svg",
                                           "linear-reward.svg", "linear-time.svg"])

    def test_version_and_help(self):
        version = bandolier("--version")
        self.assertEqual(version.returncode, 0)
        self.assertTrue(version.stdout.startswith("bandolier "))
        self.assertEqual(bandolier("--help").returncode, 0)
        run_help = bandolier("run", "--help")
        self.assertEqual(run_help.returncode, 0)
        self.assertIn("--warmup-feedback", run_help.stdout)
        self.assertEqual(bandolier("help", "run").stdout, run_help.stdout)
        self.assertEqual(bandolier("help").stdout, bandolier("--help").stdout)
        self.assertEqual(bandolier("help", "data", "get").stdout,
                         bandolier("data", "get", "--help").stdout)

    def commands(self, *above):
        """Every command that has a help, the program itself first."""
        yield above
        page = bandolier("help", *above).stdout
        if "Subcommands:" in page:
            names = page.split("Subcommands:")[1].split("Examples:")[0]
            for name in re.findall(r"^  ([a-z]+)", names, re.MULTILINE):
                yield from self.commands(*above, name)

    def churn(self):
        """A table with an id, dates, missing values, and an agent that was saved from it."""
        with open(self.path("churn.csv"), "w") as file:
            file.write("customer_id,signup,age,plan,churned\n")
            for i in range(400):
                age = 18 + i * 7 % 50
                plan = ("basic", "pro", "")[i % 3]
                file.write(f"{100000 + i},2024-{1 + i % 12:02}-01,{age if i % 9 else 'NaN'},{plan},"
                           f"{'yes' if age < 40 else 'no'}\n")
        result = bandolier("run", "--env", "csv:churn.csv,label=churned", "--agent", "linear",
                           "--trials", "1", "--save", "models", cwd=self.folder.name)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("customer_id", result.stdout)
        self.assertEqual([name[-5:] for name in os.listdir(self.path("models"))], [".bndl"])
        return self.path("models", os.listdir(self.path("models"))[0])

    def test_a_saved_agent_decides_for_new_rows_and_learns_from_late_rewards(self):
        model = self.churn()
        lines = [{"id": "young", "context": {"age": 20, "plan": "pro", "colour": "red"}},
                 {"id": "old", "context": {"age": 66, "signup": "2024-05-01"}},
                 {"id": "young", "reward": 1.0}, {"id": "nobody", "reward": 1.0},
                 {"context": {"age": 50}, "action": "no", "reward": 1}]
        text = "".join(json.dumps(line) + "\n" for line in lines) + "not json\n"
        result = bandolier("decide", model, "--save", self.path("next.bndl"), input=text)
        self.assertEqual(result.returncode, 1, result.stderr)
        answers = [json.loads(line) for line in result.stdout.splitlines()]
        self.assertEqual([answer["id"] for answer in answers], ["young", "old"])
        self.assertEqual([answer["action"] for answer in answers], ["yes", "no"])
        self.assertEqual(set(answers[0]), {"id", "action", "propensity", "scores"})
        self.assertEqual(set(answers[0]["scores"]), {"yes", "no"})
        for expected in ("'colour'", "line 6", "1 rewards were left out"):
            self.assertIn(expected, result.stderr)
        self.assertIn("402", bandolier("inspect", self.path("next.bndl")).stdout)
        again = bandolier("decide", model, "--save", self.path("next.bndl"), input="")
        self.assertEqual(again.returncode, 2)
        self.assertIn("--force", again.stderr)

    def test_a_saved_agent_decides_for_a_table_and_goes_on_in_run(self):
        model = self.churn()
        table = "age,plan,signup,customer_id\n20,pro,2024-01-01,7\n66,,,8\n"
        result = bandolier("decide", model, input=table)
        self.assertEqual(result.returncode, 0, result.stderr)
        answers = [json.loads(line) for line in result.stdout.splitlines()]
        self.assertEqual([answer["action"] for answer in answers], ["yes", "no"])
        self.assertIn("'customer_id'", result.stderr)
        result = bandolier("run", "--env", "csv:churn.csv,label=churned", "--from", model,
                           "--trials", "1", "--format", "json", "--quiet", cwd=self.folder.name)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertGreater(json.loads(result.stdout)[0]["reward_mean"], 340)

    def test_decide_answers_each_line_as_it_comes_and_saves_when_it_is_stopped(self):
        model = self.churn()
        with subprocess.Popen([PROGRAM, "decide", model, "--save", self.path("kept.bndl")],
                              stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True) as process:
            process.stdin.write('{"id": 1, "context": {"age": 20}, "reward": 1}\n')
            process.stdin.flush()
            self.assertEqual(json.loads(process.stdout.readline())["id"], 1)
            process.send_signal(signal.SIGINT)
            self.assertEqual(process.wait(30), 1)
            self.assertIn("what was learnt is saved", process.stderr.read())
        self.assertIn("401", bandolier("inspect", self.path("kept.bndl")).stdout)

    def test_every_help_ends_with_two_examples_that_run(self):
        commands = list(self.commands())
        self.assertIn(("data", "get"), commands)
        self.assertIn(("help",), commands)
        done = set()
        for command in commands:
            page = bandolier("help", *command).stdout
            examples = page.split("Examples:\n")[1].splitlines()
            self.assertEqual(len(examples), 2, page)
            for line in examples:
                words = shlex.split(line)
                self.assertEqual(words[0], "bandolier", page)
                if line in done or (words[1] in ("paper", "data") and "list" not in words):
                    continue  # those need data that need not be there
                done.add(line)
                text = None
                if "<" in words:
                    words, text = words[:words.index("<")], '{"id": 1, "context": [0.1, 0.2]}\n'
                result = bandolier(*words[1:], cwd=self.folder.name, input=text)
                self.assertEqual(result.returncode, 0, line + "\n" + result.stderr)


if __name__ == "__main__":
    PROGRAM = os.path.abspath(sys.argv.pop(1))
    unittest.main()
