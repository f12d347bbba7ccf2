# SPDX-License-Identifier: MIT
"""Help, versions, and what is refused for its wording."""
import unittest

from cli import CliTest

SUBCOMMANDS = ["create", "info", "report", "zone", "run"]


class Usage(CliTest):
    def test_without_arguments_it_lists_the_subcommands(self):
        out, err = self.zonal()
        for name in SUBCOMMANDS:
            self.assertRegex(out, rf"(?m)^  zonal {name} +\S")
        self.assertEqual(err, "")
        self.assertEqual(out, self.zonal("--help")[0])

    def test_version(self):
        self.assertRegex(self.zonal("--version")[0], r"^zonal \d+\.\d+\.\d+\n$")

    def test_each_subcommand_has_help_with_an_example(self):
        for name in SUBCOMMANDS:
            with self.subTest(name):
                out, err = self.zonal(name, "--help")
                self.assertRegex(out, rf"Example:\n  zonal {name} ")
                self.assertEqual(err, "")

    def test_help_of_run_tells_exit_codes_and_options(self):
        out, _ = self.zonal("run", "--help")
        for word in ["Exit codes", "max_open_zones", "zonemode", "iodepth"]:
            self.assertIn(word, out)

    def test_a_wrong_subcommand_points_to_the_list(self):
        self.refused("reprot", says=['"reprot"', "zonal --help"])

    def test_missing_and_unknown_arguments_are_named(self):
        for arguments, says in [
            (["create"], ["FILE", "zonal create --help"]),
            (["info"], ["DEVICE", "zonal info --help"]),
            (["report", "x", "--frist", "1"], ["--frist"]),
            (["report", "x", "--json", "--map"], ["--map", "--json"]),
            (["report", "x", "--count", "0"], ["--count", "1 to 4294967295"]),
            (["zone", "reset"], ["DEVICE"]),
            (["run"], ["--name", "zonal run --help"]),
            (["run", "--name=a", "--no_such_option=1"], ["no_such_option"]),
        ]:
            with self.subTest(arguments):
                self.refused(*arguments, says=says)

    def test_a_device_that_is_not_there_is_named(self):
        for command in (["info"], ["report"], ["zone", "reset"]):
            with self.subTest(command):
                more = ["--all"] if command[0] == "zone" else []
                self.refused(*command, "no/such.zoned", *more, says=["no/such.zoned"])


if __name__ == "__main__":
    unittest.main()
