# SPDX-License-Identifier: MIT
"""Rows on zones: laid over a plain file ("overlay", and "overlay_gap" with a capacity below the
size), or of a real zoned drive. The target's options bring zonemode=zbd and what else it
needs; OFFSET is where zones with a write pointer begin."""
from row import Row

OVERLAYS = ("overlay", "overlay_gap")
DEVICES = ("null_plain", "null_limits", "scsi_managed", "zns")

WHERE = ("zones", "zones.empty", "zones.full", "content", "filled")
MIX = ("read.bytes", "write.bytes", "read.ios", "write.ios", "jobs")
SIZES = ("read.ios", "write.ios")

FOUR = "--offset={seq} --size=4z "

# fio 3.33; newer ones count them where a zone held data.
TRIM_RESETS = "resets that a trim makes are counted as resets, too"


TAIL = "a zone's tail below bs is left and the next zone taken; fio 3.33 resets the zone for it"


def refused(written="{4 * capacity}", resets=None):
    """Only fio wrote something."""
    differs = {"exit": (0, 1), "write.bytes": (written, 0)}
    if resets is not None:
        differs["resets"] = (resets, 0)
    return differs


TAILS = FOUR + "--rw=write --bs=40k --io_size={3 * (capacity // 40960) * 40960}"

PART = "--bs=16k --offset={seq} --name=w --rw=write --size=4z --name=r --wait_for=w " \
       "--size={zone // 2} "
READS_PART = "fio rounds the end of a reader's range down to a zone, also where nothing is left"
# By a signal, before anything is done.
BREAKS = {"exit": (-6, 0), "write.bytes": (0, "{4 * capacity}"), "read.bytes": (0, "{zone // 2}")}

ROWS = [
    Row("write", FOUR + "--rw=write --bs=64k"),
    Row("write goes round", "--rw=write --bs=64k --offset={seq} --size=2z --io_size={3 * capacity}",
        lab="null_limits"),
    Row("write, io_size below a zone", FOUR + "--rw=write --bs=64k --io_size={capacity // 2}"),
    Row("write of a bs that leaves a tail", TAILS, on=OVERLAYS, vary=("content",),
        differs={"resets": (2, 0), "filled": ("{capacity // 40960 * 40960}",
                                              "{3 * (capacity // 40960) * 40960}")},
        why=TAIL),
    Row("write of a bs that leaves a tail, on a drive", TAILS, on=DEVICES,
        vary=("zones", "zones.empty", "filled"), differs={"resets": (2, 0), "zones.full": (0, 2)},
        why=TAIL, lab="scsi_managed"),
    Row("write of a bs that leaves a tail, without io_size", FOUR + "--rw=write --bs=40k",
        vary=WHERE + ("jobs",),
        differs={"resets": ("{4 * zone // 40960 // (capacity // 40960)}", 0),
                 "write.bytes": ("{(4 * zone // 40960 + 1) * 40960}",
                                 "{4 * (capacity // 40960) * 40960}"),
                 "write.ios": ("{4 * zone // 40960 + 1}", "{4 * (capacity // 40960)}")},
        why=TAIL),
    Row("write, number_ios", FOUR + "--rw=write --bs=64k --number_ios=20"),
    Row("write, loops", "--rw=write --bs=64k --offset={seq} --size=1z --loops=3"),
    Row("write, zoneskip", FOUR + "--rw=write --bs=64k --zoneskip={zone}", vary=WHERE,
        differs={"write.bytes": (0, "{2 * capacity}"),
                 "jobs": ([""], ["write {2 * capacity}"])},
        why="fio breaks down unless the job covers the whole device, and exits with 0"),
    Row("write, zoneskip over the whole drive",
        "--rw=write --bs=64k --offset={seq} --zoneskip={2 * zone} "
        "--io_size={4 * capacity}"),
    Row("write, max_open_zones=1", FOUR + "--rw=write --bs=64k --max_open_zones=1"),
    Row("write, fsync", "--rw=write --bs=64k --offset={seq} --size=1z --fsync=5"),
    Row("write in percent", "--rw=write --bs=64k --offset={seq} --size=4z --io_size=50%"),
    Row("write behind libaio", FOUR + "--rw=write --bs=64k --ioengine=libaio --iodepth=8"),
    Row("write behind io_uring", FOUR + "--rw=write --bs=64k --ioengine=io_uring --iodepth=1"),
    Row("write, offset within a zone",
        "--rw=write --bs=64k --offset={seq + zone // 2} --size={2 * zone}"),
    Row("write, an end within a zone", "--rw=write --bs=64k --offset={seq} --size={zone * 5 // 2}"),
    Row("write of less than a zone", "--rw=write --bs=64k --offset={seq} --size={zone // 2}",
        exits=1, says="io_size must be at least one zone"),
    Row("bs above a zone", "--rw=write --bs={2 * zone} --offset={seq} --size=4z", exits=1,
        says="buflen exceeds zone size"),

    Row("jobs with zones of their own",
        "--rw=write --bs=64k --numjobs=3 --offset={seq} --offset_increment=2z --size=2z"),
    Row("jobs, offset and io_size in zones",
        "--rw=write --bs=64k --numjobs=2 --offset={seq + zone} --offset_increment=3z --size=2z "
        "--io_size=3z", lab="zns"),
    Row("jobs on the same zones", FOUR + "--rw=randwrite --bs=64k --numjobs=3 --group_reporting "
        "--io_size={2 * capacity}", vary=WHERE + ("resets",)),
    Row("read after write", FOUR + "--bs=64k --name=w --rw=write --name=r --wait_for=w --rw=read"),
    Row("randread after write", FOUR + "--bs=16k --name=w --rw=write --name=r --wait_for=w "
        "--rw=randread --io_size={2 * zone}"),
    Row("a read ends at the write pointer", FOUR + "--bs=64k --name=w --rw=write "
        "--io_size={capacity * 3 // 2} --name=r --wait_for=w --rw=read"),
    Row("a read of a bs above what is written",
        FOUR + "--name=w --rw=write --bs=16k --number_ios=3 "
        "--name=r --wait_for=w --rw=read --bs=32k"),
    Row("rounds of reading", "--bs=64k --offset={seq} --size=2z --name=w --rw=write --name=r "
        "--wait_for=w --rw=read --loops=3"),
    Row("read, io_size above what there is", "--bs=64k --offset={seq} --size=2z --name=w "
        "--rw=write --name=r --wait_for=w --rw=read --io_size={3 * capacity}"),
    Row("read of a part of a zone", PART + "--rw=read", differs=BREAKS, why=READS_PART),
    Row("randread of a part of a zone", PART + "--rw=randread",
        differs={"exit": (1, 0), "read.bytes": (0, "{zone // 2}")}, why=READS_PART),
    Row("read of empty zones", FOUR + "--rw=read --bs=64k", idle=True),
    Row("randread of empty zones", FOUR + "--rw=randread --bs=64k", idle=True),
    Row("read_beyond_wp", FOUR + "--rw=read --bs=64k --read_beyond_wp=1", lab="scsi_managed"),
    Row("stonewalled jobs", FOUR + "--bs=64k --name=a --rw=write --name=b --stonewall --rw=read "
        "--io_size={capacity} --name=c --stonewall --rw=trim --bs={zone} --size=2z --name=d "
        "--stonewall --rw=write --io_size={capacity}", differs={"resets": (0, 2)}, why=TRIM_RESETS,
        lab="null_limits"),

    Row("randwrite of part of a zone", FOUR + "--rw=randwrite --bs=16k --io_size={capacity // 2}",
        vary=("zones", "zones.empty", "content")),
    Row("randwrite", FOUR + "--rw=randwrite --bs=64k", vary=WHERE + ("resets",)),
    Row("randwrite with verify fills all", FOUR + "--rw=randwrite --bs=64k --verify=crc32c",
        vary=("content",)),
    Row("randwrite, bsrange, verify", FOUR + "--rw=randwrite --bsrange=4k-64k --verify=crc32c",
        vary=("content",) + SIZES),
    Row("randwrite, max_open_zones=1", FOUR + "--rw=randwrite --bs=64k --max_open_zones=1 "
        "--verify=md5", vary=("content",)),
    Row("randwrite, max_open_zones=2 behind libaio", FOUR + "--rw=randwrite --bs=64k "
        "--max_open_zones=2 --ioengine=libaio --iodepth=8 --verify=md5", vary=("content",)),
    Row("randwrite, job_max_open_zones", FOUR + "--rw=randwrite --bs=64k --numjobs=2 "
        "--max_open_zones=2 --job_max_open_zones=1 --io_size={capacity} --group_reporting",
        vary=WHERE + ("resets",)),
    Row("job_max_open_zones alone", FOUR + "--rw=randwrite --bs=64k --job_max_open_zones=1",
        on=OVERLAYS + ("null_plain",), exits=1,
        says="cannot be used without a global open zones limit"),
    Row("different max_open_zones", FOUR + "--bs=64k --rw=write --name=a --max_open_zones=2 "
        "--name=b --max_open_zones=1 --offset={seq + 4 * zone}", exits=1, vary=WHERE,
        differs={"write.bytes": ("{4 * capacity}", 0), "write.ios": ("{4 * capacity // 65536}", 0)},
        why="refused before any I/O; fio runs the other job",
        says="Different 'max_open_zones' values"),
    Row("randwrite, zipf", FOUR + "--rw=randwrite --bs=16k --io_size={capacity // 2} "
        "--random_distribution=zipf:1.1", vary=("zones", "zones.empty", "content")),
    Row("randwrite, norandommap, number_ios", FOUR + "--rw=randwrite --bs=16k --norandommap "
        "--number_ios=20", vary=("zones", "zones.empty", "content")),
    Row("randrw", FOUR + "--bs=16k --name=w --rw=write --size=1z --name=m --wait_for=w --rw=randrw "
        "--rwmixread=50 --io_size={capacity}", vary=MIX + WHERE + ("resets",)),
    Row("rw, rwmixread=0", FOUR + "--rw=rw --rwmixread=0 --bs=64k"),
    Row("rw, rwmixwrite=0 after write", FOUR + "--bs=64k --name=w --rw=write --name=m --wait_for=w "
        "--rw=randrw --rwmixwrite=0 --io_size={capacity}"),

    Row("trim", FOUR + "--name=w --rw=write --bs=64k --name=t --wait_for=w --rw=trim --bs={zone}",
        differs={"resets": (0, 4)}, why=TRIM_RESETS),
    Row("trim of some zones", FOUR + "--name=w --rw=write --bs=64k --name=t --wait_for=w --rw=trim "
        "--bs={zone} --offset={seq + zone} --size=2z", differs={"resets": (0, 2)}, why=TRIM_RESETS),
    Row("trim of empty zones", FOUR + "--rw=trim --bs={zone}", differs={"resets": (0, 4)},
        why=TRIM_RESETS),
    Row("randtrim", FOUR + "--name=w --rw=write --bs=64k --name=t --wait_for=w --rw=randtrim "
        "--bs={zone} --number_ios=2", vary=("zones", "content"), differs={"resets": (0, 2)},
        why=TRIM_RESETS, lab="scsi_managed"),
    Row("trim, number_ios", FOUR + "--name=w --rw=write --bs=64k --name=t --wait_for=w --rw=trim "
        "--bs={zone} --number_ios=2", differs={"resets": (0, 2)}, why=TRIM_RESETS),
    Row("trim, loops", FOUR + "--name=w --rw=write --bs=64k --name=t --wait_for=w --rw=trim "
        "--bs={zone} --loops=2", differs={"resets": (0, 8)}, why=TRIM_RESETS),
    Row("trimwrite", FOUR + "--rw=trimwrite --bs={zone}", on=("overlay",),
        differs={"resets": (0, 4)}, why=TRIM_RESETS),
    Row("randtrim of empty zones", FOUR + "--rw=randtrim --bs={zone}", idle=True),
    Row("trim of less than a zone", FOUR + "--rw=trim --bs={zone // 2}", exits=1,
        says="is not the zone size"),
    # Three zones' worth of writes, and one block more.
    Row("trimwrite of smaller blocks", FOUR + "--rw=trimwrite --bs=64k,64k,{zone}",
        on=OVERLAYS, vary=WHERE + ("jobs", "write.ios"),
        differs={"resets": (0, 4), "write.bytes": ("{3 * capacity + 65536}", "{4 * capacity}")},
        why="fio 3.33 leaves what it trimmed last unwritten"),

    Row("threshold and frequency", "--rw=write --bs=64k --offset={seq} --size=1z --loops=4 "
        "--zone_reset_threshold=.5 --zone_reset_frequency=1"),
    Row("threshold, two jobs", "--rw=write --bs=64k --offset={seq} --size=1z --loops=2 "
        "--numjobs=2 --zone_reset_threshold=.5 --zone_reset_frequency=1 --group_reporting",
        on=("overlay", "null_plain", "scsi_managed"), vary=WHERE, lab="scsi_managed"),
    Row("threshold 0", FOUR + "--rw=write --bs=64k --zone_reset_threshold=0 "
        "--zone_reset_frequency=.25", lab="zns"),
    Row("threshold without frequency", FOUR + "--rw=write --bs=64k --zone_reset_threshold=.5",
        differs=refused(resets=0), why="a silent no-op"),
    Row("frequency without threshold", FOUR + "--rw=write --bs=64k --zone_reset_frequency=.25",
        differs=refused("{4 * zone}", resets="{4 * zone // 65536 // 4}"),
        why="threshold 0 says what fio makes of it"),
    Row("threshold out of range", FOUR + "--rw=write --bs=64k --zone_reset_threshold=2", exits=1,
        says="value out of range"),
    Row("a list of thresholds", FOUR + "--rw=write --bs=64k --zone_reset_threshold=.4:.6 "
        "--zone_reset_frequency=1", says="the list exceeding max length",
        differs=refused("{4 * zone}"),
        why="fio says the same, and runs all the same"),

    Row("verify", FOUR + "--rw=write --bs=64k --verify=md5", vary=("content",)),
    Row("verify in rounds",
        "--rw=write --bs=64k --offset={seq} --size=1z --loops=2 --verify=crc32c",
        vary=("content",)),
    Row("verify_backlog", FOUR + "--rw=write --bs=64k --verify=xxhash --verify_backlog=8",
        vary=("content",)),
    Row("verify by a job that reads", FOUR + "--bs=64k --verify=pattern --verify_pattern=0x77 "
        "--name=w --rw=write --do_verify=0 --name=r --wait_for=w --rw=read"),
    Row("verify with a threshold", "--rw=write --bs=64k --offset={seq} --size=1z --loops=2 "
        "--verify=md5 --zone_reset_frequency=.9 --zone_reset_threshold=.1",
        vary=WHERE + ("write.ios", "read.ios", "resets"),
        differs={"read.bytes": (0, "{2 * zone}"), "write.bytes": (0, "{2 * zone}"),
                 "jobs": ([""], ["read {2 * zone} write {2 * zone}"])},
        why="an assertion of fio 3.33 fails, and it exits with 0"),
    Row("verify of a bs that leaves a tail", FOUR + "--rw=randwrite --bs=28k --verify=crc32c",
        differs={"exit": (1, 0), "write.bytes": (0, "{4 * (capacity // 28672) * 28672}")},
        why="fio 3.33 fails"),
    Row("experimental_verify", FOUR + "--rw=write --bs=64k --verify=md5 --experimental_verify=1",
        differs=refused(), why="not with zonemode=zbd; fio 3.33 lets it pass"),
    Row("zoneskip that is no multiple", FOUR + "--rw=write --bs=64k --zoneskip=1", exits=1,
        says="is not a multiple of the device zone size"),
    Row("zonesize with a z", FOUR + "--rw=write --bs=64k --zonesize=1z", exits=1,
        says="suffix isn't applicable"),
    Row("zonesize below 512", FOUR + "--rw=write --bs=64k --zonesize=1", on=OVERLAYS, exits=1,
        says="zone size must be at least 512 bytes for --zonemode=zbd"),
    Row("zonesize above the file", "--rw=write --bs=64k --zonesize=1g", on=OVERLAYS, exits=1,
        says="is smaller than zone size"),
    Row("zonecapacity above zonesize", FOUR + "--rw=write --bs=64k --zonecapacity={2 * zone}",
        on=OVERLAYS, exits=1, says="is larger than zone size"),
]
