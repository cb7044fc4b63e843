"""Tests of `bandolier evaluate` from outside. usage: cli_evaluate_test.py PATH_TO_BANDOLIER"""

import json
import os
import unittest

from cli_case import CommandLine, bandolier


class Evaluate(CommandLine):
    def log(self):
        """200 decisions between a and b, a with probability 1/4: a earns 0.5, b earns 1."""
        path = self.path("log.csv")
        with open(path, "w") as file:
            file.write("x,action,reward,propensity\n")
            for i in range(200):
                file.write(f"{i % 7},a,0.5,0.25\n" if i % 4 == 0 else f"{i % 5},b,1,0.75\n")
        return path

    def evaluate(self, *arguments):
        result = bandolier("evaluate", *arguments)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result

    def test_json_has_one_element_per_policy_and_estimator_as_typed(self):
        found = json.loads(self.evaluate(self.log(), "--policy", "fixed:b", "uniform", "--estimator",
                                         "ips", "dr", "--format", "json").stdout)
        self.assertEqual([(row["policy"], row["estimator"]) for row in found],
                         [("fixed:b", "ips"), ("fixed:b", "dr"), ("uniform", "ips"),
                          ("uniform", "dr")])
        self.assertAlmostEqual(found[0]["value"], 1)
        self.assertAlmostEqual(found[2]["value"], 0.75)
        self.assertAlmostEqual(found[2]["difference"], -0.25)
        self.assertEqual(found[0]["n"], 200)

    def test_an_agent_of_run_is_taught_saved_and_evaluated(self):
        bandolier("run", "--env", "linear", "--agent", "uniform", "--steps", "600", "--trials", "1",
                  "--log", self.path("logs"), "--quiet")
        log = self.path("logs", "linear--uniform--trial-0.dsjson")
        model = self.path("linear.bndl")
        self.assertEqual(bandolier("learn", log, "--agent", "linear", "--save", model).returncode, 0)
        found = json.loads(self.evaluate(log, "--policy", "logged", model, "linear", "--estimator",
                                         "snips", "--format", "json").stdout)
        self.assertGreater(found[1]["difference"], 0)
        self.assertGreater(found[2]["difference"], 0)

    def test_out_writes_a_page_with_its_figures(self):
        out = self.path("out")
        self.evaluate(self.log(), "--policy", "fixed:b", "--estimator", "ips", "--out", out)
        self.assertEqual(sorted(os.listdir(out)), ["evaluation.json", "report.html", "values-1.svg",
                                                   "weights-1.svg"])
        with open(os.path.join(out, "report.html")) as page:
            self.assertIn("--policy fixed:b", page.read())

    def test_table_warns_of_few_effective_rows(self):
        self.assertIn("tell as much as 50",
                      self.evaluate(self.log(), "--policy", "fixed:a", "--estimator", "ips").stdout)

    def test_columns_and_predictions_may_stand_in_the_log(self):
        path = self.path("log.csv")
        with open(path, "w") as file:
            file.write("action,reward,propensity,pi_0,pi_1,q_0,q_1\n"
                       "0,1,0.5,0.2,0.8,0.5,0.25\n1,0,0.5,0.2,0.8,0.5,0.25\n")
        found = json.loads(self.evaluate(path, "--policy", "columns:pi_", "--predictions", "q_",
                                         "--estimator", "dm", "dr", "--format", "json").stdout)
        # v = 0.2·0.5 + 0.8·0.25 = 0.3; dr: + (0.4·(1 − 0.5) + 1.6·(0 − 0.25))/2
        self.assertAlmostEqual(found[0]["value"], 0.3)
        self.assertAlmostEqual(found[1]["value"], 0.2)

    def test_wrong_usage_is_one_line(self):
        log = self.log()
        self.refused("did you mean 'uniform'", "evaluate", log, "--policy", "unifrom")
        self.refused("did you mean 'snips'", "evaluate", log, "--policy", "uniform", "--estimator",
                     "snip")
        self.refused("add --reward-range", "evaluate", log, "--policy", "uniform", "--estimator",
                     "ips", "--interval", "betting")
        self.refused("has no interval 'betting'", "evaluate", log, "--policy", "uniform",
                     "--estimator", "snips", "--interval", "betting", "--reward-range", "0,1")
        self.refused("add --folds past", "evaluate", log, "--policy", "uniform", "--estimator", "dr",
                     "--interval", "betting", "--reward-range", "0,1")
        self.refused("expected LOW,HIGH", "evaluate", log, "--policy", "uniform", "--reward-range",
                     "1")
        self.refused("2 to 100, or past", "evaluate", log, "--policy", "uniform", "--folds", "1")
        self.refused("--policy", "evaluate", log)
        self.refused("nothing.csv", "evaluate", self.path("nothing.csv"),
                     "--policy", "uniform")
        self.refused("line 2", "evaluate", log, "--policy", "fixed:c")


if __name__ == "__main__":
    unittest.main()
