#!/usr/bin/env python3
"""The command line from outside: exit codes, one-line errors, output formats, resuming.

usage: cli_test.py PATH_TO_BANDOLIER
"""

import csv
import gzip
import json
import os
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
        self.refused("known: run, paper, report, list, data, inspect", "fly")
        self.refused("did you mean 'agents'?", "list", "agent")
        self.refused("linear", "list", "agents", "liner")
        self.refused("did you mean 'tabular'?", "paper", "tabluar")

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
        self.refused("required", "list")
        self.refused("required", "inspect")
        self.refused("was not expected", "")
        self.refused("subcommand is required")
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

    def test_an_output_folder_that_cannot_be_written(self):
        with open(self.path("file"), "w", encoding="utf-8") as file:
            file.write("x")
        self.refused("file", "run", *SMALL, "--out", self.path("file"))
        self.refused("file", "run", *SMALL, "--out", self.path("file", "below"))
        self.refused("/proc/bandolier", "run", *SMALL, "--out", "/proc/bandolier")
        self.refused("file", "run", *SMALL, "--save", self.path("file", "below"), "--out",
                     self.path("out"))

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
        self.assertIn("the same command goes on from here", stderr)
        self.assertEqual(second.returncode, 1)
        self.assertIn("in use by another process", second.stderr)

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


if __name__ == "__main__":
    PROGRAM = os.path.abspath(sys.argv.pop(1))
    unittest.main()
