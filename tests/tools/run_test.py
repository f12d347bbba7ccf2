# SPDX-License-Identifier: MIT
"""zonal run: what it prints where, and its exit codes."""
import json
import os
import signal
import subprocess
import unittest

from cli import DID_LESS, INTERRUPTED, IO_FAILED, REFUSED, CliTest

MIB = 1 << 20


class Run(CliTest):
    def job(self, *more):
        return ["run", "--name=j", f"--filename={self.drive}", "--direct=1", "--bs=64k", *more]

    def test_a_sequential_write_fills_zones_and_is_counted_by_the_drive(self):
        self.create()
        out, err = self.zonal(*self.job("--rw=write", "--zonemode=zbd", "--offset=1m",
                                        "--size=3m"))
        self.assertIn("; 0 zone resets", out)
        self.assertEqual(err, "")
        self.assertEqual(self.conditions(), ["not-write-pointer"] + ["full"] * 3 + ["empty"] * 4)
        self.assertEqual(self.json("info", self.drive, "--json")["counters"]["writes"], 48)

    def test_an_emulated_drive_takes_any_depth_and_says_so_of_a_typed_engine(self):
        self.create()
        for engine, notices in [([], 0), (["--ioengine=psync"], 1), (["--ioengine=libaio"], 1)]:
            with self.subTest(engine):
                job = self.job("--rw=write", "--zonemode=zbd", "--offset=1m", "--size=1m",
                               "--iodepth=4", "--output-format=json", *engine)
                out, err = self.zonal(*job)
                self.assertEqual(err.count("\n"), notices, err)
                self.assertEqual("queue of its own" in err, notices == 1)
                report = json.loads(out)
                self.assertEqual(report["zonal"]["targets"][0]["queue"], "emulated")
                self.assertGreater(report["jobs"][0]["iodepth_level"]["4"], 0)

    def test_a_drive_in_memory_is_found_by_the_spec_that_was_typed(self):
        report = self.json("run", "--name=j", "--filename=emu,zones=4", "--rw=write", "--direct=1",
                           "--zonemode=zbd", "--size=1z", "--bs=1m", "--output-format=json")
        job = report["jobs"][0]["zonal"]
        self.assertEqual((job["target"], job["queue"]), ("emu,zones=4", "emulated"))

    def test_only_a_run_that_writes_zones_says_how_many_at_once(self):
        self.create("--zones", "4", "--zone-size", "1MiB", "--max-open", "3")
        for rw, says in [("write", True), ("read", False)]:
            out, _ = self.zonal(*self.job(f"--rw={rw}", "--zonemode=zbd", "--size=1z"))
            self.assertEqual("zones written at once: 3" in out, says, out)

    def test_jobs_append_to_common_zones_and_find_their_blocks_again(self):
        self.create("--zones=8", "--zone-size=1MiB", "--conventional=0")
        job = ["--zonemode=zbd", "--iodepth=16", "--max_open_zones=2", "--output-format=json"]
        report = self.json(*self.job("--rw=randwrite", "--numjobs=3", "--size=8m", "--io_size=2m",
                                     "--write_mode=zone_append", "--verify=crc32c", *job))
        for shown in report["jobs"]:
            self.assertEqual(shown["write"]["io_bytes"], 2 * MIB)
            self.assertEqual(shown["read"]["io_bytes"], 2 * MIB)
            self.assertEqual(shown["zonal"]["verify"]["mismatches"], 0)
            self.assertEqual(shown["zonal"]["operations"]["append_ns"]["N"], 32)
        counters = self.json("info", self.drive, "--json")["counters"]
        self.assertLessEqual(counters["open_high_water"], 2)
        again = self.json(*self.job("--rw=read", "--size=8m", "--verify=crc32c", *job))
        verify = again["jobs"][0]["zonal"]["verify"]
        # A job that starts late resets what the others have verified by then.
        self.assertIn(verify["blocks"], range(32, 97))
        self.assertEqual(verify["mismatches"], 0)
        self.assertEqual(len(verify["runs"]), 1)

    def test_a_device_without_append_is_refused_by_name(self):
        _, err = self.zonal("run", "--name=j", "--filename=emu,dialect=zbc,zones=4", "--rw=write",
                            "--direct=1", "--zonemode=zbd", "--write_mode=zone_append",
                            exit_code=REFUSED)
        self.assertIn("write_mode=zone_append is not possible on emu,dialect=zbc,zones=4", err)
        self.assertIn("no append", err)

    def test_a_synchronous_engine_on_a_file_runs_at_depth_1_and_says_so(self):
        out, err = self.zonal("run", "--name=j", "--filename=plain", "--rw=write", "--size=1m",
                              "--iodepth=8", "--numjobs=2", "--output-format=json")
        self.assertEqual(err.count("iodepth=8 has no effect"), 1, err)
        levels = json.loads(out)["jobs"][0]["iodepth_level"]
        self.assertEqual((levels["1"], levels["2"]), (100.0, 0.0))

    def test_notices_come_before_the_first_io(self):
        self.create()
        process = subprocess.Popen(
            [os.environ["ZONAL"], *self.job("--rw=write", "--zonemode=zbd", "--offset=1100k",
                                            "--time_based", "--runtime=50")],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        self.assertIn(b"rounded", process.stderr.readline())
        self.assertIsNone(process.poll())
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=20)
        self.assertEqual(process.returncode, INTERRUPTED)

    def test_a_report_that_cannot_be_written_is_an_error(self):
        self.create()
        with open("/dev/full", "w", encoding="utf-8") as full:
            for command in (["info", self.drive], ["report", self.drive],
                            ["run", "--name=j", f"--filename={self.drive}", "--rw=read",
                             "--size=64k"]):
                with self.subTest(command):
                    result = subprocess.run([os.environ["ZONAL"], *command], stdout=full,
                                            stderr=subprocess.PIPE, timeout=60, text=True)
                    self.assertEqual(result.returncode, IO_FAILED)
                    self.assertIn("could not be written", result.stderr)

    def test_json_is_all_there_is_on_standard_output(self):
        self.create()
        report = self.json(*self.job("--rw=write", "--zonemode=zbd", "--offset=1m", "--size=2m",
                                     "--output-format=json"))
        self.assertEqual(report["jobs"][0]["write"]["io_bytes"], 2 * MIB)
        self.assertIn("zonal", report)

    def test_output_goes_to_a_file(self):
        self.create()
        path = os.path.join(self.folder, "out.json")
        out, _ = self.zonal(*self.job("--rw=write", "--zonemode=zbd", "--offset=1m", "--size=1m",
                                      "--output-format=json", f"--output={path}"))
        self.assertEqual(out, "")
        with open(path, encoding="utf-8") as file:
            self.assertEqual(json.load(file)["jobs"][0]["write"]["total_ios"], 16)
        self.refused(*self.job("--rw=write", "--output=no/such/folder"), says=["no/such/folder", "No such file"])

    def test_rounding_is_noticed_on_standard_error(self):
        self.create()
        _, err = self.zonal(*self.job("--rw=write", "--zonemode=zbd", "--offset=1100k",
                                      "--size=3m"))
        self.assertIn("rounded", err)
        self.assertEqual(self.conditions().count("full"), 2)

    def test_refusals_before_any_io(self):
        self.create()
        zoned = ["--zonemode=zbd"]
        for more, says in [([*zoned, "--direct=0"], "direct"),
                           ([*zoned, "--offset=1100k", "--size=512k"], "zone"),
                           (["--offset=1000"], "the nearest are 0 and 4096"),
                           (["--size=70000"], "the nearest are 69632 and 73728"),
                           (["--bs=1000"], "multiple of its block of 4096")]:
            with self.subTest(more):
                _, err = self.zonal(*self.job("--rw=write", *more), exit_code=1)
                self.assertIn(says, err)
        self.assertEqual(self.json("info", self.drive, "--json")["counters"]["writes"], 0)

    def test_a_failed_write_is_explained_and_has_its_exit_code(self):
        self.create()
        self.zonal(*self.job("--rw=write", "--zonemode=zbd", "--offset=1m", "--size=1m"))
        _, err = self.zonal(*self.job("--rw=write", "--offset=1m", "--size=1m"),
                            exit_code=IO_FAILED)
        for word in ["zone 1", "full", "--zonemode=zbd"]:
            self.assertIn(word, err)

    def test_reading_what_was_never_written_is_less_than_asked(self):
        self.create()
        _, err = self.zonal(*self.job("--rw=read", "--zonemode=zbd", "--offset=1m"),
                            exit_code=DID_LESS)
        self.assertIn("written", err)

    def test_interrupt_ends_with_a_full_report(self):
        self.create()
        process = subprocess.Popen(
            [os.environ["ZONAL"], *self.job("--rw=randwrite", "--zonemode=zbd", "--time_based",
                                            "--runtime=50", "--offset=1m", "--eta=always",
                                            "--output-format=json")],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        # The live line shows that I/O runs.
        seen = b""
        while b"\r" not in seen:
            byte = process.stderr.read(1)
            self.assertNotEqual(byte, b"", seen)
            seen += byte
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=20)
        self.assertEqual(process.returncode, INTERRUPTED)
        self.assertGreater(json.loads(out)["jobs"][0]["write"]["total_ios"], 0)


if __name__ == "__main__":
    unittest.main()
