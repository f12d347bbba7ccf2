#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The program under the name of fio: its messages, versions, answers and exit codes.
Usage: fio_program_test.py ZONAL"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ZONAL = os.path.abspath(sys.argv[1])


class FioProgram(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        self.addCleanup(self.directory.cleanup)
        self.fio = pathlib.Path(self.directory.name) / "fio"
        self.fio.symlink_to(ZONAL)

    def run_fio(self, *words, program=None, stdin=None, environment=None):
        return subprocess.run([program or str(self.fio), *words], input=stdin, text=True,
                              capture_output=True, check=False, cwd=self.directory.name,
                              env=dict(os.environ, **(environment or {})))

    def zonal(self, *words, **more):
        return subprocess.run([ZONAL, "run", *words], text=True, capture_output=True, check=False,
                              cwd=self.directory.name, **more)

    def test_the_version_has_the_form_that_scripts_read(self):
        done = self.run_fio("--version")
        self.assertEqual(done.returncode, 0)
        self.assertRegex(done.stdout, r"^fio-\d+\.\d+-zonal-\d+\.\d+\.\d+\n$")
        self.assertRegex(self.zonal("--version").stdout, r"^zonal-\d+\.\d+\.\d+\n$")

    def test_the_report_names_that_version(self):
        done = self.run_fio("--name=j", "--filename=emu,zones=4", "--rw=write", "--zonemode=zbd",
                            "--size=1z", "--bs=1m", "--direct=1", "--output-format=json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(json.loads(done.stdout)["fio version"], r"^fio-\d")

    def test_messages_start_with_fio(self):
        for words, says in [
                (["--name=j", "--filename=f", "--zonesize=1"],
                 "fio: --zonemode=none and --zonesize are not compatible"),
                (["--name=j", "--filename=f", "--zonemode=strided"],
                 "fio: --zonesize must be specified when using --zonemode=strided"),
                (["--name=j", "--filename=f", "--zone_reset_threshold=-1"], "value out of range"),
                (["--name=j", "--filename=f", "--zone_reset_frequency=.4:.6"],
                 "the list exceeding max length"),
                (["--name=j", "--filename=f", "--zonemode=zbd", "--verify=md5",
                  "--experimental_verify=1"], "not support experimental verify"),
                (["--name=j", "--filename=f", "--nonsense=1"],
                 "fio: unknown option --nonsense")]:
            with self.subTest(words):
                done = self.run_fio(*words)
                self.assertEqual(done.returncode, 1)
                self.assertIn(says, done.stderr)

    def test_a_job_that_finds_nothing_to_read_is_a_success_and_says_so(self):
        words = ["--name=j", "--filename=emu,zones=4", "--rw=read", "--zonemode=zbd", "--direct=1"]
        done = self.run_fio(*words)
        self.assertEqual(done.returncode, 0)
        self.assertNotIn("READ:", done.stdout)
        self.assertIn("fio: j: ", done.stderr)
        self.assertEqual(self.zonal(*words).returncode, 3)

    def test_parse_only_and_showcmd_run_nothing(self):
        job = "[a]\nfilename=never\nrw=write\nsize=1m\nnumjobs=2\n"
        done = self.run_fio("--parse-only", "-", stdin=job)
        self.assertEqual((done.returncode, done.stdout), (0, ""))
        done = self.run_fio("--showcmd", "-", stdin=job)
        self.assertEqual(done.returncode, 0)
        self.assertEqual(done.stdout,
                         "fio --name=a --filename=never --rw=write --size=1m --numjobs=2\n")
        self.assertFalse((pathlib.Path(self.directory.name) / "never").exists())
        bad = self.run_fio("--parse-only", "-", stdin="[a]\nbs=4y\n")
        self.assertEqual(bad.returncode, 1)
        self.assertIn("-:2: bs=4y", bad.stderr)

    def test_a_job_file_runs_with_its_variables(self):
        path = pathlib.Path(self.directory.name) / "a.fio"
        path.write_text("[w]\nfilename=${DRIVE}\nzonemode=zbd\nrw=write\nbs=1m\nsize=1z\ndirect\n")
        done = self.run_fio(str(path), environment={"DRIVE": "emu,zones=4"})
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertTrue(re.search(r"^  WRITE: ", done.stdout, re.MULTILINE), done.stdout)

    def test_what_is_no_job_file_is_refused(self):
        for path, says in [("nothing.fio", "No such file"), ("/dev/null", "not a file"),
                           (".", "not a file")]:
            with self.subTest(path):
                done = self.run_fio(path)
                self.assertEqual(done.returncode, 1)
                self.assertIn(says, done.stderr)

    def test_help_answers_come_on_standard_output(self):
        self.assertIn("--zonemode", self.run_fio("--cmdhelp=zonemode").stdout)
        self.assertIn("libaio", self.run_fio("--enghelp").stdout)
        self.assertIn("Usage:", self.run_fio("--help").stdout)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
