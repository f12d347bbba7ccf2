# SPDX-License-Identifier: MIT
"""create, info, report and zone on emulated drives."""
import os
import unittest

from cli import IO_FAILED, CliTest

MIB = 1 << 20


class Create(CliTest):
    def test_says_what_it_made(self):
        out = self.create("--zones", "16", "--zone-size", "4MiB", "--zone-capacity", "3MiB",
                          "--conventional", "2", "--max-open", "5", "--max-active", "unlimited")
        for word in [self.drive, "16 zones of 4MiB", "2 of them conventional", "capacity 3MiB",
                     "open zones 5", "active zones unlimited"]:
            self.assertIn(word, out)
        self.assertLessEqual(out.count("\n"), 2)

    def test_every_option_reaches_the_drive(self):
        self.create("--zones", "6", "--zone-size", "2MiB", "--zone-capacity", "1MiB",
                    "--last-zone-size", "1MiB", "--conventional", "1", "--block-size", "512",
                    "--write-granularity", "4096", "--max-open", "2", "--max-active", "3",
                    "--dialect", "zns", "--read-only-zones", "2", "--offline-zones", "3-4",
                    "--durability", "host")
        info = self.json("info", self.drive, "--json")
        self.assertEqual(info["size_bytes"], 11 * MIB)
        self.assertEqual(info["zone_count"], 6)
        self.assertEqual(info["block_size_bytes"], 512)
        self.assertEqual(info["write_granularity_bytes"], 4096)
        self.assertEqual(info["max_open_zones"], 2)
        self.assertEqual(info["max_active_zones"], 3)
        self.assertEqual(self.conditions(), ["not-write-pointer", "empty", "read-only", "offline",
                                             "offline", "empty"])
        last = self.json("report", self.drive, "--first", "5", "--json")["zones"]
        self.assertEqual([zone["size_bytes"] for zone in last], [MIB])

    def test_zbc_has_its_own_limits(self):
        self.create("--dialect", "zbc", "--zones", "4", "--zone-size", "1MiB")
        info = self.json("info", self.drive, "--json")
        self.assertEqual(info["max_open_zones"], 128)
        self.assertEqual(info["max_active_zones"], "unlimited")
        self.assertEqual(info["block_size_bytes"], 512)

    def test_the_15_tb_preset_is_sparse(self):
        self.create("--preset", "smr-15tb")
        info = self.json("info", self.drive, "--json")
        self.assertEqual(info["zone_count"], 55880)
        self.assertEqual(info["zone_size_bytes"], 256 * MIB)
        self.assertEqual(info["zones_by_condition"]["not-write-pointer"], 524)
        self.assertEqual(info["max_open_zones"], 128)
        self.assertLess(os.stat(self.drive).st_blocks * 512, 8 * MIB)

    def test_an_existing_drive_is_replaced_only_by_force(self):
        self.create()
        self.refused("create", self.drive, says=[self.drive, "--force"])
        self.zonal("create", self.drive, "--zones", "3", "--zone-size", "1MiB", "--force")
        self.assertEqual(self.json("info", self.drive, "--json")["zone_count"], 3)

    def test_force_replaces_nothing_but_drives(self):
        with open(self.drive, "w", encoding="utf-8") as file:
            file.write("precious")
        for more in ([], ["--force"]):
            self.refused("create", self.drive, *more, says=[self.drive])
        with open(self.drive, encoding="utf-8") as file:
            self.assertEqual(file.read(), "precious")

    def test_impossible_drives_are_refused_and_leave_no_file(self):
        for arguments, says in [
            (["--zone-size", "64Mx"], ["--zone-size", "64Mx"]),
            (["--zone-size", "1000"], ["1000"]),
            (["--zones", "0"], ["zones"]),
            (["--zones", "-1"], ["--zones"]),
            (["--zone-size", "1MiB", "--zone-capacity", "2MiB"], ["capacity"]),
            (["--zones", "4", "--conventional", "5"], ["conventional"]),
            (["--max-open", "none"], ["--max-open", "none", "unlimited"]),
            (["--max-open", "0"], ["--max-open"]),
            (["--dialect", "nvme"], ["nvme"]),
            (["--preset", "no-such"], ["no-such", "smr-15tb"]),
            (["--preset", "smr-15tb", "--dialect", "zns"], ["--dialect"]),
            (["--zones", "4", "--read-only-zones", "7"], ["7"]),
            (["--zones", "4", "--offline-zones", "2-1"], ["2-1"]),
            (["--durability", "all"], ["--durability", "process", "host"]),
        ]:
            with self.subTest(arguments):
                self.refused("create", self.drive, *arguments, says=says)
                self.assertFalse(os.path.exists(self.drive))


class InfoAndReport(CliTest):
    def test_info_shows_facts_limits_and_counters(self):
        self.create()
        out, _ = self.zonal("info", self.drive)
        for pattern in [r"host-managed, 8 zones of 1MiB", r"max open zones +14",
                        r"max active zones +14", r"not-write-pointer +1\b", r"empty +7\b",
                        r"open_high_water +0\b"]:
            self.assertRegex(out, pattern)

    def test_info_counts_no_bytes_of_a_zone_whose_pointer_tells_nothing(self):
        self.create("--zones", "8", "--zone-size", "1MiB", "--read-only-zones", "2",
                    "--offline-zones", "3")
        self.assertEqual(self.json("info", self.drive, "--json")["written_bytes"], 0)
        self.zonal("zone", "finish", self.drive, "--zone", "4")
        self.assertEqual(self.json("info", self.drive, "--json")["written_bytes"], MIB)

    def test_info_of_a_drive_in_memory(self):
        info = self.json("info", "emu,zones=5,zone_size=1MiB,max_open=7", "--json")
        self.assertEqual(info["zone_count"], 5)
        self.assertEqual(info["max_open_zones"], 7)
        self.assertEqual(info["counters"]["writes"], 0)

    def test_report_lists_zones_in_bytes(self):
        self.create()
        lines = self.zonal("report", self.drive)[0].splitlines()
        self.assertEqual(len(lines), 9)
        self.assertIn("bytes", lines[0])
        self.assertRegex(lines[1], r"^zone 0: cnv, nw, start +0, length 1048576, "
                                   r"capacity 1048576, write pointer +-$")
        self.assertRegex(lines[8], r"^zone 7: swr, em, start 7340032, length 1048576, "
                                   r"capacity 1048576, write pointer 7340032$")

    def test_report_takes_a_part(self):
        self.create()
        zones = self.json("report", self.drive, "--first", "3", "--count", "2", "--json")["zones"]
        self.assertEqual([zone["zone"] for zone in zones], [3, 4])
        zones = self.json("report", self.drive, "--first", "6", "--count", "99", "--json")["zones"]
        self.assertEqual([zone["zone"] for zone in zones], [6, 7])
        self.refused("report", self.drive, "--first", "8", says=["--first 8", "7"])

    def test_the_map_follows_the_locale(self):
        self.create("--zones", "100", "--zone-size", "1MiB")
        self.zonal("zone", "finish", self.drive, "--zone", "1-50")
        plain, _ = self.zonal("report", self.drive, "--map", env={"LC_ALL": "C"})
        self.assertTrue(plain.isascii())
        self.assertIn(".####", plain)
        self.assertIn("full: 50", plain)
        bars, _ = self.zonal("report", self.drive, "--map", env={"LC_ALL": "C.UTF-8"})
        self.assertIn("\u2588", bars)
        drawn = bars.split("\n", 1)[1]  # the headline holds a path of any length
        self.assertTrue(all(len(line) <= 80 for line in drawn.splitlines()))

    def test_a_file_without_zones_is_refused(self):
        with open(self.drive, "wb") as file:
            file.truncate(MIB)
        self.refused("report", self.drive, says=[self.drive, "zonal create"])
        self.refused("info", self.drive, says=[self.drive])


class Zone(CliTest):
    def test_operations_change_conditions(self):
        self.create()
        # No close: whoever opens a drive for writing finds no zone open.
        for operation, expected in [("open", "explicit-open"), ("finish", "full"),
                                    ("reset", "empty")]:
            with self.subTest(operation):
                out, _ = self.zonal("zone", operation, self.drive, "--zone", "2-3")
                self.assertEqual(out, f"{operation}: 2 zones\n")
                self.assertEqual(self.conditions()[1:5], ["empty", expected, expected, "empty"])

    def test_zone_lists(self):
        self.create()
        out, _ = self.zonal("zone", "finish", self.drive, "--zone", "1,5-6")
        self.assertEqual(out, "finish: 3 zones\n")
        self.assertEqual([i for i, c in enumerate(self.conditions()) if c == "full"], [1, 5, 6])

    def test_all_means_the_zones_that_change(self):
        self.create("--zones", "8", "--zone-size", "1MiB", "--conventional", "1",
                    "--read-only-zones", "2", "--offline-zones", "3")
        self.zonal("zone", "finish", self.drive, "--zone", "4,6")
        self.zonal("zone", "reset", self.drive, "--all")
        self.assertEqual(self.conditions(), ["not-write-pointer", "empty", "read-only", "offline",
                                             "empty", "empty", "empty", "empty"])

    def failed(self, *arguments, says, done):
        out, err = self.zonal("zone", *arguments, exit_code=IO_FAILED)
        self.assertIn(done, out)
        for word in says:
            self.assertIn(word, err)

    def test_errors_name_the_zone_its_condition_and_what_to_do(self):
        self.create("--zones", "8", "--zone-size", "1MiB", "--conventional", "1",
                    "--read-only-zones", "2", "--offline-zones", "3", "--max-open", "2")
        for arguments, says in [
            (["reset", self.drive, "--zone", "0"], ["zone 0", "not-write-pointer", "leave"]),
            (["reset", self.drive, "--zone", "2"], ["zone 2", "read-only", "leave"]),
            (["reset", self.drive, "--zone", "3"], ["zone 3", "offline", "leave"]),
            (["close", self.drive, "--zone", "4"], ["zone 4", "empty", "only an open zone"]),
        ]:
            with self.subTest(arguments):
                self.failed(*arguments, says=says, done="0 zones")
        self.failed("open", self.drive, "--zone", "4-6", done="2 zones",
                    says=["zone 6", "empty", "zonal zone"])

    def test_wrong_zones_are_refused_before_anything_is_done(self):
        self.create()
        for arguments, says in [
            (["erase", self.drive, "--all"], ["erase", "reset, open, close or finish"]),
            (["reset", self.drive], ["--zone", "--all"]),
            (["reset", self.drive, "--zone", "7-8"], ["zone 8", "7"]),
            (["reset", self.drive, "--zone", "x"], ["x"]),
            (["reset", self.drive, "--zone", "1", "--all"], ["--all"]),
        ]:
            with self.subTest(arguments):
                self.refused("zone", *arguments, says=says)


if __name__ == "__main__":
    unittest.main()
