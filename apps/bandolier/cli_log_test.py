#!/usr/bin/env python3
"""The program from outside: logs are converted, learnt from and replayed."""

import gzip
import json
import os
import random
import signal
import subprocess
import time
import unittest

from cli_case import PROGRAM, CommandLine, bandolier


class Log(CommandLine):
    def log(self, rows=3000, name="log.csv"):
        """Of three banners "red" pays where x is above 0 and "blue" where not; a uniform logger."""
        draw = random.Random(4)
        with open(self.path(name), "w") as file:
            file.write("x,action,reward,propensity\n")
            for _ in range(rows):
                x = draw.gauss(0, 1)
                action = draw.choice(["red", "blue", "green"])
                reward = int(action == ("red" if x > 0 else "blue"))
                file.write(f"{x:.4f},{action},{reward},{1 / 3}\n")
        return self.path(name)

    def test_an_agent_learns_from_a_log_and_goes_on_by_names(self):
        model = self.path("m.bndl")
        result = bandolier("learn", self.log(), "--agent", "linear", "--save", model)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("learnt from 3,000 of 3,000 events", result.stdout)
        lines = [{"context": {"x": 1.5}}, {"context": {"x": -1.5}}]
        answers = bandolier("decide", model, input="".join(json.dumps(l) + "\n" for l in lines))
        self.assertEqual([json.loads(line)["action"] for line in answers.stdout.splitlines()],
                         ["red", "blue"])
        result = bandolier("learn", self.log(), "--agent", model, "--save", model)
        self.assertEqual(result.returncode, 2)
        self.assertIn("--force", result.stderr)
        result = bandolier("learn", self.log(), "--agent", model, "--save", model, "--force")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("6,000", bandolier("inspect", model).stdout)

    def test_rows_count_as_their_weights_say(self):
        log, model = self.log(500), self.path("w.bndl")
        result = bandolier("learn", log, "--agent", "linear", "--weights", "ips", "--save", model)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.refused("takes no weights", "learn", log, "--agent", "neural-greedy:model=mlp:5",
                     "--weights", "ips", "--save", self.path("n.bndl"))
        self.refused("weights=all: expected none|dropped|ips", "learn", log, "--weights", "all",
                     "--save", self.path("n.bndl"))

    def test_replay_tells_what_agents_would_have_earned(self):
        result = bandolier("replay", self.log(), "--agent", "linear", "uniform", "--format", "json")
        self.assertEqual(result.returncode, 0, result.stderr)
        linear, uniform = json.loads(result.stdout)
        self.assertEqual((linear["agent"], uniform["agent"]), ("linear", "uniform"))
        self.assertGreater(linear["mean"], 0.85)
        self.assertLess(uniform["low"], 1 / 3)
        self.assertGreater(uniform["high"], 1 / 3)
        self.assertEqual(linear["rows"], 3000)
        self.assertAlmostEqual(linear["accepted"] / 3000, 1 / 3, delta=0.05)
        for form, expected in (("table", "mean reward"), ("csv", "agent,rows,matched")):
            text = bandolier("replay", self.log(), "--agent", "uniform", "--format", form)
            self.assertIn(expected, text.stdout)

    def test_a_log_goes_through_every_format_and_comes_back(self):
        start = self.log(50)
        for to in ("a.dsjson.gz", "b.vw", "c.dsjson", "d.csv"):
            result = bandolier("convert", start, self.path(to))
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertEqual(result.stdout, f"{self.path(to)}: 50 events\n")
            start = self.path(to)
        self.refused("is there already", "convert", self.log(50), self.path("d.csv"))
        with gzip.open(self.path("a.dsjson.gz"), "rt") as file:
            self.assertEqual(len(file.readlines()), 50)

    def test_bad_logs_are_refused_in_one_line(self):
        log = self.log(20)
        with open(self.path("zero.csv"), "w") as file:
            file.write("x,action,reward,propensity\n1,0,1,0\n1,1,1,0.5\n")
        zero, out = self.path("zero.csv"), self.path("out.dsjson")
        self.refused("zero.csv line 2: propensity is 0", "convert", zero, out)
        self.refused("no column 'p'", "convert", log, out, "--propensity", "p")
        self.refused("no format", "convert", log, self.path("out.txt"))
        self.refused("would accept about", "replay", log, "--agent", "uniform", "--bound", "0.1")
        self.refused("bound is '2'", "replay", log, "--agent", "uniform", "--bound", "2")
        self.refused("did you mean 'linear'?", "learn", log, "--agent", "liner", "--save", out)
        self.refused("cannot be read", "learn", self.path("none"), "--save", out)
        self.refused("there is no folder", "learn", log, "--save", self.path("no", "m.bndl"))
        result = bandolier("convert", zero, out, "--lenient")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("1 lines skipped: their propensity is missing or wrong", result.stderr)

    def test_ctrl_c_leaves_nothing_half_written(self):
        log = self.log(200_000)
        before = sorted(os.listdir(self.folder.name))
        for arguments in (["convert", log, self.path("o.dsjson")],
                          ["learn", log, "--agent", "auto", "--save", self.path("m.bndl")]):
            process = subprocess.Popen([PROGRAM, *arguments], stderr=subprocess.PIPE, text=True)
            time.sleep(0.3)
            process.send_signal(signal.SIGINT)
            _, stderr = process.communicate(timeout=60)
            self.assertEqual(process.returncode, 1, stderr)
            self.assertIn("stopping: nothing is", stderr)
            self.assertEqual(sorted(os.listdir(self.folder.name)), before)


if __name__ == "__main__":
    unittest.main()
