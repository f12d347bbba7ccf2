#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Each .h and .cc is as clang-format has it. Usage: clang_format.py ROOT

To put it right: git ls-files '*.h' '*.cc' | xargs clang-format-14 -i
"""
import subprocess
import sys

import tools

# The last step shows that a file that is not formatted is found.
BAD_SAMPLE = "int  main( ) {return 0 ;}\n"


def main():
    root = sys.argv[1]
    tool = tools.find("clang-format")
    files = tools.cpp_files(root, ("",))
    result = subprocess.run([tool, "--dry-run", "-Werror", *files], cwd=root,
                            capture_output=True, text=True)
    print(result.stderr, end="")
    sample = subprocess.run([tool, "--dry-run", "-Werror", "--assume-filename=lib/sample.cc"],
                            cwd=root, input=BAD_SAMPLE, capture_output=True, text=True)
    if sample.returncode == 0:
        print(f"{tool} accepts {BAD_SAMPLE!r}")
    print(f"{len(files)} files by {tool}")
    return 1 if result.returncode or sample.returncode == 0 or len(files) < 50 else 0


if __name__ == "__main__":
    sys.exit(main())
