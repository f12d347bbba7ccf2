#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Instructions per I/O, as valgrind counts them, against a ratchet.

Times on a shared machine say little; how many instructions the engine, the manager and
the emulated drive take for one I/O is the same in every run. Each row runs twice, the
second time longer; the difference is what the I/Os between cost, without start and end.
Checksum libraries are left out.

Fails if a row takes more than 3 % above its figure in the ratchet file. Who makes the
code dearer for a reason, or cheaper, runs it with --update and commits the file with the
change. The figures are those of the dev preset with g++ 12 on x86-64.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

SKIPPED = 77
ALLOWED = 1.03
FEW, MANY = 20_000, 60_000  # I/Os
DRIVE = "emu,zones=128,zone_size=16MiB,data=discard,max_open=unlimited,max_active=unlimited"
ZBD = ["--zonemode=zbd", "--bs=4k", "--iodepth=32", "--norandommap"]
ROWS = {
    "sequential-write": ZBD + ["--rw=write"],
    "random-write": ZBD + ["--rw=randwrite"],
    "random-write-12-open": ZBD + ["--rw=randwrite", "--max_open_zones=12"],
    "random-write-12-open-depth-1": ZBD + ["--rw=randwrite", "--max_open_zones=12", "--iodepth=1"],
    "random-read": ZBD + ["--rw=randread", "--read_beyond_wp=1"],
    "random-mix": ZBD + ["--rw=randrw", "--max_open_zones=12"],
    "verified-write": ZBD + ["--rw=write", "--verify=crc32c"],
}
LEFT_OUT = re.compile(r"\[.*lib(isal|crypto|xxhash)[^\]]*\]")


def count(program, options, ios, folder):
    """Instructions of one run, and the I/Os it did."""
    out = Path(folder) / "callgrind.out"
    out.unlink(missing_ok=True)
    drive = DRIVE.replace("discard", "keep") if any("verify" in o for o in options) else DRIVE
    command = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={out}", program, "--name=row",
               "--direct=1", f"--filename={drive}", *options, f"--io_size={ios * 4096}"]
    # The same string functions on every processor.
    environment = dict(os.environ, GLIBC_TUNABLES="glibc.cpu.hwcaps=-AVX2,-AVX512F,-ERMS,-FSRM")
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    if done.returncode != 0:
        sys.exit(f"instructions: {' '.join(command)}\n{done.stderr[-800:]}")
    listing = subprocess.run(["callgrind_annotate", "--auto=no", "--threshold=100", str(out)],
                             capture_output=True, text=True).stdout
    total = 0
    for line in listing.splitlines():
        match = re.match(r"\s*([\d,]+) \([\d. ]+%\)\s+(.*)", line)
        if not match or "PROGRAM TOTALS" in line or LEFT_OUT.search(match.group(2)):
            continue
        total += int(match.group(1).replace(",", ""))
    return total, int(done.stdout.strip())


def per_io(program, options, folder):
    few, few_ios = count(program, options, FEW, folder)
    many, many_ios = count(program, options, MANY, folder)
    return (many - few) / (many_ios - few_ios)


def read_ratchet(path):
    figures = {}
    for line in path.read_text().splitlines():
        if line and not line.startswith("#"):
            name, figure = line.split()
            figures[name] = float(figure)
    return figures


def write_ratchet(path, figures):
    head = [line for line in path.read_text().splitlines() if line.startswith("#")]
    path.write_text("\n".join(head + [f"{name} {figure:.0f}" for name, figure in figures.items()])
                    + "\n")


def judge(name, found, kept):
    if kept is None:
        return f"{name:30} {found:8.0f}  has no figure in the ratchet file: run with --update", False
    line = f"{name:30} {found:8.0f}  ratchet {kept:8.0f}  {found / kept * 100 - 100:+6.1f} %"
    if found > kept * ALLOWED:
        return line + "  MORE THAN 3 % ABOVE", False
    if found < kept / ALLOWED:
        return line + "  (better: --update keeps it)", True
    return line, True


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("program", help="simulated_run of a dev build")
    parser.add_argument("ratchet", type=Path)
    parser.add_argument("--update", action="store_true", help="write what was found")
    parser.add_argument("--rows", default="", help="only rows whose name matches")
    arguments = parser.parse_args()
    if shutil.which("valgrind") is None:
        print("no valgrind here: skipped")
        return SKIPPED
    kept = read_ratchet(arguments.ratchet)
    found, good = dict(kept), True
    with tempfile.TemporaryDirectory() as folder:
        for name, options in ROWS.items():
            if not re.search(arguments.rows, name):
                continue
            found[name] = per_io(arguments.program, options, folder)
            line, fine = judge(name, found[name], kept.get(name))
            print(line, flush=True)
            good = good and fine
    if arguments.update:
        write_ratchet(arguments.ratchet, found)
        return 0
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
