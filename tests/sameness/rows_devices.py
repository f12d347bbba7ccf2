# SPDX-License-Identifier: MIT
"""Rows that want a real zoned drive: zones with a past, limits, conventional zones."""
from row import Row
from rows_zones import FOUR, MIX, TRIM_RESETS, WHERE

LIMITED = ("null_limits", "scsi_managed", "zns")
CONVENTIONAL = ("null_limits", "scsi_managed")
# One full zone, and one half full.
HALF = FOUR + "--rw=write --bs=64k --io_size={capacity * 3 // 2}"

ROWS = [
    Row("read of partly written zones", FOUR + "--rw=read --bs=64k", prepare=HALF),
    Row("randread of partly written zones", FOUR + "--rw=randread --bs=16k --io_size={zone}",
        prepare=HALF, lab="scsi_managed"),
    Row("write over partly written zones", FOUR + "--rw=write --bs=64k", prepare=HALF,
        lab="null_limits"),
    Row("write over partly written zones, io_size", FOUR + "--rw=write --bs=64k "
        "--io_size={4 * capacity}", prepare=HALF),
    Row("randwrite over partly written zones", FOUR + "--rw=randwrite --bs=64k "
        "--io_size={capacity}", prepare=HALF, vary=WHERE + ("resets",)),
    Row("randwrite with verify over partly written zones", FOUR + "--rw=randwrite --bs=64k "
        "--verify=crc32c", prepare=HALF),
    Row("randrw over partly written zones", FOUR + "--rw=randrw --bs=16k --io_size={capacity}",
        prepare=HALF, vary=MIX + WHERE + ("resets",), lab="zns"),
    Row("rw, rwmixwrite=0, over partly written zones", FOUR + "--rw=rw --rwmixwrite=0 --bs=64k "
        "--io_size={capacity}", prepare=HALF),
    Row("trim of partly written zones", FOUR + "--rw=trim --bs={zone}", prepare=HALF,
        differs={"resets": (0, 4)}, why=TRIM_RESETS),
    Row("a write that overwrites", FOUR + "--rw=write --bs=64k --io_size={2 * capacity}",
        prepare=FOUR + "--rw=write --bs=64k"),
    Row("more zones open than max_open_zones", "--offset={seq} --size=4z --rw=write --bs=64k "
        "--max_open_zones=1", on=("null_plain",),
        prepare="--offset={seq} --zonemode=strided --zonesize=64k --zonerange={zone} "
                "--size={4 * zone} --io_size=256k --rw=write --bs=64k",
        differs={"exit": (0, 1), "resets": (3, 0), "write.bytes": ("{4 * zone - 65536}", 0)},
        why="data is kept; fio 3.33 resets the zones that are too many"),

    Row("bs above what the drive transfers at once",
        "--rw=write --bs=256k --offset={seq} --size=1z", on=("null_plain",)),

    Row("strided",
        "--zonemode=strided --zonesize={zone // 4} --zonerange={zone} --rw=write --bs=64k "
        "--offset={seq} --size={4 * zone} --io_size={zone}"),
    Row("none", "--zonemode=none --rw=write --bs=64k --offset={seq} --size={capacity}"),
    Row("none, not at the write pointer", "--zonemode=none --rw=write --bs=64k "
        "--offset={seq + 65536} --size=64k", exits=1,
        says="consider --zonemode=zbd", lab="zns"),
    Row("none, read", "--zonemode=none --rw=read --bs=64k --offset={seq} --size={capacity}",
        prepare=HALF),
    Row("buffered writes", FOUR + "--rw=write --bs=64k --direct=0", exits=1,
        says="Using direct I/O is mandatory for writing to ZBD drives"),
    Row("another zonesize", FOUR + "--rw=write --bs=64k --zonesize={2 * zone}", exits=1,
        says="does not match disk zone size"),
    Row("the zonesize it has", FOUR + "--rw=write --bs=64k --zonesize={zone} --io_size=1m"),

    Row("max_open_zones above the limit", FOUR + "--rw=write --bs=64k --max_open_zones={limit + 1}",
        on=LIMITED, exits=1, says="is larger than max"),
    Row("randwrite at the limit",
        "--rw=randwrite --bs=64k --offset={seq} --size=16z --verify=crc32c "
        "--io_size={4 * capacity}", on=LIMITED, vary=WHERE, lab="null_limits"),
    Row("ignore_zone_limits", FOUR + "--rw=write --bs=64k --ignore_zone_limits=1 "
        "--max_open_zones={limit + 1}", on=LIMITED),

    Row("conventional zones, write",
        "--rw=write --bs=64k --offset=0 --size={seq}", on=CONVENTIONAL),
    Row("conventional zones, randwrite", "--rw=randwrite --bs=64k --offset=0 --size={seq} "
        "--io_size=2m", on=CONVENTIONAL),
    Row("conventional zones, randread",
        "--rw=randread --bs=64k --offset=0 --size={seq} --io_size=2m",
        on=CONVENTIONAL),
    Row("conventional zones, a part of one", "--rw=randwrite --bs=16k --offset=64k --size=1m",
        on=CONVENTIONAL),
    Row("from conventional zones into others",
        "--rw=write --bs=64k --offset={seq - zone} --size=3z",
        on=CONVENTIONAL, lab="null_limits"),
    Row("randwrite over both kinds", "--rw=randwrite --bs=64k --offset={seq - zone} --size=4z "
        "--io_size={2 * capacity}", on=CONVENTIONAL, vary=WHERE + ("resets",)),
    Row("trim of conventional zones", "--rw=trim --bs={zone} --offset=0 --size={seq}",
        on=CONVENTIONAL, exits=1, differs={"trim.ios": (1, 0)}, why="refused before any I/O"),
]
