#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compiles each public header alone, with every compiler named.

Usage: headers.py ROOT WORK_FOLDER COMPILER...   A compiler that is not there is
skipped and named; none at all is a failure. The last step shows that a header
that does not compile alone is found.
"""
import concurrent.futures
import os
import pathlib
import shutil
import subprocess
import sys

FLAGS = ["-std=c++20", "-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Wconversion", "-Werror"]


def compiles_alone(compiler, root, work, header_line, name):
    """What the compiler says against a file that holds just `header_line`."""
    source = pathlib.Path(work, f"{name}.cc")
    text = f"{header_line}\nint main() {{ return 0; }}\n"
    if not source.exists() or source.read_text() != text:
        source.write_text(text)
    launcher = ["ccache"] if shutil.which("ccache") else []
    target = pathlib.Path(work, f"{name}.{pathlib.Path(compiler).name}.o")
    result = subprocess.run(
        launcher + [compiler, *FLAGS, "-I", str(pathlib.Path(root, "include")), "-c", str(source),
                    "-o", str(target)], capture_output=True, text=True)
    return "" if result.returncode == 0 else f"{compiler}: {name}\n{result.stderr}"


def main():
    root, work, wanted = sys.argv[1], sys.argv[2], sys.argv[3:]
    pathlib.Path(work).mkdir(parents=True, exist_ok=True)
    found = {os.path.realpath(shutil.which(name)): name for name in wanted if shutil.which(name)}
    compilers = sorted(found.values())
    headers = sorted(pathlib.Path(root, "include", "zonal").glob("*.h"))
    jobs = [(compiler, root, work, f'#include "zonal/{header.name}"', header.stem)
            for compiler in compilers for header in headers]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        problems = [said for said in pool.map(lambda job: compiles_alone(*job), jobs) if said]
    for compiler in compilers:
        if not compiles_alone(compiler, root, work, "std::string Incomplete();", "bad_sample"):
            problems.append(f"{compiler}: accepted a header that lacks its includes")
    print("\n".join(problems))
    missing = [compiler for compiler in wanted if not shutil.which(compiler)]
    print(f"{len(headers)} headers with {', '.join(compilers)}"
          + (f"; not here: {', '.join(missing)}" if missing else ""))
    return 1 if problems or not compilers or not headers else 0


if __name__ == "__main__":
    sys.exit(main())
