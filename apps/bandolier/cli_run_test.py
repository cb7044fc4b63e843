#!/usr/bin/env python3
"""The program from outside: experiments, their output formats, results and saved agents."""

import csv
import json
import os
import subprocess
import time
import unittest

from cli_case import PROGRAM, SMALL, CommandLine, bandolier

LIST = [
    "env", "agent", "steps", "trials", "reward_mean", "reward_std", "reward_ci95", "regret_mean",
    "uniform_mean", "best_fixed_mean", "oracle_mean", "seconds_mean", "step_us_p50",
    "step_us_p99", "belief_bytes", "parameters", "subspace_dim"]


class Run(CommandLine):
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


if __name__ == "__main__":
    unittest.main()
