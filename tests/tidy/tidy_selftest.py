#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Shows that each tidy rule can fail: samples it refuses, and ones it accepts."""
import sys

import rules

REFUSED = [
    (rules.include_arrows, "lib/core/a.cc", '#include "device/x.h"\n'),
    (rules.include_arrows, "lib/device/a.cc", '#include "manager/x.h"\n'),
    (rules.include_arrows, "lib/manager/a.cc", '#include "stats/x.h"\n'),
    (rules.include_arrows, "lib/core/a.cc", '#include "zonal/run.h"\n'),
    (rules.include_arrows, "lib/report/a.cc", '#include "zonal/fio.h"\n'),
    (rules.include_arrows, "lib/core/a.cc", '#include "zonal/no_such.h"\n'),
    (rules.include_arrows, "lib/newcomer/a.cc", "\n"),
    (rules.include_arrows, "include/zonal/newcomer.h", "\n"),
    (rules.include_arrows, "include/zonal/zone.h", '#include "core/x.h"\n'),
    (rules.include_arrows, "include/zonal/zone.h", '#include "zonal/device.h"\n'),
    (rules.include_arrows, "include/zonal/device.h", '#include "absl/strings/string_view.h"\n'),
    (rules.include_arrows, "lib/device/kernel/a.cc", '#include "device/emulated/x.h"\n'),
    (rules.include_arrows, "lib/device/fault.cc", '#include "device/emulated/x.h"\n'),
    (rules.lib_habits, "lib/a/a.cc", "std::cout << 1;\n"),
    (rules.lib_habits, "lib/a/a.cc", '  std::fprintf(stderr, "%d", 1);\n'),
    (rules.lib_habits, "lib/a/a.cc", '  printf("x");\n'),
    (rules.lib_habits, "lib/a/a.cc", "  std::exit(1);\n"),
    (rules.lib_habits, "lib/a/a.cc", "  abort();\n"),
    (rules.lib_habits, "lib/a/a.cc", '  auto* x = std::getenv("X");\n'),
    (rules.lib_habits, "lib/a/a.cc", "  std::signal(SIGINT, f);\n"),
    (rules.lib_habits, "lib/a/a.cc", "  sigaction(SIGINT, &a, nullptr);\n"),
    (rules.lib_habits, "lib/a/a.cc", "int counter;\n"),
    (rules.lib_habits, "lib/a/a.cc", "static std::atomic<int> counter{0};\n"),
    (rules.lib_habits, "lib/a/a.cc", "thread_local std::vector<int> cache;\n"),
    (rules.lib_habits, "lib/a/a.cc", "  static std::mutex mutex;\n"),
    (rules.lib_habits, "lib/a/a.cc", "  static auto* map = new std::map<int, int>();\n"),
    (rules.lib_habits, "lib/a/a.cc", "  static A* const a = new A();\n"),
    (rules.spdx_line, "lib/a/a.cc", "int x();\n"),
    (rules.spdx_line, "tests/run.sh", "#!/bin/sh\n"),
    (rules.comment_habits, "lib/a/a.cc", "// TODO: later\n"),
    (rules.comment_habits, "lib/a/a.cc", "// FIXME\n"),
    (rules.comment_habits, "lib/a/a.cc", "#if 0\n"),
    (rules.machine_paths, "docs/a.md", "see /work/main/lib\n"),
    (rules.machine_paths, "docs/a.md", "see ../shared/x.md\n"),
    (rules.machine_paths, "docs/a.md", "in /home/someone/zonal\n"),
    (rules.white_space, "a.md", "x \n"),
    (rules.white_space, "a.md", "x"),
    (rules.white_space, "lib/a/a.cc", "\tint x;\n"),
]

ACCEPTED = [
    (rules.include_arrows, "lib/engine/a.cc", '#include "manager/x.h"\n#include "zonal/run.h"\n'),
    (rules.include_arrows, "lib/device/open.cc", '#include "device/kernel/x.h"\n'),
    (rules.include_arrows, "lib/device/kernel/a.cc", '#include "device/x.h"\n'),
    (rules.include_arrows, "lib/core/a.cc", '#include "absl/strings/cord.h"\n'),
    (rules.include_arrows, "include/zonal/run.h", '#include "zonal/workload.h"\n'),
    (rules.lib_habits, "lib/a/a.cc", "// printf(1); exit(1)\n"),
    (rules.lib_habits, "lib/a/a.cc", 'Say("printf(x) signal(y)");\n'),
    (rules.lib_habits, "lib/a/a.cc", "constexpr int kLimit = 4;\n"),
    (rules.lib_habits, "lib/a/a.cc", "const Row kRows[] = {{1, 2}};\n"),
    (rules.lib_habits, "lib/a/a.cc", "  static constexpr int kLimit = 4;\n"),
    (rules.lib_habits, "lib/a/a.cc", "  static const MonotonicImpl clock;\n"),
    (rules.lib_habits, "lib/a/a.h", "  static std::unique_ptr<A> Create(int x = 1);\n"),
    (rules.lib_habits, "lib/a/a.h", "class Forward;\nusing A = int;\nint F(int x);\n"),
    (rules.lib_habits, "lib/a/a.cc", "  snprintf(buffer, 4, format);\n"),
    (rules.lib_habits, "tools/zonal/main.cc", "int main(int argc, char** argv) { exit(1); }\n"),
    (rules.spdx_line, "tests/run.sh", "#!/bin/sh\n# SPDX-License-Identifier: MIT\n"),
    (rules.comment_habits, "lib/a/a.cc", "// TODO(perf): prefetch\n#if 01\n"),
    (rules.machine_paths, "tests/init", 'mount --move "/root/$mount"\n'),
    (rules.machine_paths, "docs/a.md", "in framework/ and /dev/nvme0n1\n"),
    (rules.white_space, "a.md", "x\n\ny\n"),
]


def over_all_samples():
    """(messages, whether there should be some) of the rules that see the whole tree."""
    lists = "target_sources(zonal PRIVATE a.cc)\n"
    yield rules.listed_sources({"lib/a/a.cc": "", "lib/a/CMakeLists.txt": lists}), False
    yield rules.listed_sources({"lib/a/b/a.cc": "", "lib/a/CMakeLists.txt":
                                "target_sources(zonal PRIVATE b/a.cc)\n"}), False
    yield rules.listed_sources({"lib/a/a.cc": "", "lib/a/aa.cc": "",
                                "lib/a/CMakeLists.txt": lists}), True
    yield rules.listed_sources({"lib/a/CMakeLists.txt": lists}), True
    files = {"lib/a/a.cc": "x\n" * 50}
    yield rules.ratchet(files, "others 50\ntests 0\n"), False
    yield rules.ratchet(files, "others 49\n"), True
    yield rules.ratchet(files, f"others {50 + rules.RATCHET_SLACK + 1}\n"), True
    yield rules.ratchet({"tests/a.cc": "x\n" * 9}, "others 0\ntests 8\n"), True
    main = "// SPDX-License-Identifier: MIT\nint main() {}\n"
    readme = "text\n```cpp\nint main() {}\n```\n"
    name = "tests/install/project/main.cc"
    yield rules.readme_example({"README.md": readme, name: main}), False
    yield rules.readme_example({"README.md": readme, name: main + "int x;\n"}), True


def main():
    wrong = []
    for rule, path, text in REFUSED:
        if not list(rule(path, text)):
            wrong.append(f"{rule.__name__} accepts {path}: {text!r}")
    for rule, path, text in ACCEPTED:
        for message in rule(path, text):
            wrong.append(f"{rule.__name__} refuses {path}: {message}")
    for index, (messages, refused) in enumerate(over_all_samples()):
        if bool(list(messages)) != refused:
            wrong.append(f"sample {index} of the whole tree: refused is not {refused}")
    covered = {rule for rule, _, _ in REFUSED}
    wrong += [f"no sample refused by {rule.__name__}" for rule in rules.PER_FILE
              if rule not in covered]
    print("\n".join(wrong) or f"{len(REFUSED)} refused, {len(ACCEPTED)} accepted")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
