#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""clang-tidy has nothing to say against the sources of some folders and the public headers.

Usage: clang_tidy.py ROOT BUILD [--quick] FOLDER...   (BUILD holds compile_commands.json)

A file takes about nine seconds, mostly for the standard library's and Abseil's
headers: all of lib/ and tools/ takes ten minutes on two cores. The test is
--quick, which leaves the static analyzer out and takes half, and names the folders
that everything else stands on. All of it, by hand:
  tests/tidy/clang_tidy.py . build/dev lib tools
"""
import concurrent.futures
import pathlib
import subprocess
import sys

import tools

# The last step shows that something it complains of is found.
BAD_SAMPLE = """#include <string>
bool Nothing(const std::string& text) { return text.size() == 0; }
"""


def complaints(tool, root, arguments):
    result = subprocess.run([tool, "--quiet", "--warnings-as-errors=*", *arguments], cwd=root,
                            capture_output=True, text=True)
    return "" if result.returncode == 0 else result.stdout + result.stderr


def alone(tool, root, work, name, text):
    """What it says against a file of our own that holds `text`."""
    source = pathlib.Path(work, name)
    source.write_text(text)
    config = f"--config-file={pathlib.Path(root, '.clang-tidy')}"
    return complaints(tool, root, [config, str(source), "--", "-std=c++20",
                                   f"-I{pathlib.Path(root, 'include')}"])


def main():
    root, build = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
    folders = [word for word in sys.argv[3:] if word != "--quick"]
    checks = ["--checks=-clang-analyzer-*"] if "--quick" in sys.argv else []
    tool = tools.find("clang-tidy")
    if not (build / "compile_commands.json").exists():
        print(f"skipped: no compile_commands.json in {build}; configure with a preset")
        return tools.SKIPPED
    work = build / "clang_tidy"
    work.mkdir(exist_ok=True)
    sources = [path for path in
               tools.cpp_files(root, tuple(folder.rstrip("/") + "/" for folder in folders))
               if path.endswith(".cc")]
    headers = "".join(f'#include "zonal/{path.name}"\n'
                      for path in sorted(pathlib.Path(root, "include", "zonal").glob("*.h")))
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        said = [pool.submit(alone, tool, root, work, "headers.cc", headers)]
        said += [pool.submit(complaints, tool, root, [*checks, "-p", str(build), path])
                 for path in sources]
        problems = [one.result() for one in said if one.result()]
    if not alone(tool, root, work, "bad_sample.cc", BAD_SAMPLE):
        problems.append(f"{tool} accepts {BAD_SAMPLE!r}")
    print("\n".join(problems))
    print(f"{len(sources)} sources and the public headers by {tool}, {len(problems)} refused")
    return 1 if problems or len(sources) < 10 else 0


if __name__ == "__main__":
    sys.exit(main())
