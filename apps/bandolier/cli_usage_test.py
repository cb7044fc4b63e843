#!/usr/bin/env python3
"""The program from outside: wrong usage, bad files, closed pipes, help."""

import gzip
import os
import re
import shlex
import subprocess
import unittest

from cli_case import PROGRAM, SMALL, CommandLine, bandolier


class Usage(CommandLine):
    def test_unknown_names_give_one_line_with_the_nearest(self):
        self.refused("did you mean 'wheel'?", "run", "--env", "weel")
        self.refused("did you mean 'linear'?", "run", "--env", "wheel", "--agent", "liner")
        self.refused("did you mean 'lambda'?", "run", "--env", "wheel", "--agent",
                     "linear:lamda=1")
        self.refused("did you mean 'delta'?", "run", "--env", "wheel:delt=0.5")
        self.refused("did you mean '--trials'?", "run", "--env", "wheel", "--trails", "3")
        self.refused("did you mean 'run'?", "runn")
        self.refused("known: run, paper, merge, report, list, data, inspect, decide, convert, learn, replay, evaluate, help", "fly")
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
        self.refused("a command is missing: expected run, paper, merge, report")
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
    unittest.main()
