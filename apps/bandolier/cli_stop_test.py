#!/usr/bin/env python3
"""The program from outside: stopping, being killed, going on, and what is said meanwhile."""

import os
import signal
import subprocess
import time
import unittest

from cli_case import PROGRAM, SMALL, CommandLine, bandolier


class Stop(CommandLine):
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


if __name__ == "__main__":
    unittest.main()
