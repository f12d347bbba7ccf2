#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every option that the installed fio has must be known to `zonal run`: supported,
accepted without effect, or refused by name. Compared by asking both programs.

Usage: fio_names_test.py ZONAL; exits 77 where there is no fio."""
import re
import shutil
import subprocess
import sys


def names_of(command):
    out = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    return {line.split()[0].rstrip(":") for line in out.splitlines() if line.strip()}


def command_options():
    """The long options of fio's own --help."""
    out = subprocess.run(["fio", "--help"], capture_output=True, text=True, check=False).stdout
    return set(re.findall(r"^  --([a-z_-]+)", out, re.MULTILINE)) - {"help"}


def engine_options():
    found = set()
    for engine in ("io_uring", "libaio", "pvsync2"):
        out = subprocess.run(["fio", "--enghelp=" + engine], capture_output=True, text=True,
                             check=False).stdout
        found |= set(re.findall(r"^([a-z_]+) +:", out, re.MULTILINE))
    return found


def aliases():
    out = subprocess.run(["fio", "--cmdhelp=all"], capture_output=True, text=True,
                         check=False).stdout
    found = set()
    for line in out.splitlines():
        name = line.split(":")[0].strip()
        detail = subprocess.run(["fio", "--cmdhelp=" + name], capture_output=True, text=True,
                                check=False).stdout
        found |= set(re.findall(r"^ *alias: (\S+)", detail, re.MULTILINE))
    return found


def main():
    zonal = sys.argv[1]
    if shutil.which("fio") is None:
        print("skipped: there is no fio on this machine")
        return 77
    ours = names_of([zonal, "run", "--cmdhelp=all"])
    theirs = names_of(["fio", "--cmdhelp=all"]) | command_options() | engine_options()
    if len(theirs) < 200 or len(ours) < 200:
        print(f"too few names were found: fio {len(theirs)}, zonal {len(ours)}")
        return 1
    missing = sorted(theirs - ours)
    for alias in sorted(aliases()):
        shown = subprocess.run([zonal, "run", "--cmdhelp=" + alias], capture_output=True,
                               text=True, check=False).stdout
        if not re.search(r"--" + re.escape(alias) + r"\b", shown):
            missing.append(alias)
    if missing:
        print("options of fio that zonal run does not know:", ", ".join(missing))
        return 1
    print(f"all {len(theirs)} options of this fio are known")
    return 0


if __name__ == "__main__":
    sys.exit(main())
