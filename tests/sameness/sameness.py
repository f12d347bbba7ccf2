#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the same job lines with fio and with zonal (under the name fio), each time on a target in
the same state, and compares what they did (README.md).

  sameness.py --zonal PROGRAM                        plain files, and zones over plain files
  sameness.py --zonal PROGRAM --kind K               only one kind of these
  sameness.py --zonal PROGRAM --device DEV --kind K  a zoned block device; it is emptied

Exit code 0: every row is as the table says; 1: some are not; 77: there is no such fio."""
import argparse
import concurrent.futures
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import tempfile

import compare
import outcome
import rows_devices
import rows_file
import rows_zones
import row as rows
import target as targets

FIO = "fio-3.33"  # whose faults the rows name
LIMIT_SECONDS = 90


class Programs:
    """fio, and zonal as `fio` in a folder of its own. `both` are what a row runs."""

    def __init__(self, folder, zonal):
        self.fio = shutil.which("fio")
        link = folder / "fio"
        link.symlink_to(os.path.abspath(zonal))
        self.both = [self.fio, str(link)]


def words_of(row, target, options):
    words = shlex.split(rows.expand(options, target.facts))
    if not any(word.startswith("--name") for word in words):
        words.insert(0, "--name=j")
    # Contents that both programs can be held to; a row may have its own.
    return ["--eta=never", "--output-format=normal,json", "--buffer_pattern=0x5a",
            *target.options, *words]


def run(program, row, target, folder):
    """(outcome, text of all it said)"""
    target.set_up(row, folder)
    if row.prepare:
        execute([shutil.which("fio"), *words_of(row, target, row.prepare)], folder, check=True)
    if row.job_file:
        (folder / "j.fio").write_text(row.job_file)
        words = ["--eta=never", "--output-format=normal,json", "j.fio"]
    else:
        words = words_of(row, target, row.options)
    done = execute([program, *words], folder)
    text = done.stdout + done.stderr
    fields = {"exit": done.returncode, **outcome.of_report(done.stdout), **target.fields(folder)}
    if row.says:
        fields["says"] = row.says in text
    return fields, shlex.join(["fio", *words]) + "\n" + done.stderr


def execute(command, folder, check=False):
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=check,
                          timeout=LIMIT_SECONDS)


def judge(row, target, programs, scratch):
    """Lines of complaint, with the commands."""
    outcomes, said = [], []
    for program in programs.both:
        with tempfile.TemporaryDirectory(dir=scratch) as folder:
            try:
                fields, text = run(program, row, target, pathlib.Path(folder))
            except subprocess.TimeoutExpired as expired:
                return [f"not done after {LIMIT_SECONDS} s: {shlex.join(expired.cmd)}"]
        outcomes.append(fields)
        said.append(text)
    found = compare.complaints(row, target.facts, *outcomes)
    if found:
        found += ["", *said[0].splitlines(), "zonal said:", *said[1].splitlines()[1:]]
    return found


def run_table(table, target, programs, scratch, selftest):
    """(rows that are not as expected, rows)"""
    workers = 2 if target.at_once else 1
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(workers) as pool:
        found = pool.map(lambda row: judge(row, target, programs, scratch), table)
        for row, lines in zip(table, found):
            if bool(lines) == bool(selftest and row.differs):
                continue
            failed += 1
            print(f"{target.kind}: {row.name}", *(lines or ["passes"]), sep="\n  ", flush=True)
    known = sum(1 for row in table if row.differs)
    print(f"{target.kind}: {len(table)} rows, {known} with known differences, {failed} not as the "
          "table says", flush=True)
    return failed, len(table)


def parsed_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--zonal", required=True, help="the program under test")
    parser.add_argument("--device", help="a zoned block device; it is emptied")
    parser.add_argument("--kind", help="file, overlay, overlay_gap, or the layout of the device")
    parser.add_argument("--rows", choices=["all", "lab"], default="all",
                        help="lab: those that run in every test run on this kind of device")
    parser.add_argument("--only", help="rows with this in their name")
    parser.add_argument("--selftest", action="store_true", help="PROGRAM is fio: every row must "
                        "pass, except those with a known difference, which must fail")
    return parser.parse_args()


def why_not():
    """Why the table cannot be run here; None if it can."""
    if not shutil.which("fio"):
        return "fio is not installed"
    version = subprocess.check_output(["fio", "--version"], text=True).strip()
    if version != FIO:
        return f"the table is about {FIO}; this is {version}"
    return None


def main():
    arguments = parsed_arguments()
    reason = why_not()
    if reason:
        print("skipped:", reason)
        return 77
    if arguments.device:
        plan = [(rows_zones.ROWS + rows_devices.ROWS,
                 targets.ZonedDevice(arguments.device, arguments.kind))]
    else:
        plan = [(rows_file.ROWS, target) for target in targets.FILES]
        plan += [(rows_zones.ROWS, target) for target in targets.ZONES_ON_FILES]
        plan = [entry for entry in plan if arguments.kind in (None, entry[1].kind)]
    failed = ran = 0
    with tempfile.TemporaryDirectory(prefix="zonal-sameness-") as scratch:
        programs = Programs(pathlib.Path(scratch), arguments.zonal)
        for table, target in plan:
            table = [row for row in table if (not row.on or target.kind in row.on)
                     and (arguments.only or "") in row.name
                     and (arguments.rows == "all" or row.lab == target.kind)]
            bad, count = run_table(table, target, programs, scratch, arguments.selftest)
            failed, ran = failed + bad, ran + count
    return 1 if failed or not ran else 0


if __name__ == "__main__":
    sys.exit(main())
