#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What fio's zoned suite asks of jobs that share a drive, run for a while, or come to zones
left open, by its test numbers. See suite_job_test.py.
Usage: suite_jobs_test.py ZONAL"""
from suite_rig import BLOCK, LAYOUTS, SHORT, SuiteTest, main


class Jobs(SuiteTest):
    def test_30_31_32_whole_drives_for_a_while(self):
        for layout in self.layouts():
            size = layout.zones * self.zs - layout.zone(0)
            common = f"--offset={layout.zone(0)} --time_based --runtime={SHORT} --zonemode=zbd"
            self.job(f"--ioengine=libaio --iodepth=8 --rw=randrw --bs={BLOCK} --loops=2 "
                     f"--norandommap=1 {common}").expect()
            self.fresh(layout)
            stride = 16 * self.zs
            self.job(f"--rw=write --bs=128K --offset={layout.zone(0)} --size={8 * stride} "
                     f"--io_size={8 * 131072} --zonemode=strided --zonesize=131072 "
                     f"--zonerange={stride} --ioengine=psync").expect(8 * 131072)
            self.job(f"--ioengine=psync --rw=randread --bs=128K --size={size} {common}").expect()
            self.assertGreater(self.moved("READ"), 0)
            self.fresh(layout)
            self.job(f"--ioengine=psync --rw=randwrite --bs=128K --max_open_zones=4 "
                     f"{common}").expect()
            self.assertGreater(self.moved("WRITE"), 0)

    def test_31_reads_of_blocks_that_no_zone_holds_are_no_error(self):
        self.on_plain(f"--ioengine=psync --rw=randread --bs=128K --time_based --runtime={SHORT} "
                      "--zonemode=zbd --zonesize=65536").expect(read=0)

    def test_34_57_odd_blocks_at_a_deep_queue(self):
        for _ in self.layouts():
            for block in [28672, min(self.cap, 4 << 20) - 4096]:
                self.on_zones(f"--ioengine=libaio --iodepth=256 --rw=randwrite --bs={block} "
                              f"--time_based=1 --runtime={SHORT} --do_verify=1 "
                              "--verify=crc32c").expect()
            self.on_zones(f"--ioengine=libaio --iodepth=256 --rw=randwrite --bs=28672 "
                          f"--time_based=1 --runtime={SHORT}").expect()

    def test_50_51_over_both_kinds_of_zones(self):
        self.fresh(LAYOUTS[1])
        common = f"--offset={self.l.zone(-8)} --size={16 * self.zs} --zonemode=zbd"
        self.job(f"--ioengine=libaio --rw=randread --bs=64K --time_based --runtime={SHORT} "
                 f"{common}").expect()
        jobs = []
        for i in range(1, 13):
            jobs += [f"--name=job{i}", f"--filename={self.drive}", "--thread=1", "--direct=1",
                     "--ioengine=libaio", "--rw=randwrite", f"--bs={i * 16}K",
                     "--max_open_zones=2", "--time_based", f"--runtime={SHORT}",
                     f"--randseed={i}", *common.split()]
        self.fio_run(*jobs).expect()
        self.assertGreater(self.moved("WRITE"), 0)

    def test_54_69_mixes_with_a_backlog(self):
        for _ in self.layouts():
            self.on_zones(f"--ioengine=libaio --rw=randrw:2 --rwmixwrite=25 --bsrange=4k-{self.zs} "
                          "--iodepth=1 --verify=crc32c --do_verify=1 --verify_backlog=2 "
                          f"--time_based --runtime={SHORT} --continue_on_error=0 "
                          "--alloc-size=65536 --random_generator=tausworthe64 --debug=zbd",
                          count=8).expect()
            self.job(f"--time_based --runtime={SHORT} --rw=rw --offset={self.l.zone(0)} "
                     "--ioengine=libaio --iodepth=32 --randrepeat=0 --verify=crc32 "
                     "--verify_backlog=1 --zonemode=zbd").expect()

    def test_59_resets_by_schedule_of_what_is_verified(self):
        for rw in ["write", "randwrite", "rw", "randrw"]:
            for _ in self.layouts():
                self.on_zones(f"--ioengine=psync --rw={rw} --bs={self.biggest_block()} --loops=2 "
                              "--do_verify=1 --verify=md5 --zone_reset_frequency=.9 "
                              "--zone_reset_threshold=.1", count=1).expect()

    def clones(self, count, options):
        jobs = []
        for i in range(count):
            jobs += [f"--name=job{i}", f"--filename={self.drive}", "--thread=1", "--direct=1",
                     "--zonemode=zbd", "--group_reporting=1", *options(i).split()]
        return self.fio_run(*jobs)

    def test_25_28_29_sixteen_writers(self):
        for layout in self.layouts():
            self.clones(16, lambda i: f"--ioengine=psync --rw=write --bs=16K "
                        f"--offset={layout.zone(i)} --size={self.zs}").expect(16 * self.cap)
            self.clones(16, lambda i: f"--ioengine=psync --rw=randwrite --bs=16K --debug=zbd "
                        f"--size={self.zs} --offset={layout.zone(64)} --io_size={self.cap}")
            self.expect(16 * self.cap, resets=(15, 16))
            self.clones(16, lambda i: f"--ioengine=psync --rw=randwrite --bs=16K "
                        f"--size={16 * self.zs} --offset={layout.zone(65)} --io_size={self.zs} "
                        "--max_open_zones=4").expect(16 * self.zs)

    def test_46_eight_deep_random_writers(self):
        for _ in self.layouts():
            self.on_zones("--ioengine=libaio --iodepth=64 --rw=randwrite --bs=4K "
                          "--group_reporting=1 --numjobs=8").expect(32 * self.zs)

    def test_48_sixteen_deep_writers_of_four_open_zones(self):
        for layout in self.layouts():
            self.clones(16, lambda i: f"--ioengine=libaio --iodepth=256 --rw=randwrite --bs=16K "
                        f"--io_size={self.zs} --size={16 * self.zs} --offset={layout.zone(64)} "
                        f"--max_open_zones=4 --time_based=1 --runtime={SHORT} --debug=zbd")
            self.expect()

    def test_55_56_sizes_in_zones(self):
        for layout in self.layouts():
            first = self.l.conventional + 1
            self.job(f"--ioengine=psync --zonemode=zbd --rw=write --bs=4K --numjobs=2 "
                     f"--offset={first}z --offset_increment=10z --size=2z --io_size=3z "
                     "--debug=zbd").expect(6 * self.zs)
        self.on_plain("--ioengine=psync --zonemode=strided --zonesize=65536 --rw=write --bs=4K "
                      "--size=10z --zoneskip=2z --debug=zbd").expect()

    def test_58_writers_and_trims(self):
        for layout in self.layouts():
            common = ["--group_reporting", f"--filename={self.drive}", "--norandommap=1",
                      "--thread=1", "--direct=1", "--zonemode=zbd"]
            self.fio_run(*common, "--name=precondition", f"--offset={layout.zone(0)}",
                         f"--size={16 * self.zs}", "--rw=write", "--bs=16K", "--ioengine=psync",
                         *[word for name, rw, engine, block, flow in
                           [("wjob", "randwrite", "libaio", "16K", 128),
                            ("trimjob", "randtrim", "psync", self.zs, 1)]
                           for word in [f"--name={name}", "--wait_for=precondition",
                                        f"--offset={layout.zone(0)}", f"--size={128 * self.zs}",
                                        f"--rw={rw}", f"--ioengine={engine}", f"--bs={block}",
                                        "--iodepth=8" if engine == "libaio" else "--iodepth=1",
                                        f"--flow={flow}", "--time_based", f"--runtime={SHORT}"]])
            self.expect()

    def test_61_thresholds_over_different_ranges(self):
        self.fresh(LAYOUTS[0])
        self.on_zones(f"--ioengine=psync --rw=write --bs=4K --numjobs=2 "
                      f"--offset_increment={self.zs} --zone_reset_threshold=0.1 "
                      "--zone_reset_frequency=1 --exitall_on_error=1", count=1)
        self.refused("different write ranges")

    def test_62_63_resets_after_each_half_of_a_zone(self):
        for layout in self.layouts():
            block = self.zs // 4
            options = (f"--bs={block} --size={self.zs} --loops=2 --zone_reset_frequency=1 "
                       "--zone_reset_threshold=.5 --group_reporting=1 --ioengine=psync")
            self.on_zones(f"--rw=write --numjobs=2 {options}", count=1)
            self.expect(4 * self.zs, resets=(7,))
            self.fresh(layout)
            self.fio_run(*options.split(), f"--filename={self.drive}", "--zonemode=zbd",
                         f"--zonesize={self.zs}", "--direct=1",
                         "--name=r", "--rw=read", f"--offset={layout.zone(0)}",
                         "--name=w", "--rw=write", f"--offset={layout.zone(1)}")
            self.expect(2 * self.zs, resets=(3,))

    def test_65_a_trim_frees_an_open_zone(self):
        for layout in self.layouts():
            self.fio_run(f"--filename={self.drive}", "--thread=1", "--direct=1",
                         "--group_reporting=1", "--zonemode=zbd", f"--zonesize={self.zs}",
                         "--max_open_zones=4", "--ioengine=psync",
                         "--name=w1", "--rw=randwrite", "--bs=16K", f"--offset={layout.zone(0)}",
                         f"--size={4 * self.zs}", f"--io_size={self.zs}",
                         "--name=t", "--wait_for=w1", "--rw=trim", f"--bs={self.zs}",
                         f"--offset={layout.zone(0)}", f"--size={self.zs}",
                         "--name=w2", "--wait_for=t", "--rw=write", "--bs=4096",
                         f"--offset={layout.zone(4)}", f"--size={self.zs}")
            self.expect(self.zs + self.cap)

    def leave_closed(self, zones):
        """Writes a block to each; they are closed when the drive's file is opened again."""
        for zone in zones:
            self.on_zones(f"--ioengine=psync --rw=write --bs={BLOCK} --io_size={BLOCK}",
                          first=zone, count=1).expect(BLOCK)

    def test_66_closed_zones_are_written_on(self):
        self.fresh(LAYOUTS[1])
        self.leave_closed(range(self.l.limit))
        # The abbreviated name is the suite's.
        self.job(f"--offset={self.l.zone(0)} --size={16 * self.l.limit // 2 * self.zs} "
                 f"--zonemod=zbd --ioengine=psync --rw=randwrite --bs={BLOCK} "
                 f"--max_open_zones={self.l.limit} --time_based --runtime={SHORT}").expect()
        self.assertGreater(self.moved("WRITE"), 0)

    def test_67_active_zones_out_of_the_range_are_named(self):
        self.fresh(LAYOUTS[1])
        self.leave_closed(range(self.l.limit))
        self.job(f"--offset={self.l.zone(self.l.limit)} --size={self.zs} --zonemod=zbd "
                 f"--ioengine=psync --rw=write --bs={BLOCK}").refused(
                     "Exceeded max_active_zones limit. Check conditions of zones out of I/O")

    def test_70_limits_are_for_writers(self):
        for _ in self.layouts():
            self.job(f"--ioengine=psync --rw=write --bs={BLOCK} --zonemode=zbd --numjobs=2 "
                     f"--offset={self.l.zone(0)} --size=1z --offset_increment=1z "
                     f"--io_size={BLOCK}")
            reader = f"--ioengine=psync --rw=read --bs={BLOCK}"
            self.on_zones(f"{reader} --max_open_zones=1").expect()
            self.on_zones(f"{reader} --job_max_open_zones=1").expect()
            self.assertIn("valid only for write jobs", self.text)
            self.on_zones(f"--ioengine=psync --rw=trim --io_size=1z --bs={self.zs} "
                          "--max_open_zones=1").expect()

    def test_71_places_taken_by_nearly_full_zones(self):
        self.fresh(LAYOUTS[0])
        tail = 12 * 1024
        for zone in range(0, 8, 2):
            self.on_zones(f"--ioengine=psync --rw=write --bs=4K --io_size={self.cap - tail}",
                          first=zone, count=1).expect(self.cap - tail)
        self.on_zones("--ioengine=psync --rw=randwrite --bs=8192 --max_open_zones=1 --debug=zbd",
                      count=8).expect()
        self.assertIn(self.moved("WRITE"), [8 * self.zs, 8 * self.zs + 4096])

    def test_72_to_75_recovery_is_accepted_and_needs_errors_to_survive(self):
        self.fresh(LAYOUTS[0])
        # The engine's tests plant the faults.
        recover = (f"--parse-only --ioengine=psync --rw=write --bs={BLOCK} "
                   "--recover_zbd_write_error=1")
        for more in ["--verify=md5 --do_verify=1 --continue_on_error=1 --ignore_error=,EIO:61",
                     "--iodepth=32 --numjob=8 --group_reporting=1 --continue_on_error=1 "
                     "--ignore_error=,EIO:61"]:
            self.on_zones(f"{recover} {more}").expect()
        self.on_zones(recover).refused("works only when continue_on_error is set")


if __name__ == "__main__":
    main()
