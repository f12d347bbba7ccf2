# SPDX-License-Identifier: MIT
"""The rows that bench/compare.sh measures: the same work as fio and as zonal see it.

Generator rows move no data: fio's ioengine=null beside our emulated drive, which
discards data and still checks every zone rule.
"""

from dataclasses import dataclass, field

GIB = 1 << 30
COMMON = ["--bs=4k", "--iodepth=32", "--norandommap"]
ZONED = ["--zonemode=zbd", "--zonesize=16m"]
NULL = ["--ioengine=null", "--size=2g"]
FREE = "emu,zones=128,zone_size=16MiB,data=discard,max_open=unlimited,max_active=unlimited"
CONVENTIONAL = "emu,zones=128,zone_size=16MiB,conventional=128,data=discard"


def ours_on(drive):
    return ["--direct=1", f"--filename={drive}"]


@dataclass
class Row:
    """One line of the table. `fio` or `ours` may be None: that side does not run."""

    name: str
    direction: str
    want: float  # ratio to `against` that is asked for; 0: none
    fio: list = None
    ours: list = None
    against: str = ""  # another row's ours, or the bare loop, in place of fio
    bare: list = None  # arguments of the bare io_uring loop
    file_bytes: int = 0  # both work on a file of their own of this size, in memory
    bytes_per_io: int = 4096
    verifies: bool = False  # reads back what it wrote: both ways count
    shows_memory: bool = False  # and what the run takes outside the job
    first: list = field(default_factory=list)  # a job of ours that goes before


def generator(name, rw, want, *more, fio=(), ours=()):
    return Row(name, "read" if "read" in rw else "write", want,
               fio=NULL + COMMON + ZONED + [f"--rw={rw}", *more, *fio],
               ours=ours_on(FREE) + COMMON + ["--zonemode=zbd", f"--rw={rw}", *more, *ours])


def file_row(name, rw, want):
    options = COMMON + ZONED + ["--ioengine=io_uring", f"--rw={rw}", "--size=1g"]
    return Row(name, "write", want, fio=options, ours=options, file_bytes=GIB,
               bare=["--depth=32", "--bs=4096", "--zone=16777216", f"--rw={rw}"])


def small_zones(count):
    return ours_on(f"emu,zones={count},zone_size=64KiB,data=discard,max_open=unlimited,"
                   "max_active=unlimited") + COMMON + ["--zonemode=zbd", "--rw=randwrite"]


def verify_row():
    options = ["--ioengine=io_uring", "--rw=write", "--bs=128k", "--iodepth=8", "--size=1g",
               "--verify=crc32c"] + ZONED
    return Row("seq write + verify", "write", 1.2, fio=options, ours=options, file_bytes=GIB,
               bytes_per_io=131072, verifies=True)


def rows():
    limited = "--max_open_zones=12"
    read = generator("random read", "randread", 1.2, fio=["--read_beyond_wp=1"])
    read.first = ["--name=fill", *ours_on(FREE), "--bs=1m", "--iodepth=8", "--rw=write",
                  "--zonemode=zbd"]
    two = generator("random write, 12 open, 2 jobs", "randwrite", 1.7, limited, "--numjobs=2",
                    "--group_reporting")
    two.against = "random write, 12 open"
    plain = Row("random write, no zones", "write", 1.0,
                fio=NULL + COMMON + ["--rw=randwrite"],
                ours=ours_on(CONVENTIONAL) + COMMON + ["--rw=randwrite"])
    million = Row("1,048,576 zones of 64 KiB", "write", 0.8, ours=small_zones(1 << 20),
                  against="128 zones of 64 KiB", shows_memory=True)
    return [
        generator("sequential write", "write", 1.2),
        generator("random write", "randwrite", 1.2),
        generator("random write, 12 open", "randwrite", 20, limited),
        two,
        read,
        plain,
        file_row("file, random write", "randwrite", 1.3),
        file_row("file, sequential write", "write", 1.3),
        Row("128 zones of 64 KiB", "write", 0, ours=small_zones(128)),
        million,
        verify_row(),
    ]
