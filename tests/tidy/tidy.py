#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Checks the whole tree against the rules of rules.py. Usage: tidy.py ROOT"""
import pathlib
import subprocess
import sys

import rules


def tracked_paths(root):
    """What git tracks or would track; without git, everything but build/."""
    listing = subprocess.run(
        ["git", "-C", root, "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        capture_output=True, text=True)
    if listing.returncode == 0:
        return [path for path in listing.stdout.split("\0") if path]
    return [str(path.relative_to(root)) for path in pathlib.Path(root).rglob("*")
            if path.is_file() and not str(path.relative_to(root)).startswith(("build/", ".git/"))]


def read_tree(root):
    files = {}
    for path in tracked_paths(root):
        full = pathlib.Path(root, path)
        if full.is_file() and not full.is_symlink():
            try:
                files[path] = full.read_text(encoding="utf-8")
            except UnicodeDecodeError:
                continue  # binary data of a test
    return files


def check(files):
    problems = [message for rule in rules.PER_FILE for path, text in sorted(files.items())
                for message in rule(path, text)]
    problems += [message for rule in rules.OVER_ALL for message in rule(files)]
    problems += rules.ratchet(files, files["tests/tidy/longest_file.txt"])
    return problems


def main():
    files = read_tree(sys.argv[1])
    problems = check(files)
    for message in problems:
        print(message)
    print(f"{len(files)} files, {len(problems)} problems")
    return 1 if problems or len(files) < 50 else 0


if __name__ == "__main__":
    sys.exit(main())
