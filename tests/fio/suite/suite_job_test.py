#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""One job's range, blocks and totals, as fio's zoned suite asks for them, by its test numbers:
what would fail the suite fails here, without its checkout and without kernels with zones.
Usage: suite_job_test.py ZONAL"""
from suite_rig import BLOCK, LAYOUTS, SHORT, SuiteTest, main


class OneJob(SuiteTest):
    def test_01_direct_io_is_asked_for_where_the_device_needs_it(self):
        self.on_plain(f"--ioengine=psync --rw=write --direct=0 --bs=4K --size={64 * 1024} "
                      f"--zonemode=zbd --zonesize={64 * 1024}")
        self.assertEqual(self.code, 0, self.text)
        self.assertNotIn("direct I/O is mandatory", self.text)

    def test_02_blocks_above_the_zone_size_are_refused(self):
        for layout in self.layouts():
            self.job(f"--ioengine=psync --zonemode=zbd --rw=write --direct=1 "
                     f"--offset={layout.zone(2)} --bs={2 * self.zs} --size={2 * self.zs}")
            self.refused("buflen exceeds zone size")

    def test_03_a_read_of_an_empty_zone_reads_nothing_and_is_no_error(self):
        for _ in self.layouts():
            self.on_zones("--ioengine=psync --rw=read --bs=4K", first=128, count=1).expect()
            self.assertNotIn("READ:", self.text)

    def test_04_reads_behind_the_write_pointer_where_asked_for(self):
        for _ in self.layouts():
            self.on_zones(f"--ioengine=psync --rw=read --bs={self.zs} --read_beyond_wp=1 "
                          "--disable_lat=1", first=129, count=1).expect(read=self.zs)

    def test_05_sequential_writes_are_verified(self):
        for _ in self.layouts():
            self.on_zones("--ioengine=psync --iodepth=1 --rw=write --do_verify=1 --verify=md5 "
                          "--bs=4096").expect(4 * self.cap, 4 * self.cap)

    def test_06_a_sequential_read_takes_what_was_written(self):
        for layout in self.layouts():
            self.writer_then(layout.zone(0), 4 * self.zs,
                             f"--offset={layout.zone(0)} --size={4 * self.zs} --zonemode=zbd "
                             "--ioengine=psync --rw=read --bs=4096")
            self.expect(4 * self.cap, 4 * self.cap)

    def test_07_08_11_random_writes_fill_each_zone_once(self):
        for count, depth, block in [(1, 1, "--bs=16K"), (4, 64, "--bs=16K"),
                                    (4, 64, "--bsrange=4K-64K --debug=zbd")]:
            for _ in self.layouts():
                self.on_zones(f"--ioengine=libaio --iodepth={depth} --rw=randwrite {block} "
                              "--do_verify=1 --verify=md5", count=count)
                self.expect(count * self.cap, count * self.cap)

    def test_09_10_the_same_under_the_name_of_the_sg_engine(self):
        for depth in [1, 64]:
            self.fresh(LAYOUTS[0])
            self.on_zones(f"--ioengine=sg --iodepth={depth} --rw=randwrite --bs=16K "
                          "--do_verify=1 --verify=md5").expect(4 * self.zs, 4 * self.zs)

    def test_12_13_few_zones_at_a_time(self):
        for most in [1, 4]:
            for _ in self.layouts():
                self.on_zones(f"--ioengine=libaio --iodepth=64 --rw=randwrite --bs=16K "
                              f"--max_open_zones={most} --do_verify=1 --verify=md5 --debug=zbd",
                              count=8).expect(8 * self.cap, 8 * self.cap)

    def test_14_random_writes_to_conventional_zones(self):
        self.fresh(LAYOUTS[1])
        size = 8 * self.zs
        self.job(f"--zonemode=zbd --offset=0 --size={size} --ioengine=libaio --iodepth=64 "
                 "--rw=randwrite --bs=16K --do_verify=1 --verify=md5 --debug=io")
        # A block written over while another write of it is in flight is not read back.
        overlaps = self.text.count("iolog: overlap")
        self.expect(size, size - 16384 * overlaps)

    def test_15_16_reads_over_empty_and_full_zones(self):
        for options, read in [("--ioengine=psync --rw=read", lambda: 2 * self.cap),
                              ("--ioengine=libaio --iodepth=64 --rw=randread",
                               lambda: 4 * self.zs)]:
            for layout in self.layouts():
                self.writer_then(layout.zone(2), 2 * self.zs,
                                 f"--offset={layout.zone(0)} --size={4 * self.zs} "
                                 f"--zonemode=zbd --bs=16K {options}")
                self.expect(2 * self.cap, read())

    def test_17_a_mix_in_the_last_zone(self):
        for layout in self.layouts():
            last = layout.zones * self.zs - self.zs
            self.job(f"--ioengine=libaio --iodepth=8 --rw=randrw --bs=4K --zonemode=zbd "
                     f"--offset={last} --loops=2 --norandommap=1 --size={self.zs}").expect()
            self.assertEqual(self.moved("WRITE") + self.moved("READ"), 2 * self.zs)

    def test_18_to_23_wrong_thresholds_and_frequencies(self):
        self.fresh(LAYOUTS[0])
        for option in ["zone_reset_threshold", "zone_reset_frequency"]:
            for value, says in [("-1", "value out of range"), ("2", "value out of range"),
                                (".4:.6", "the list exceeding max length")]:
                self.on_zones(f"--rw=write --bs=4K --{option}={value}").refused(says)

    def test_24_loops_write_a_zone_once_each(self):
        for _ in self.layouts():
            block = self.biggest_block()
            self.on_zones(f"--ioengine=psync --rw=write --bs={block} --loops=9 "
                          "--zone_reset_frequency=.01 --zone_reset_threshold=.90", count=1)
            self.expect(9 * self.cap, resets=(8, 9, 10))

    def test_26_27_one_zone_four_times(self):
        for rw, more in [("write", ""), ("randwrite", "--iodepth=1")]:
            for _ in self.layouts():
                self.on_zones(f"--ioengine=psync --rw={rw} --loops=4 --bs=4K --do_verify=1 "
                              f"--verify=md5 --gtod_reduce=1 --group_reporting {more}",
                              count=1).expect(4 * self.cap)

    def test_33_blocks_that_do_not_divide_a_zone(self):
        for more in ["", "--write_zone_remainder=1"]:
            for _ in self.layouts():
                block = self.cap * 3 // 4
                total = 5 * self.cap // block * block if not more else 5 * self.cap
                self.on_zones(f"--ioengine=psync --rw=write --bs={block} --io_size={total} {more}",
                              count=2).expect(total)

    def test_35_36_38_ranges_without_a_whole_zone(self):
        for layout in self.layouts():
            end = layout.zones * self.zs
            for offset, size, block in [(layout.zone(0) + 512, self.zs - 1024, self.zs // 4),
                                        (layout.zone(0), self.zs - 512, self.zs // 4),
                                        (end - BLOCK, BLOCK, BLOCK)]:
                self.job(f"--offset={offset} --size={size} --bs={block} --ioengine=psync "
                         "--rw=write --zonemode=zbd").refused("io_size must be at least one zone")

    def test_37_a_range_around_one_zone_is_rounded_to_it(self):
        for layout in self.layouts():
            offset = max(layout.zone(0) - 512, 0)
            self.job(f"--offset={offset} --size={self.zs + 1024} --ioengine=psync --iodepth=1 "
                     f"--rw=write --do_verify=1 --verify=md5 --bs={self.biggest_block()} "
                     f"--zonemode=zbd --zonesize={self.zs}").expect(self.cap)

    def test_39_40_reads_without_zone_mode_and_strided(self):
        for layout in self.layouts():
            common = (f"--ioengine=psync --rw=read --bs={BLOCK} --size={BLOCK} "
                      f"--offset={layout.zone(0)}")
            self.job(f"--zonemode=none {common}").expect(read=BLOCK)
            self.job(f"--zonemode=strided {common}").refused(
                "fio: --zonesize must be specified when using --zonemode=strided")
            self.job(f"--zonemode=strided --zonesize={BLOCK} {common}").expect(read=BLOCK)

    def test_41_to_44_zone_sizes_that_do_not_fit(self):
        self.fresh(LAYOUTS[0])
        self.on_zones(f"--ioengine=psync --rw=read --bs=4K --zonesize={2 * self.zs}")
        self.refused("job parameter zonesize.*does not match disk zone size")
        for options, says in [
                ("--zonemode=zbd --zonesize=0", "Specifying the zone size is mandatory for "
                 "regular file/block device with --zonemode=zbd"),
                ("--zonemode=zbd --zonesize=1",
                 "zone size must be at least 512 bytes for --zonemode=zbd"),
                ("--zonemode=none --zonesize=1",
                 "fio: --zonemode=none and --zonesize are not compatible")]:
            self.on_plain(f"--ioengine=psync --rw=read --bs=4K --size=4096 {options}").refused(says)

    def test_45_a_write_off_the_pointer_gets_the_hint(self):
        self.fresh(LAYOUTS[0])
        self.job(f"--ioengine=psync --rw=randwrite --bs={BLOCK} --offset={self.l.zone(0)} "
                 f"--size={4 * self.zs} --time_based --runtime=1s --do_verify=1 --verify=md5")
        self.assertRegex(self.text, "fio: first I/O failed. If .* is a zoned block device, "
                         "consider --zonemode=zbd")

    def test_47_a_skip_of_less_than_a_zone(self):
        self.fresh(LAYOUTS[0])
        self.on_zones("--ioengine=psync --rw=write --bs=4K --zoneskip=1").refused(
            "zoneskip 1 is not a multiple of the device zone size")

    def test_49_zones_laid_over_a_file_have_a_capacity(self):
        zone, capacity = 64 * 1024, 48 * 1024
        self.on_plain(f"--zonemode=zbd --zonesize={zone} --zonecapacity={capacity} --rw=write "
                      f"--bs=16K --size={2 * zone} --ioengine=psync --do_verify=1 --verify=md5")
        self.expect(2 * capacity, 2 * capacity)

    def test_52_conventional_data_counts_for_no_threshold(self):
        self.fresh(LAYOUTS[1])
        self.job(f"--ioengine=psync --rw=randwrite --bs={self.zs // 16} --zonemode=zbd "
                 f"--offset={self.l.zone(-8)} --size={16 * self.zs} --io_size={2 * self.zs} "
                 "--softrandommap=1 --zone_reset_threshold=.1 --zone_reset_frequency=1.0 "
                 "--debug=zbd").expect(2 * self.zs, resets=(0,))

    def test_53_a_mix_over_conventional_zones(self):
        self.fresh(LAYOUTS[1])
        self.on_zones("--ioengine=psync --rw=randrw --bs=64K", first=-4).expect()
        self.assertEqual(self.moved("WRITE") + self.moved("READ"), 4 * self.zs)
        self.assertGreater(self.moved("WRITE"), 0)
        self.assertGreater(self.moved("READ"), 0)

    def test_60_experimental_verify_is_refused(self):
        self.fresh(LAYOUTS[0])
        self.on_zones("--ioengine=psync --rw=write --bs=4K --verify=md5 "
                      "--experimental_verify=1").refused("not support experimental verify")

    def test_64_a_nearly_full_zone_is_begun_again(self):
        for _ in self.layouts():
            eighth = self.zs // 8
            self.on_zones(f"--ioengine=psync --rw=write --bs={eighth} "
                          f"--io_size={self.cap - eighth}", count=1).expect(self.cap - eighth)
            self.on_zones(f"--ioengine=psync --rw=write --bs={self.zs // 2} --do_verify=1 "
                          "--verify=md5", count=1).expect()

    def test_68_a_mix_of_no_writes_writes_nothing(self):
        for layout in self.layouts():
            self.job(f"--rw=write --bs={BLOCK} --io_size={BLOCK} --offset={layout.zone(0)} "
                     f"--size={self.zs} --zonemode=strided --zonesize={BLOCK} "
                     f"--zonerange={self.zs} --ioengine=psync").expect(BLOCK)
            self.on_zones(f"--ioengine=psync --rw=randrw --rwmixwrite=0 --bs={BLOCK} --time_based "
                          f"--runtime={SHORT}", count=1).expect()
            self.assertNotIn("WRITE:", self.text)


if __name__ == "__main__":
    main()
