#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Our cost beside fio's: each row of compare_rows.py is run in pairs, fio and zonal by
turns, so that what disturbs the machine disturbs both. Prints medians and their ratio.

A run lasts a given time: its io_size follows from a short run before. The figure is
I/Os per second of the job, as its own report says; ours is also held against the
outside: I/Os that the drive counted by the wall time from start to end of the program
(at most 2 % more than that is our claim, once the program's own start is taken off).

What this does not say: absolute figures. On a shared machine only ratios of one run
mean something.
"""

import argparse
import json
import os
import platform
import re
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import compare_rows

CALIBRATION_BYTES = 32 << 20


class Failed(Exception):
    pass


def run(command, cwd):
    """Runs it; returns (stdout, wall seconds, resource usage of the child)."""
    out = tempfile.TemporaryFile()
    err = tempfile.TemporaryFile()
    start = time.monotonic()
    process = subprocess.Popen(command, stdout=out, stderr=err, cwd=cwd)
    _, status, usage = os.wait4(process.pid, 0)
    wall = time.monotonic() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    out.seek(0)
    err.seek(0)
    if process.returncode != 0:
        raise Failed(f"exit code {process.returncode}: {' '.join(command)}\n"
                     f"{err.read().decode(errors='replace')[:400]}")
    return out.read().decode(), wall, usage


class Side:
    """fio, zonal, or the bare loop: turns a row and an amount into one measurement."""

    def __init__(self, program, folder):
        self.program = program
        self.folder = folder

    def measure(self, row, io_bytes):
        if row.file_bytes:  # the same for all: as long as it will be, and empty
            data = Path(self.folder) / f"{self.name}.data"
            data.unlink(missing_ok=True)
            data.touch()
            os.truncate(data, row.file_bytes)
        command = self.command(row, io_bytes)
        text, wall, usage = run(command, self.folder)
        figure = self.read(row, text)
        ios = figure["ios"]
        figure.update(wall=wall, user=usage.ru_utime, sys=usage.ru_stime, rss_kib=usage.ru_maxrss,
                      cpu_ns=(usage.ru_utime + usage.ru_stime) * 1e9 / max(1, ios),
                      command=" ".join(command))
        return figure


class JobRunner(Side):
    """What fio and zonal have in common: job lines in, fio's JSON out."""

    def job(self, row, options, io_bytes):
        line = [*self.program, "--output-format=json", "--thread"]
        if row.first and self.runs_first:
            line += row.first
        line += ["--name=row", *options]
        if row.first and self.runs_first:
            line.append("--stonewall")
        line.append(f"--io_size={io_bytes}")
        if row.file_bytes:
            line += [f"--filename={self.folder}/{self.name}.data", "--direct=0"]
        return line

    def read(self, row, text):
        report = json.loads(text[text.index("{"):])
        job = report["jobs"][-1]
        side = job[row.direction]
        result = {"iops": side["iops"], "ios": side["total_ios"]}
        if row.verifies:
            result["read_iops"] = job["read"]["iops"]
        result["runtime_s"] = side["runtime"] / 1000
        zonal = report.get("zonal")
        if zonal:
            result["drive"] = zonal["targets"][0].get("drive")
            result["seed"] = zonal["seed"]
        return result


class Fio(JobRunner):
    name = "fio"
    runs_first = False

    def command(self, row, io_bytes):
        return self.job(row, row.fio, io_bytes)


class Zonal(JobRunner):
    name = "zonal"
    runs_first = True

    def command(self, row, io_bytes):
        return self.job(row, row.ours, io_bytes)


class Bare(Side):
    name = "bare"

    def command(self, row, io_bytes):
        return [*self.program, *row.bare, f"--file={self.folder}/bare.data",
                f"--size={row.file_bytes}", f"--io-size={io_bytes}"]

    def read(self, row, text):
        return json.loads(text)


def calibrate(side, row, seconds):
    """How much to move so that a run takes about `seconds`."""
    io_bytes = CALIBRATION_BYTES
    for _ in range(6):
        figure = side.measure(row, io_bytes)
        took = figure["ios"] / max(1.0, figure["iops"])
        if took > seconds / 8:
            break
        io_bytes *= 8
    amount = int(figure["iops"] * seconds) * row.bytes_per_io
    # A file is written once at most, and a verified one read back.
    if row.verifies:
        amount = min(amount, row.file_bytes)
    return max(CALIBRATION_BYTES, amount)


def measure_row(row, sides, rounds, seconds):
    runs = {side.name: [] for side in sides}
    amounts = {side.name: calibrate(side, row, seconds) for side in sides}
    for _ in range(rounds):
        for side in sides:
            runs[side.name].append(side.measure(row, amounts[side.name]))
    return runs


def median(runs, key):
    return statistics.median(figure[key] for figure in runs)


def outside_check(row, runs, start_up):
    """How far our claim is above what the drive counted by the caller's clock; the
    median. The start of the program is known to milliseconds: nothing for short runs."""
    excesses = []
    for figure in runs:
        drive = figure.get("drive")
        if not drive or row.first:
            continue
        counted = drive["reads"] if row.direction == "read" else drive["writes"]
        if counted != figure["ios"]:
            raise Failed(f"{row.name}: we report {figure['ios']} I/Os, the drive counted {counted}")
        outside = counted / max(1e-9, figure["wall"] - start_up)
        if figure["runtime_s"] > 1:
            excesses.append(figure["iops"] / outside - 1)
    return statistics.median(excesses) if excesses else None


def start_up_time(zonal, folder):
    """What a run costs that does next to nothing, on the drive of the generator rows."""
    options = compare_rows.ours_on(compare_rows.FREE) + ["--rw=write", "--zonemode=zbd"]
    command = [*zonal, "--output-format=json", "--name=a", *options, "--bs=4k", "--io_size=4k"]
    return statistics.median(run(command, folder)[1] for _ in range(5))


def check_verdicts(zonal, create, report, folder):
    """In the same build: a write off the pointer is caught, and the write pointers of a
    drive sum up to what was written."""
    off = subprocess.run([*zonal, "--name=off", *compare_rows.ours_on(compare_rows.FREE),
                          "--bs=4k", "--rw=randwrite", "--io_size=1m"],
                         capture_output=True, text=True, cwd=folder)
    if off.returncode == 0 or "write pointer" not in off.stderr:
        raise Failed("a write off the write pointer was not caught")
    run([*create, "sum.zoned", "--zones", "128", "--zone-size", "16MiB"], folder)
    wanted = 256 << 20
    text, _, _ = run([*zonal, "--output-format=json", "--name=sum", "--direct=1",
                      "--filename=sum.zoned", "--zonemode=zbd", "--bs=4k",
         "--iodepth=32", "--rw=randwrite", "--max_open_zones=12", f"--io_size={wanted}"], folder)
    resets = json.loads(text[text.index("{"):])["jobs"][0]["zone_resets"]
    text, _, _ = run([*report, "sum.zoned", "--json"], folder)
    zones = json.loads(text)["zones"]
    written = sum(zone["capacity_bytes"] if zone["condition"] == "full" else
                  zone["write_pointer_bytes"] - zone["start_bytes"] for zone in zones)
    written += resets * (16 << 20)  # a random write resets full zones only
    if written != wanted:
        raise Failed(f"write pointers and resets sum up to {written} bytes, {wanted} were written")


def describe_machine():
    model = "unknown processor"
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            model = line.split(":", 1)[1].strip()
            break
    return {"processor": model, "processors": os.cpu_count(), "kernel": platform.release(),
            "load": os.getloadavg()[0]}


def version(program):
    return subprocess.run([program, "--version"], capture_output=True, text=True).stdout.strip()


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--build", type=Path, required=True, help="build folder")
    parser.add_argument("--quick", action="store_true", help="under a minute, rough")
    parser.add_argument("--rounds", type=int, help="pairs of runs; default 5, quick 2")
    parser.add_argument("--seconds", type=float, help="of one run; default 2, quick 0.4")
    parser.add_argument("--rows", default="", help="only rows whose name matches")
    parser.add_argument("--json", type=Path, help="write all figures here")
    parser.add_argument("--folder", type=Path, help="for files; default: in /dev/shm")
    arguments = parser.parse_args()
    arguments.rounds = arguments.rounds or (2 if arguments.quick else 5)
    arguments.seconds = arguments.seconds or (0.4 if arguments.quick else 2)
    return arguments


def sides_of(row, fio, zonal, bare):
    sides = []
    if row.fio is not None:
        sides.append(fio)
    sides.append(zonal)
    if row.bare is not None and bare.program:
        sides.append(bare)
    return sides


def show(row, runs, results, start_up):
    """One line of the table; returns what is kept of the row."""
    ours = median(runs["zonal"], "iops")
    fio = median(runs["fio"], "iops") if "fio" in runs else None
    base = results[row.against]["zonal"] if row.against else fio
    ratio = ours / base if base else None
    met = "" if not row.want or ratio is None else ("yes" if ratio >= row.want else "NO")
    excess = outside_check(row, runs["zonal"], start_up)
    kept = {"zonal": ours, "fio": fio, "ratio": ratio, "want": row.want, "against":
            row.against or "fio", "claim_excess": excess, "runs": runs}
    cells = [f"{row.name:32}",
             f"{fio / 1e6:9.3f}" if fio else "        -",
             f"{ours / 1e6:9.3f}",
             f"{ratio:8.2f}" if ratio else "       -",
             f"{row.want:6.1f}" if row.want else "     -",
             f"{met:>4}",
             f"{median(runs['fio'], 'cpu_ns'):8.0f}" if fio else "       -",
             f"{median(runs['zonal'], 'cpu_ns'):8.0f}"]
    if "bare" in runs:
        kept["bare"] = median(runs["bare"], "iops")
        kept["to_bare"] = ours / kept["bare"]
        cells.append(f"  {kept['to_bare']:.2f} of a bare io_uring loop (0.95 wanted)")
    if "read_iops" in runs["zonal"][0]:
        reads = [median(runs[name], "read_iops") for name in ("fio", "zonal")]
        kept["read_ratio"] = reads[1] / reads[0]
        cells.append(f"  reading back {kept['read_ratio']:.2f}")
    if row.shows_memory:
        run_ = runs["zonal"][0]
        before = run_["wall"] - run_["runtime_s"]
        kept["outside_job_s"] = before
        cells.append(f"  {max(f['rss_kib'] for f in runs['zonal']) / 1024:.0f} MiB resident, "
                     f"{before:.2f} s outside the job")
    if excess is not None and excess > 0.02:
        cells.append(f"  CLAIM {excess * 100:.1f} % ABOVE THE OUTSIDE CHECK")
    print(" ".join(cells), flush=True)
    return kept


def main():
    arguments = parse_arguments()
    program = str((arguments.build / "tools" / "zonal").resolve())
    loop = arguments.build / "bench" / "uring_loop"
    fio_program = os.environ.get("FIO", "fio")
    with tempfile.TemporaryDirectory(dir=arguments.folder or "/dev/shm") as folder:
        fio = Fio([fio_program], folder)
        zonal = Zonal([program, "run"], folder)
        bare = Bare([str(loop.resolve())] if loop.exists() else [], folder)
        machine = describe_machine()
        print(f"{machine['processor']}, {machine['processors']} processors, "
              f"Linux {machine['kernel']}, load {machine['load']:.2f}")
        print(f"{version(fio_program)}; {version(program)}; {arguments.rounds} rounds of "
              f"{arguments.seconds:g} s, medians; M IOPS; cpu: ns of user and system per I/O\n")
        print(f"{'row':32} {'fio':>9} {'zonal':>9} {'ratio':>8} {'wanted':>6} {'met':>4} "
              f"{'fio cpu':>8} {'our cpu':>8}")
        start_up = start_up_time(zonal.program, folder)
        results = {}
        for row in compare_rows.rows():
            needed = re.search(arguments.rows, row.name) or any(
                other.against == row.name and re.search(arguments.rows, other.name)
                for other in compare_rows.rows())
            if not needed:
                continue
            runs = measure_row(row, sides_of(row, fio, zonal, bare), arguments.rounds,
                               arguments.seconds)
            results[row.name] = show(row, runs, results, start_up)
        check_verdicts(zonal.program, [program, "create"], [program, "report"], folder)
        print("\na write off the write pointer is caught; the pointers are those of the bytes written")
    if arguments.json:
        arguments.json.write_text(json.dumps({"machine": machine, "rows": results}, indent=1))
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Failed as failure:
        sys.exit(f"compare: {failure}")
