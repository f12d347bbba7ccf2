#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Each file of examples/ runs on an emulated drive in memory, and its --showcmd line
does the same. Usage: examples_test.py ZONAL EXAMPLES"""
import json
import os
import pathlib
import shlex
import subprocess
import sys
import unittest

ZONAL, EXAMPLES = sys.argv[1:3]
# Each job opens a drive of its own in memory; a file is shared by all.
DRIVE = "example.zoned"


def run(*words, **more):
    return subprocess.run(words, capture_output=True, text=True, check=False, **more)


class Examples(unittest.TestCase):
    def setUp(self):
        pathlib.Path(DRIVE).unlink(missing_ok=True)
        made = run(ZONAL, "create", DRIVE, "--zones=32", "--zone-size=1MiB")
        self.assertEqual(made.returncode, 0, made.stderr)
        self.environment = dict(os.environ, TARGET=DRIVE, ZONE_SIZE="1m")

    def tearDown(self):
        pathlib.Path(DRIVE).unlink(missing_ok=True)

    def bytes_of(self, words):
        done = run(ZONAL, "run", "--output-format=json", "--eta=never", *words,
                   env=self.environment)
        if "not available in this version" in done.stderr:
            self.skipTest(done.stderr)
        self.assertEqual(done.returncode, 0, done.stderr)
        jobs = json.loads(done.stdout)["jobs"]
        return [(job["jobname"], *(job[kind]["io_bytes"] for kind in ("read", "write", "trim")))
                for job in jobs]

    def test_each_example_does_what_it_says_also_as_a_command_line(self):
        files = sorted(pathlib.Path(EXAMPLES).glob("*.fio"))
        self.assertGreaterEqual(len(files), 3)
        for path in files:
            with self.subTest(path.name):
                self.setUp()  # a fresh drive
                from_file = self.bytes_of([str(path)])
                self.assertTrue(all(sum(moved) > 0 for _, *moved in from_file), from_file)
                shown = run(ZONAL, "run", "--showcmd", str(path), env=self.environment)
                self.assertEqual(shown.returncode, 0, shown.stderr)
                words = shlex.split(shown.stdout)
                self.assertEqual(words[:2], ["zonal", "run"])
                self.setUp()
                self.assertEqual(self.bytes_of(words[2:]), from_file)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
