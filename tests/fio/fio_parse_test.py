#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Option lines that fio and `zonal run` both accept or both refuse, asked with
--parse-only; and those where we are stricter on purpose (docs/fio-differences.md).
Usage: fio_parse_test.py ZONAL; exits 77 where there is no fio."""
import os
import shutil
import subprocess
import sys
import tempfile

BOTH = """
--bs=4k,8k,16k
--bs=,8k
--bs=4k --bs=16k
--bsrange=4k-64k,8k-16k
--bsrange=64k:4k
--bssplit=4k/10:64k/50:32k/40
--bssplit=4k/50:1k/:8k/
--bs_unaligned=1
--rw=randrw:2
--rw=write:8k
--rw=trimwrite
--rw=randtrim
--rw=foo
--rwmixread=70
--rwmixread=101
--iodepth=8
--iodepth=0
--iodepth_batch=4 --iodepth_batch_complete_min=2 --iodepth_batch_complete_max=8
--numjobs=3 --offset_increment=1m
--offset=1m --io_size=2m
--size=20%
--loops=3 --number_ios=7
--random_distribution=zipf:1.2
--random_distribution=zipf:1.0
--random_distribution=zipf:1.2:0.25
--random_distribution=pareto:0.9
--random_distribution=normal:20
--random_distribution=zoned:60/10:30/20:8/30:2/40
--random_distribution=zoned:60/10:30/20
--random_distribution=zoned_abs:60/20m:40/100m
--random_distribution=foo
--percentage_random=50,20
--percentage_random=101
--random_generator=lfsr
--norandommap
--softrandommap=1
--rate=1m,500k
--rate=,500k
--rate_iops=100 --rate_process=poisson
--rate_process=foo
--thinktime=100 --thinktime_spin=20 --thinktime_blocks=4 --thinktime_blocks_type=issue
--thinktime=1ms --thinktime_iotime=9s
--flow=1 --flow_id=2
--flow=1001
--latency_target=500 --latency_window=10000 --latency_percentile=99.5
--latency_percentile=101
--max_latency=5ms
--continue_on_error=io
--continue_on_error=foo
--ignore_error=,EIO:61
--exitall --exit_what=all
--exit_what=foo
--exitall_on_error=1
--verify=md5 --do_verify=0
--verify=foo
--verify=crc32c-intel
--verify=sha512 --verify_interval=4k
--verify=pattern --verify_pattern=0xff%o"abcd"-12
--verify_pattern=abc
--verify_backlog=2 --verify_backlog_batch=1
--buffer_pattern=0xdeadface
--buffer_compress_percentage=50 --buffer_compress_chunk=4k
--buffer_compress_percentage=101
--dedupe_percentage=20
--zero_buffers --refill_buffers
--sync=dsync
--sync=foo
--fsync=4 --fdatasync=8 --end_fsync=1
--cpus_allowed=0
--cpumask=1
--nice=-5
--nice=20
--zonemode=foo
--zone_reset_threshold=-1
--zone_reset_frequency=2
--write_bw_log=x --log_avg_msec=500
--percentile_list=50:99.9
--percentile_list=101
--kb_base=1000
--kb_base=1001
--unit_base=1
--significant_figures=10
--significant_figures=11
--startdelay=1-3
--stonewall
--runtime=5m --time_based
--ramp_time=100ms
--direct=1
--buffered=0
--thread
--exec_prerun=true
--ioengine=libaio
--ioengine=foo
--nosuchoption=1
--filename=a:b
--nrfiles=3
--filesize=1m
--group_reporting --new_group
--description=text
--clat_percentiles=0 --lat_percentiles=1
--gtod_reduce=1
--unlink=1
--terse-version=4
--output-format=json,normal
--status-interval=5
--eta=never
--alloc-size=1024 --max-jobs=16
"""

# fio takes these, some of them to fail later; we say why we do not.
STRICTER = """
--size=1k
--zonemode=strided
--zonemode=none --zonesize=1m
--max_open_zones=-1
--wait_for=nobody
--runtime=30x
--eta=foo
--numjobs=0
--time_based
--rw=randrw:0
--size=101%
--read_iolog=x
"""

# fio wants a value here; we know what is meant.
MORE_LENIENT = """
--direct
--write_lat_log
"""


def accepts(program, line, folder):
    words = [*program, "--parse-only", "--name=x", "--size=1m", "--filename=f", *line.split()]
    done = subprocess.run(words, capture_output=True, text=True, check=False, cwd=folder,
                          timeout=20)
    return done.returncode == 0, done.stderr + done.stdout


def main():
    if shutil.which("fio") is None:
        print("skipped: there is no fio on this machine")
        return 77
    zonal = [os.path.abspath(sys.argv[1]), "run"]
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for text, differs in ((BOTH, None), (STRICTER, True), (MORE_LENIENT, False)):
            for line in text.split("\n"):
                if not line:
                    continue
                theirs, their_text = accepts(["fio"], line, folder)
                ours, our_text = accepts(zonal, line, folder)
                if theirs == ours if differs is None else (theirs, ours) == (differs, not differs):
                    continue
                wrong += 1
                print(f"{line}: fio {'takes' if theirs else 'refuses'} it, "
                      f"we {'take' if ours else 'refuse'} it\n{their_text}{our_text}")
    print(f"{wrong} lines are not as the tables say")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
