"""What the tests of the program from outside share.

usage of each: cli_..._test.py PATH_TO_BANDOLIER
"""

import os
import subprocess
import sys
import tempfile
import unittest

PROGRAM = os.path.abspath(sys.argv.pop(1))
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
