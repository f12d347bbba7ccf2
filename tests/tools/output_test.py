# SPDX-License-Identifier: MIT
"""zonal run: forms of the report, where they go, whole reports while it runs, time logs."""
import json
import os
import time
import unittest

from cli import REFUSED, CliTest


def parts(report):
    """(terse lines, JSON documents, the rest) of a report in several forms."""
    terse, rest, documents = [], [], []
    lines = report.splitlines(keepends=True)
    while lines:
        line = lines.pop(0)
        if line == "{\n":
            document = line
            while not document.endswith("\n}\n"):
                document += lines.pop(0)
            documents.append(json.loads(document))
        elif line[:2] in ("3;", "4;", "5;"):
            terse.append(line)
        else:
            rest.append(line)
    return terse, documents, "".join(rest)


class Output(CliTest):
    def job(self, *more):
        return ["run", "--name=j", "--filename=emu,zones=4,zone_size=1MiB", "--zonemode=zbd",
                "--rw=write", "--bs=64k", "--direct=1", "--size=2z", *more]

    def test_several_forms_come_in_one_report(self):
        out, _ = self.zonal(*self.job("--output-format=normal,json+,terse"))
        terse, documents, rest = parts(out)
        self.assertEqual(len(terse), 1)
        self.assertEqual(len(documents), 1)
        self.assertIn("bins", documents[0]["jobs"][0]["write"]["clat_ns"])
        self.assertTrue(rest.startswith("j: (g=0): rw=write,"), rest)
        self.assertIn("Run status group 0", rest)
        self.assertLess(out.index("3;"), out.index("{\n"))
        self.assertLess(out.index("}\n"), out.index("Run status"))

    def test_minimal_is_one_line_and_nothing_else(self):
        for version, fields in [(3, 121), (4, 162), (5, 180)]:
            with self.subTest(version):
                out, _ = self.zonal(*self.job("--minimal", f"--terse-version={version}"))
                self.assertEqual(out.count("\n"), 1)
                self.assertEqual(len(out.split(";")), fields)
                self.assertEqual(out.split(";")[:5], [str(version), out.split(";")[1], "j", "0", "0"])

    def test_terse_lines_are_added_to_the_normal_report(self):
        out, _ = self.zonal(*self.job("--append-terse"))
        terse, documents, rest = parts(out)
        self.assertEqual((len(terse), len(documents)), (1, 0))
        self.assertIn("Run status group 0", rest)

    def test_a_report_in_a_file_leaves_standard_output_empty(self):
        out, _ = self.zonal(*self.job("--output=r", "--output-format=json,normal"))
        self.assertEqual(out, "")
        with open(os.path.join(self.folder, "r")) as report:
            _, documents, rest = parts(report.read())
        self.assertEqual(len(documents), 1)
        self.assertIn("j: (groupid=0", rest)

    def test_timestamps_are_of_the_report_and_jobs_start_before(self):
        before = time.time() * 1000
        out, _ = self.zonal(*self.job("--time_based", "--runtime=1s", "--output-format=json"))
        report = json.loads(out)
        start = report["jobs"][0]["job_start"]
        self.assertGreaterEqual(start, before - 1)
        self.assertGreaterEqual(report["timestamp_ms"], start + 1000)

    def test_whole_reports_come_while_it_runs(self):
        out, _ = self.zonal(*self.job("--time_based", "--runtime=2200ms", "--status-interval=1s",
                                      "--output-format=json,normal"))
        _, documents, rest = parts(out)
        self.assertEqual(len(documents), 3)
        self.assertEqual(rest.count("Run status group 0"), 3)
        done = [document["jobs"][0]["write"]["total_ios"] for document in documents]
        self.assertEqual(done, sorted(done))
        self.assertGreater(done[1], done[0])
        ends = [document["jobs"][0]["zonal"]["end_reason"] for document in documents]
        self.assertEqual(ends, ["running", "running", "done"])

    def test_what_is_shown_of_latencies(self):
        out, _ = self.zonal(*self.job("--slat_percentiles=1", "--clat_percentiles=0",
                                      "--percentile_list=50:99"))
        self.assertIn("slat percentiles", out)
        self.assertIn(" 50th=[", out)
        self.assertNotIn("clat percentiles", out)
        out, _ = self.zonal(*self.job("--gtod_reduce=1"))
        self.assertNotIn("lat (", out.split("Zonal:")[0])

    def test_time_logs_hold_every_operation(self):
        logs = ["--write_lat_log=x", "--write_bw_log", "--log_offset=1"]
        self.zonal(*self.job("--size=1z", *logs, "--name=k", "--rw=write", "--bs=64k", "--size=1z",
                             "--filename=emu,zones=4,zone_size=1MiB", "--zonemode=zbd",
                             "--direct=1", "--offset=1z", *logs))
        for job, own in [(1, "j"), (2, "k")]:
            for name in (f"x_lat.{job}.log", f"x_clat.{job}.log", f"{own}_bw.{job}.log"):
                with open(os.path.join(self.folder, name)) as log:
                    rows = [line.split(", ") for line in log]
                self.assertEqual(len(rows), 16, name)
                self.assertEqual({row[2] for row in rows}, {"1"})
                self.assertEqual([int(row[4]) for row in rows],
                                 [((job - 1) << 20) + (i << 16) for i in range(16)])

    def test_a_log_that_cannot_be_created_refuses_the_run(self):
        self.refused(*self.job("--write_bw_log=nowhere/x", "--minimal"),
                     says=["nowhere/x_bw.1.log"], exit_code=REFUSED)


if __name__ == "__main__":
    unittest.main()
