# SPDX-License-Identifier: MIT
"""Runs the real `zonal`, named by the environment variable ZONAL, in a scratch folder."""
import json
import os
import subprocess
import tempfile
import unittest

DONE, REFUSED, IO_FAILED, DID_LESS, INTERRUPTED = 0, 1, 2, 3, 128


class CliTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="zonal-cli-")
        self.addCleanup(scratch.cleanup)
        self.folder = scratch.name
        self.drive = os.path.join(self.folder, "d.zoned")

    def zonal(self, *arguments, exit_code=DONE, env=None):
        """Runs it, checks the exit code, returns (stdout, stderr)."""
        result = subprocess.run([os.environ["ZONAL"], *arguments], capture_output=True, text=True,
                                timeout=60, env={**os.environ, **(env or {})}, cwd=self.folder)
        self.assertEqual(result.returncode, exit_code,
                         f"zonal {' '.join(arguments)}\n{result.stdout}{result.stderr}")
        return result.stdout, result.stderr

    def refused(self, *arguments, says, exit_code=REFUSED):
        """It refuses: nothing on stdout, one line on stderr that holds each of `says`."""
        out, err = self.zonal(*arguments, exit_code=exit_code)
        self.assertEqual(out, "")
        self.assertEqual(err.count("\n"), 1, err)
        self.assertTrue(err.startswith("zonal"), err)
        for word in says:
            self.assertIn(word, err)

    def json(self, *arguments, **more):
        return json.loads(self.zonal(*arguments, **more)[0])

    def create(self, *arguments):
        """A drive of 8 zones of 1 MiB, the first one conventional, unless told otherwise."""
        default = ["--zones", "8", "--zone-size", "1MiB", "--conventional", "1"]
        return self.zonal("create", self.drive, *(arguments or default))[0]

    def conditions(self):
        zones = self.json("report", self.drive, "--json")["zones"]
        return [zone["condition"] for zone in zones]
