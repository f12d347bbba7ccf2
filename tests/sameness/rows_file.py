# SPDX-License-Identifier: MIT
"""Rows on plain files, without zones. Unless a row says otherwise the file has 16 MiB of
zeros."""
from row import Row

PLACES = ("content", "filled")  # which blocks were hit, where not all of them are
MIX = ("read.bytes", "write.bytes", "read.ios", "write.ios", "jobs")
SIZES = ("read.ios", "write.ios")  # how many blocks of random sizes it takes

SHORT_LAST = "the last request is shorter: no byte more or less than asked"

ROWS = [
    Row("write", "--rw=write --bs=64k --size=4m"),
    Row("read", "--rw=read --bs=64k --size=4m"),
    Row("randwrite covers each block once", "--rw=randwrite --bs=16k --size=2m"),
    Row("randread", "--rw=randread --bs=16k --size=2m"),
    Row("rw", "--rw=rw --bs=16k --size=2m", vary=PLACES + MIX),
    Row("rwmixread=100", "--rw=randrw --rwmixread=100 --bs=16k --size=2m"),
    Row("rwmixwrite=100", "--rw=rw --rwmixwrite=100 --bs=16k --size=2m"),
    Row("rwmixwrite=0", "--rw=rw --rwmixwrite=0 --bs=16k --size=2m"),
    Row("write:64k goes round", "--rw=write:64k --bs=64k", size=2 << 20),
    Row("write:64k in a part of the file", "--rw=write:64k --bs=64k --size=2m",
        differs={"write.bytes": (1 << 20, 2 << 20), "write.ios": (16, 32),
                 "jobs": (["write 1048576"], ["write 2097152"])},
        why="fio goes round only if the file ends there; here always"),
    Row("randwrite:4", "--rw=randwrite:4 --bs=16k --size=2m", vary=PLACES,
        differs={"write.bytes": (1671168, 2 << 20), "write.ios": (102, 128),
                 "jobs": (["write 1671168"], ["write 2097152"])},
        why="fio ends where a run meets the end of the range"),
    Row("write backwards", "--rw=write:-128k --bs=64k --offset=4m --size=2m"),
    Row("identical", "--rw=randwrite:4 --rw_sequencer=identical --bs=16k --size=2m", vary=PLACES),

    Row("a size that is no multiple of bs", "--rw=write --bs=48k --size=1m", vary=("content",),
        differs={"write.bytes": (1081344, 1048576), "filled": (1081344, 1048576),
                 "jobs": (["write 1081344"], ["write 1048576"])}, why=SHORT_LAST),
    Row("a random size that is no multiple of bs", "--rw=randwrite --bs=48k --size=1m",
        differs={"write.bytes": (1032192, 1048576), "write.ios": (21, 22),
                 "jobs": (["write 1032192"], ["write 1048576"])}, why=SHORT_LAST),
    Row("io_size that is no multiple of bs", "--rw=write --bs=48k --size=4m --io_size=1m",
        vary=("content",),
        differs={"write.bytes": (1081344, 1048576), "filled": (1081344, 1048576),
                 "jobs": (["write 1081344"], ["write 1048576"])}, why=SHORT_LAST),
    Row("read of a size that is no multiple of bs", "--rw=read --bs=48k --size=1m",
        differs={"read.bytes": (1081344, 1048576),
                 "jobs": (["read 1081344"], ["read 1048576"])}, why=SHORT_LAST),
    Row("a file that ends within a block", "--rw=read --bs=48k", size=1 << 20,
        differs={"read.bytes": (1032192, 1048576), "read.ios": (21, 22),
                 "jobs": (["read 1032192"], ["read 1048576"])}, why=SHORT_LAST),
    Row("io_size below size", "--rw=write --bs=64k --size=4m --io_size=1m"),
    Row("io_size above size goes round", "--rw=write --bs=64k --size=1m --io_size=3m"),
    Row("randwrite with io_size above size", "--rw=randwrite --bs=64k --size=1m --io_size=3m"),
    Row("randread with io_size below size", "--rw=randread --bs=64k --size=4m --io_size=1m"),
    Row("offset", "--rw=write --bs=64k --offset=1m --size=2m"),
    Row("offset without size", "--rw=write --bs=64k --offset=12m"),
    Row("offset in percent", "--rw=write --bs=64k --offset=25% --size=50%"),
    Row("io_size in percent", "--rw=write --bs=64k --size=4m --io_size=50%"),
    Row("offset_increment", "--rw=write --bs=64k --numjobs=4 --offset_increment=1m --size=512k"),
    Row("offset_increment in percent",
        "--rw=write --bs=64k --numjobs=4 --offset_increment=25% --size=512k"),
    Row("number_ios", "--rw=write --bs=64k --number_ios=7 --size=1m"),
    Row("number_ios of a random job", "--rw=randwrite --bs=64k --number_ios=7 --size=1m",
        vary=("content",)),
    Row("loops", "--rw=write --bs=64k --loops=3 --size=1m"),
    Row("random loops", "--rw=randread --bs=64k --loops=3 --size=1m"),
    Row("loops and number_ios", "--rw=write --bs=64k --loops=3 --number_ios=4 --size=1m",
        vary=("content",),
        differs={"write.bytes": (786432, 262144), "write.ios": (12, 4), "filled": (786432, 262144),
                 "jobs": (["write 786432"], ["write 262144"])},
        why="number_ios counts in all, not within a loop"),

    Row("numjobs over the same range", "--rw=write --bs=64k --numjobs=3 --size=1m"),
    Row("group_reporting", "--rw=write --bs=64k --numjobs=3 --size=1m --group_reporting"),
    Row("paced jobs", "--bs=64k --size=1m --name=a --rw=write --rate=200m --name=b --rw=randread "
        "--rate_iops=2000 --name=c --rw=read --thinktime=100us --thinktime_blocks=4"),
    Row("stonewall", "--bs=64k --size=1m --name=a --rw=write --name=b --stonewall --rw=read"),
    Row("wait_for",
        "--bs=64k --size=1m --name=a --rw=write --name=b --wait_for=a --rw=randread"),
    Row("a job file", "", job_file="""[global]
filename=f
bs=16k
size=1m
buffer_pattern=0x11
[first]
rw=write
[second]
stonewall
rw=randwrite
offset=1m
buffer_pattern=0x22
numjobs=2
[third]
stonewall
rw=read
size=2m
"""),

    Row("bs by direction", "--rw=rw --rwmixread=100 --bs=32k,16k --size=1m"),
    Row("bsrange", "--rw=write --bsrange=4k-64k --size=2m", vary=SIZES),
    Row("bsrange at random", "--rw=randwrite --bsrange=4k-16k --size=2m --norandommap",
        vary=SIZES + PLACES,
        differs={"write.bytes": (2101248, 2097152), "jobs": (["write 2101248"], ["write 2097152"])},
        why=SHORT_LAST),
    Row("bssplit", "--rw=read --bssplit=4k/50:16k/50 --size=2m", vary=SIZES),
    Row("bssplit of one size", "--rw=write --bssplit=16k/100 --size=2m"),
    Row("blocksize_unaligned", "--rw=write --bsrange=512-8k --bs_unaligned --size=256k",
        vary=SIZES + ("content",),
        differs={"write.bytes": (261843, 262144), "jobs": (["write 261843"], ["write 262144"])},
        why=SHORT_LAST),

    Row("bs that is no multiple of the block", "--rw=write --bs=1000 --size=100000",
        differs={"exit": (0, 1), "write.bytes": (100000, 0)},
        why="a drive takes whole blocks"),
    Row("blockalign", "--rw=randwrite --bs=16k --blockalign=32k --size=2m", vary=PLACES),
    Row("random bs by direction", "--rw=randread --bs=16k,8k,4k --size=2m",
        differs={"read.bytes": (835584, 2 << 20), "read.ios": (51, 128),
                 "jobs": (["read 835584"], ["read 2097152"])},
        why="fio ends early: its map is of the smallest bs of all directions"),

    Row("norandommap", "--rw=randwrite --bs=16k --size=2m --norandommap", vary=PLACES),
    Row("softrandommap", "--rw=randwrite --bs=16k --size=2m --softrandommap=1"),
    Row("lfsr", "--rw=randwrite --bs=16k --size=2m --random_generator=lfsr"),
    Row("zipf", "--rw=randwrite --bs=16k --size=2m --random_distribution=zipf:1.2", vary=PLACES),
    Row("zoned distribution",
        "--rw=randwrite --bs=16k --size=2m --random_distribution=zoned:50/25:50/75", vary=PLACES),
    Row("zoned_abs distribution",
        "--rw=randread --bs=16k --size=2m --random_distribution=zoned_abs:60/1m:40/1m"),
    Row("percentage_random=0", "--rw=randwrite --bs=16k --size=2m --percentage_random=0"),

    Row("direct", "--rw=randwrite --direct=1 --bs=16k --size=2m"),
    Row("libaio", "--rw=randwrite --direct=1 --bs=16k --size=2m --ioengine=libaio --iodepth=16"),
    Row("io_uring", "--rw=randread --direct=1 --bs=16k --size=2m --ioengine=io_uring --iodepth=16"),
    Row("batches", "--rw=write --direct=1 --bs=16k --size=2m --ioengine=libaio --iodepth=16 "
        "--iodepth_batch=4 --iodepth_batch_complete_min=2 --iodepth_low=8"),
    Row("depth of a synchronous engine", "--rw=write --bs=16k --size=2m --iodepth=16"),
    Row("pvsync", "--rw=write --bs=16k --size=2m --ioengine=pvsync"),
    Row("sync", "--rw=read --bs=16k --size=2m --ioengine=sync"),
    Row("fsync", "--rw=write --bs=64k --size=1m --fsync=4", differs={"syncs": (3, 4)},
        why="fio has no flush behind the last writes"),
    Row("fdatasync", "--rw=randwrite --bs=64k --size=1m --fdatasync=3",
        differs={"syncs": (0, 5), "read.short": (5, 0)},
        why="fio's JSON has them among the short reads"),
    Row("end_fsync", "--rw=write --bs=64k --size=1m --end_fsync=1", differs={"syncs": (0, 1)},
        why="fio does not count the last flush"),
    Row("fsync_on_close", "--rw=write --bs=64k --size=1m --fsync_on_close=1",
        differs={"syncs": (0, 1)}, why="fio does not count the last flush"),
    Row("sync=1", "--rw=write --bs=64k --size=1m --sync=1"),

    Row("verify", "--rw=write --bs=16k --size=1m --verify=md5", vary=("content",)),
    Row("verify at random", "--rw=randwrite --bs=16k --size=1m --verify=crc32c --ioengine=libaio "
        "--iodepth=8", vary=("content",)),
    Row("verify without reading back",
        "--rw=write --bs=16k --size=1m --verify=sha256 --do_verify=0",
        vary=("content",)),
    Row("verify_interval", "--rw=write --bs=64k --size=1m --verify=xxhash --verify_interval=4k",
        vary=("content",)),
    Row("verify_backlog", "--rw=write --bs=16k --size=1m --verify=crc64 --verify_backlog=8",
        vary=("content",)),
    Row("verify, io_size above size", "--rw=write --bs=16k --size=1m --io_size=2m "
        "--verify=crc32c", vary=("content",),
        differs={"write.bytes": (1 << 20, 2 << 20), "write.ios": (64, 128),
                 "read.bytes": (1 << 20, 2 << 20), "read.ios": (64, 128),
                 "jobs": (["read 1048576 write 1048576"], ["read 2097152 write 2097152"])},
        why="fio moves size bytes, not io_size"),
    Row("verify with number_ios", "--rw=write --bs=16k --size=1m --number_ios=10 --verify=crc32c",
        vary=("content",)),
    Row("verify of a pattern", "--rw=randwrite --bs=16k --size=1m --verify=pattern "
        "--verify_pattern=0xdeadbeef"),
    Row("verify with loops", "--rw=write --bs=16k --size=1m --verify=sha1 --loops=2",
        vary=("content",)),
    Row("a pattern verified by a read job", "--bs=16k --size=1m --verify=pattern "
        "--verify_pattern=0x5a --name=w --rw=write --do_verify=0 --name=r --stonewall --rw=read"),
    Row("verify finds another pattern", "--rw=read --bs=16k --size=1m --verify=pattern "
        "--verify_pattern=0x5a", exits=1,
        differs={"read.bytes": (16384, 1 << 20), "read.ios": (1, 64),
                 "jobs": (["read 16384"], ["read 1048576"])},
        why="fio ends at the first wrong block even without verify_fatal"),
    Row("verify_fatal", "--rw=read --bs=16k --size=1m --verify=pattern --verify_pattern=0x5a "
        "--verify_fatal=1", exits=1),
    Row("verify_only of a pattern", "--rw=write --bs=16k --size=1m --verify=pattern "
        "--verify_pattern=0x33 --verify_only", fill=0x33,
        differs={"write.bytes": (1 << 20, 0), "write.ios": (64, 0),
                 "jobs": (["read 1048576 write 1048576"], ["read 1048576"])},
        why="fio counts the writes it leaves out"),

    Row("buffer_pattern of several bytes", "--rw=write --bs=16k --size=1m "
        "--buffer_pattern=0xdeadface\\\"abc\\\"-12"),
    Row("zero_buffers", "--rw=write --bs=16k --size=1m --zero_buffers", fill=0xff),
    Row("a file that is not there", "--rw=write --bs=64k --size=1m", size=None),
    Row("a file that is not there, read", "--rw=read --bs=64k --size=1m", size=None,
        differs={"exit": (0, 1), "size": (1 << 20, None), "read.bytes": (1 << 20, 0)},
        why="fio writes the file first; here nothing is made up to be read"),
    Row("a file that is not there, with an offset", "--rw=write --bs=64k --size=1m --offset=1m",
        size=None),
    Row("a file that is too short", "--rw=write --bs=64k --size=2m", size=1 << 20,
        differs={"exit": (0, 1), "size": (2 << 20, 1 << 20), "write.bytes": (2 << 20, 0)},
        why="a range past the end is a mistake on a drive"),
    Row("overwrite", "--rw=randwrite --bs=64k --size=1m --overwrite=1", size=None),
    Row("no size, no file", "--rw=write --bs=64k", size=None, exits=1),
    Row("two files", "--filename=f:g --rw=write --bs=64k --size=2m", vary=("content",),
        differs={"errors": ([0], [0, 0]), "filled": (720896, 1 << 20),
                 "jobs": (["write 2097152"], ["write 1048576"] * 2)},
        why="each file has a worker of its own"),
    Row("trim of a file", "--rw=trim --bs=64k --size=1m", fill=0xff, exits=1,
        differs={"trim.ios": (1, 0)}, why="trims without zones are refused before any I/O"),
    Row("readonly", "--readonly --rw=write --bs=64k --size=1m", exits=1),

    Row("strided", "--rw=write --bs=64k --size=8m --zonemode=strided --zonesize=256k "
        "--zonerange=1m --zoneskip=1m --io_size=1m"),
    Row("strided without io_size", "--rw=write --bs=64k --size=8m --zonemode=strided "
        "--zonesize=256k --zoneskip=768k", vary=("content",),
        differs={"write.bytes": (8 << 20, 2 << 20), "write.ios": (128, 32), "filled": (4 << 20,
        2 << 20),
                 "jobs": (["write 8388608"], ["write 2097152"])},
        why="no window twice unasked"),
    Row("strided at random", "--rw=randwrite --bs=64k --size=8m --zonemode=strided "
        "--zonesize=256k --zonerange=256k --zoneskip=768k --io_size=2m"),
    Row("strided in zones", "--rw=read --bs=64k --zonemode=strided --zonesize=1m --zoneskip=1z "
        "--size=8z --io_size=4z"),
    Row("strided with an odd bs",
        "--rw=write --bs=48k --size=8m --zonemode=strided --zonesize=256k "
        "--zoneskip=256k --io_size=1m", vary=("content",),
        differs={"write.bytes": (1081344, 1 << 20), "write.ios": (22, 24), "filled": (1081344,
        1 << 20),
                 "jobs": (["write 1081344"], ["write 1048576"])},
        why="the last request of a window is cut: zonesize bytes are moved"),
    Row("zonesize without zonemode", "--rw=write --bs=64k --size=1m --zonesize=1m", exits=1,
        says="fio: --zonemode=none and --zonesize are not compatible"),
    Row("strided without zonesize", "--rw=write --bs=64k --size=1m --zonemode=strided", exits=1,
        says="fio: --zonesize must be specified when using --zonemode=strided"),
    Row("an unknown option", "--rw=write --nonsense=1", exits=1),
    Row("a failing job among others", "--bs=64k --size=1m --name=a --rw=write --name=b --rw=read "
        "--filename=/nonexistent/f --allow_file_create=0", exits=1, vary=("content", "jobs",
        "errors"),
        differs={"write.bytes": (1 << 20, 0), "write.ios": (16, 0), "filled": (1 << 20, 0)},
        why="what cannot be opened is refused before any job starts"),
]
