# SPDX-License-Identifier: MIT
"""The house rules, as pure functions from a file's path and text to messages.

Heuristics, not parsers: they read lines. tidy_selftest.py shows for each rule
a sample it refuses and one it accepts.
"""
import re

# Who may include whom: a module sees its own headers and those of lower rank.
# "stats" writes the time logs that a workload describes.
RANK = {"core": 0, "device": 1, "manager": 2, "workload": 2, "stats": 3, "verify": 3,
        "engine": 4, "report": 5, "fio": 6}

# The module that implements each public header.
PUBLIC = {
    "clock": "core", "dialect": "core", "errc": "core", "geometry": "core",
    "limit": "core", "rng": "core", "splitter": "core", "zone": "core",
    "buffer_pool": "device", "device": "device", "emulated": "device",
    "fault": "device", "forwarding": "device", "io_queue": "device", "libzbd": "device",
    "open": "device",
    "service": "manager", "zone_manager": "manager", "zone_queue": "manager",
    "workload": "workload", "histogram": "stats", "rate_samples": "stats", "run": "engine",
    "report": "report", "fio": "fio",
}

# Allowed in spite of a rule of lib_habits(), each with its reason.
EXCEPTIONS = {
    # A broken invariant of our own ends the process, and says which.
    ("lib/core/check.cc", "print"), ("lib/core/check.cc", "exit"),
    # Opens of one device in one process share one Device.
    ("lib/device/open_devices.cc", "mutable global"),
}

SOURCE_SUFFIXES = (".h", ".cc", ".py", ".sh", ".cmake")


def is_source(path):
    return (path.endswith(SOURCE_SUFFIXES) or path.endswith("CMakeLists.txt")
            or path == ".ci/run")


def is_cpp(path):
    return path.endswith((".h", ".cc"))


def without_comments_and_strings(text):
    """The same lines with comments and the insides of literals blanked."""
    def blank(match):
        token = match.group(0)
        if token.startswith("/"):
            return re.sub(r"[^\n]", " ", token)
        return token[0] + token[-1]
    return re.sub(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'',
                  blank, text, flags=re.S)


def includes(text):
    """(line number, quoted include) pairs."""
    for number, line in enumerate(text.splitlines(), 1):
        match = re.match(r'\s*#\s*include\s+"([^"]+)"', line)
        if match:
            yield number, match.group(1)


def module_of_include(name):
    """The module a quoted include belongs to; None for foreign code."""
    if name.startswith("zonal/"):
        stem = name[len("zonal/"):].removesuffix(".h")
        return PUBLIC.get(stem, "?")
    first = name.split("/")[0]
    return first if first in RANK else None


def include_arrows(path, text):
    if not is_cpp(path):
        return
    parts = path.split("/")
    if path.startswith("include/zonal/"):
        stem = parts[-1].removesuffix(".h")
        if stem not in PUBLIC:
            yield f"{path}: a new public header: name its module in tests/tidy/rules.py"
            return
        for number, name in includes(text):
            if not name.startswith(("zonal/", "absl/status/")):
                yield f"{path}:{number}: a public header includes {name}"
        own = PUBLIC[stem]
    elif parts[0] == "lib":
        own = parts[1]
        if own not in RANK:
            yield f"{path}: a new module: give it a rank in tests/tidy/rules.py"
            return
    else:
        return
    for number, name in includes(text):
        module = module_of_include(name)
        if module == "?":
            yield f"{path}:{number}: {name} is no public header"
        elif module and module != own and RANK[module] >= RANK[own]:
            yield f"{path}:{number}: {own} may not include {name} ({module} is not below it)"
        elif own == "device" and parts[0] == "lib":
            yield from backend_arrows(path, number, name)


def backend_arrows(path, number, name):
    """Only lib/device/open.cc knows all backends."""
    own, other = path.split("/")[2:], name.split("/")[1:]
    if path == "lib/device/open.cc" or not name.startswith("device/") or len(other) == 1:
        return
    if len(own) == 1 or own[0] != other[0]:
        yield f"{path}:{number}: only lib/device/open.cc may reach into device/{other[0]}/"


HABITS = (
    ("print", re.compile(r"\bstd::(?:cout|cerr|clog)\b|\b(?:std::)?(?:f|v|vf)?printf\s*\("
                         r"|\b(?:std::)?(?:puts|fputs|putchar|perror)\s*\(|\bstderr\b|\bspdlog\b")),
    ("exit", re.compile(r"\b(?:std::)?(?:exit|_exit|_Exit|quick_exit|abort|terminate)\s*\(")),
    ("environment", re.compile(r"\b(?:secure_)?getenv\s*\(|\bargv\b|\bsetlocale\s*\(")),
    ("signal handler", re.compile(r"(?<![\w.>])(?:std::)?signal\s*\(|\bsigaction\s*\(")),
)
GLOBAL = re.compile(r"^(?:static |inline |thread_local )*[A-Za-z_][\w:<>,*& ]* \*?&?\w+"
                    r"(?:\[[^\]]*\])?\s*(?:=[^=].*|\{.*\}\s*)?;\s*$")
STATIC_LOCAL = re.compile(r"^\s+(?:static|thread_local)\s[^()=]*(?:=.*|\{.*)?;\s*$|"
                          r"^\s+(?:static|thread_local)\s[^()=]*=\s")
NOT_A_VARIABLE = re.compile(r"^(?:using|typedef|return|namespace|class|struct|enum|union|friend|"
                            r"template|extern|public|private|protected|goto|break|continue|delete)\b")
FIXED = re.compile(r"\b(?:const|constexpr|constinit const)\b")


def lib_habits(path, text):
    """lib/ never prints, exits, reads the environment, or keeps mutable globals."""
    if not (is_cpp(path) and path.startswith(("lib/", "include/"))):
        return
    for number, line in enumerate(without_comments_and_strings(text).splitlines(), 1):
        for name, pattern in HABITS:
            if pattern.search(line) and (path, name) not in EXCEPTIONS:
                yield f"{path}:{number}: the library must not do this ({name}): {line.strip()}"
        is_global = (GLOBAL.match(line) and not NOT_A_VARIABLE.match(line)) or \
            STATIC_LOCAL.match(line)
        is_fixed = FIXED.search(line) and not re.search(r"=\s*\*?new\b", line)
        if is_global and not is_fixed and (path, "mutable global") not in EXCEPTIONS:
            yield f"{path}:{number}: a mutable global: {line.strip()}"


def spdx_line(path, text):
    if is_source(path) and "SPDX-License-Identifier: MIT" not in "\n".join(text.splitlines()[:3]):
        yield f"{path}: no SPDX-License-Identifier line on top"


def comment_habits(path, text):
    if not is_source(path) or path.startswith("tests/tidy/"):
        return
    for number, line in enumerate(text.splitlines(), 1):
        if re.search(r"\b(?:TODO|FIXME|XXX)\b", line) and \
                not re.search(r"TODO\((?:soon|perf|port|test)\): \S", line):
            yield f"{path}:{number}: write TODO(soon|perf|port|test): what"
        if re.match(r"\s*#\s*if\s+0\b", line):
            yield f"{path}:{number}: delete code instead of #if 0"


MACHINE = re.compile(r"(?<![\w.])/(?:work/|root/\w|home/\w+/)|\.\./shared\b|/tmp/helpers")


def machine_paths(path, text):
    """Nothing may depend on, or tell of, the machine it was written on."""
    if path.startswith("tests/tidy/"):
        return
    for number, line in enumerate(text.splitlines(), 1):
        if MACHINE.search(line):
            yield f"{path}:{number}: names a place of one machine: {line.strip()}"


def white_space(path, text):
    if text and not text.endswith("\n"):
        yield f"{path}: no newline at the end"
    if path.endswith(".golden"):
        return
    for number, line in enumerate(text.splitlines(), 1):
        if line != line.rstrip():
            yield f"{path}:{number}: white space at the end"
        if "\t" in line and is_source(path):
            yield f"{path}:{number}: a tab"


# How far a ratchet may stand above the longest file.
RATCHET_SLACK = 50


def ratchet(files, limits):
    """No file over the limit of its part of the tree ("tests" or "others"), and the limits
    follow the longest file down. `limits`: lines of "part number"."""
    for part, limit in (line.split() for line in limits.splitlines()):
        lines, path = max(((text.count("\n"), path) for path, text in files.items()
                           if is_source(path) and path.startswith("tests/") == (part == "tests")),
                          default=(0, ""))
        if lines > int(limit):
            yield f"{path}: {lines} lines; none may have more than {limit}: split it by subject"
        elif int(limit) - lines > RATCHET_SLACK:
            yield (f"tests/tidy/longest_file.txt: the longest file of {part} has {lines} lines: "
                   f"lower {limit} to it")


def listed_sources(files):
    """Each .cc is named in the CMakeLists.txt of its own or an enclosing folder, and each
    source named there exists: a test that nobody builds cannot fail."""
    for path in files:
        if not path.endswith(".cc"):
            continue
        folder, listed = path, False
        while "/" in folder and not listed:
            folder = folder.rsplit("/", 1)[0]
            names = files.get(folder + "/CMakeLists.txt", "") + \
                (files.get("cmake/ZonalTest.cmake", "") if folder == "tests" else "")
            listed = re.search(r"(?<![\w/.])(?:\S+/)?" + re.escape(path.rsplit("/", 1)[1]) +
                               r"(?![\w.])", names) is not None
        if not listed:
            yield f"{path}: no CMakeLists.txt names it"
    for path, text in files.items():
        if path.endswith("/CMakeLists.txt"):
            folder = path.rsplit("/", 1)[0]
            for name in re.findall(r"(?<![\w/.}$-])([\w/]+\.cc)\b", re.sub(r"#.*", "", text)):
                if f"{folder}/{name}" not in files:
                    yield f"{path}: names {name}, which does not exist"


def readme_example(files):
    """The library example of README.md is the one tests/install builds and runs."""
    readme, main = files.get("README.md"), files.get("tests/install/project/main.cc")
    if readme is None or main is None:
        return
    blocks = re.findall(r"```cpp\n(.*?)```", readme, flags=re.S)
    code = re.sub(r"\A(?://[^\n]*\n)+", "", main)
    if code not in blocks:
        yield "README.md: its ```cpp block differs from tests/install/project/main.cc"


PER_FILE = (include_arrows, lib_habits, spdx_line, comment_habits, machine_paths, white_space)
OVER_ALL = (listed_sources, readme_example)
