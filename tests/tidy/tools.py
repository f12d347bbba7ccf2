# SPDX-License-Identifier: MIT
"""What the tests that run clang's tools share: the tool, and the tree's files."""
import shutil
import sys

from tidy import tracked_paths

SKIPPED = 77  # CTest's SKIP_RETURN_CODE of these tests

# The formats and checks of one version: others format and complain differently.
VERSION = "14"


def find(name):
    """The tool's path; ends the test as skipped, with the reason, where there is none."""
    path = shutil.which(f"{name}-{VERSION}")
    if path is None:
        print(f"skipped: no {name}-{VERSION} here; `tools/install_packages.sh tests` installs it")
        sys.exit(SKIPPED)
    return path


def cpp_files(root, folders):
    return sorted(path for path in tracked_paths(root)
                  if path.endswith((".h", ".cc")) and path.startswith(folders))
