# SPDX-License-Identifier: MIT
"""What the tests of fio's zoned suite's job lines share: emulated drives, the program under
the name of fio, and the numbers in its report."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ZONAL = os.path.abspath(sys.argv[1])
BLOCK = 4096
SHORT = "200ms"  # where the suite runs for 3 to 30 s


class Layout:
    def __init__(self, name, capacity, conventional, limit):
        self.name, self.capacity, self.conventional, self.limit = (
            name, capacity, conventional, limit)
        self.size = 256 * 1024  # of a zone
        self.zones = 160 + conventional

    def create(self, path):
        limit = str(self.limit or "unlimited")
        subprocess.run([ZONAL, "create", path, "--force", "--zones", str(self.zones),
                        "--zone-size", str(self.size), "--zone-capacity", str(self.capacity),
                        "--conventional", str(self.conventional), "--block-size", "4096",
                        "--max-open", limit, "--max-active", limit],
                       check=True, stdout=subprocess.DEVNULL)

    def zone(self, number):
        """Where a write-pointer zone starts."""
        return (self.conventional + number) * self.size


LAYOUTS = [Layout("small", 256 * 1024, 0, 0), Layout("limits", 192 * 1024, 10, 12)]


class SuiteTest(unittest.TestCase):
    def setUp(self):
        directory = tempfile.TemporaryDirectory()
        self.addCleanup(directory.cleanup)
        self.folder = pathlib.Path(directory.name)
        self.fio = self.folder / "fio"
        self.fio.symlink_to(ZONAL)
        self.plain = str(self.folder / "plain")

    def layouts(self):
        for layout in LAYOUTS:
            self.fresh(layout)
            yield layout

    def fresh(self, layout):
        self.drive = str(self.folder / layout.name)  # told by what a failure shows
        layout.create(self.drive)
        self.l, self.zs, self.cap = layout, layout.size, layout.capacity

    def zonal(self, *words):
        subprocess.run([ZONAL, *words], check=True, stdout=subprocess.DEVNULL)

    def fio_run(self, *words):
        command = [str(self.fio), "--max-jobs=16", "--aux-path=/tmp", "--allow_file_create=0",
                   "--significant_figures=10", *[str(word) for word in words]]
        done = subprocess.run(command, text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, check=False, cwd=self.folder, timeout=60)
        self.text = done.stdout
        self.code = done.returncode
        return self

    def job(self, options, device=None):
        """One job; the options win over the common ones."""
        device = device or self.drive
        return self.fio_run(f"--name={device}", f"--filename={device}", *options.split(),
                            "--randseed=1", "--thread=1", "--direct=1")

    def on_zones(self, options, first=0, count=4):
        return self.job(f"--offset={self.l.zone(first)} --size={count * self.zs} "
                        f"--zonemode=zbd {options}")

    def on_plain(self, options, size=64 * 64 * 1024):
        with open(self.plain, "wb") as file:
            file.truncate(size)
        return self.job(options, self.plain)

    def moved(self, direction):
        found = re.findall(rf"^ *{direction}: .*, io=(\d+)B ", self.text, re.MULTILINE)
        return int(found[-1]) if found else 0

    def resets(self):
        found = re.findall(r"write:[^;]*; (\d+) zone resets$", self.text, re.MULTILINE)
        return sum(int(number) for number in found)

    def expect(self, written=None, read=None, resets=None, code=0):
        self.assertNotRegex(self.text, "Assertion |Aborted ")
        self.assertEqual(self.code, code, self.text)
        if written is not None:
            self.assertEqual(self.moved("WRITE"), written, self.text)
        if read is not None:
            self.assertEqual(self.moved("READ"), read, self.text)
        if resets is not None:
            self.assertIn(self.resets(), resets, self.text)

    def refused(self, says):
        self.assertNotEqual(self.code, 0, self.text)
        self.assertRegex(self.text, says)

    def writer_then(self, offset, size, options):
        """What the suite prepares reads with: two jobs, the second waits for the first."""
        return self.fio_run(f"--filename={self.drive}", "--randseed=1", "--name=write_job",
                            "--rw=write", "--ioengine=psync", f"--bs={BLOCK}", "--zonemode=zbd",
                            f"--zonesize={self.zs}", "--thread=1", "--direct=1",
                            f"--offset={offset}", f"--size={size}", f"--name={self.drive}",
                            "--wait_for=write_job", *options.split(), "--thread=1", "--direct=1")

    def biggest_block(self):
        """The largest power-of-two part of a zone's size that divides its capacity."""
        block = self.zs
        while self.cap % block:
            block //= 2
        return block


def main():
    unittest.main(argv=sys.argv[:1] + sys.argv[2:])
