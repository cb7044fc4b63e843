#!/usr/bin/env python3
"""The program from outside: a saved agent decides for new rows and learns from rewards."""

import json
import os
import signal
import subprocess
import unittest

from cli_case import PROGRAM, CommandLine, bandolier


class Decide(CommandLine):
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


if __name__ == "__main__":
    unittest.main()
