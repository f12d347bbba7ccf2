// SPDX-License-Identifier: MIT
// Terse lines of one job, run by the installed fio and by us: field by field.
#include <cctype>

#include "fio_runner.h"
#include "support/catch.h"

namespace zonal {
namespace {

// A field without its numbers: "99.500000%=12" is "99.500000%=n", "1.5%" is "n%".
std::string Shape(const std::string& field) {
  const std::size_t equals = field.find("%=");
  if (equals != std::string::npos) return field.substr(0, equals + 2) + "n";
  std::string shape;
  for (const char c : field) {
    const char kind = std::isdigit(static_cast<unsigned char>(c)) != 0 ? 'n' : c;
    if (kind != 'n' || shape.empty() || shape.back() != 'n') shape += kind;
  }
  return shape;
}

struct Row {
  const char* name;
  std::vector<std::string> options;
};

const std::vector<Row> kRows = {
    {"read", {"--rw=read", "--size=256k"}},
    {"write", {"--rw=write", "--bs=16k", "--size=256k"}},
    {"some percentiles",
     {"--rw=read", "--size=64k", "--lat_percentiles=1", "--percentile_list=50:99.9"}},
    {"no percentiles", {"--rw=read", "--size=64k", "--clat_percentiles=0"}},
    {"described", {"--rw=write", "--size=64k", "--description=noted"}},
    {"errors counted", {"--rw=write", "--size=64k", "--continue_on_error=all"}},
    {"mixed as one", {"--rw=rw", "--size=64k", "--unified_rw_reporting=mixed"}},
    {"mixed and apart", {"--rw=write", "--size=64k", "--unified_rw_reporting=both"}},
};

// Fields that are alike in every run: version, name, group, error, and what was moved.
void CheckTotals(const std::vector<std::string>& theirs, const std::vector<std::string>& ours) {
  for (const std::size_t field : {0u, 1u, 2u, 3u, 4u, 5u}) {
    CAPTURE(field);
    CHECK(ours[field] == theirs[field]);
  }
  const std::size_t direction = theirs[0] == "5" ? 47 : 41;
  if (theirs.size() < 5 + 2 * direction) return;  // only one is shown
  CHECK(ours[5 + direction] == theirs[5 + direction]);
  if (theirs[0] != "3") CHECK(ours[5 + 2 * direction] == theirs[5 + 2 * direction]);
}

TEST_CASE("our terse lines have fio's fields", "[report]") {
  for (const Row& row : kRows) {
    for (const int version : {3, 4, 5}) {
      CAPTURE(row.name, version);
      const TemporaryDirectory directory;
      std::vector<std::string> arguments = {"--name=job",
                                            "--filename=" + directory.file("file"),
                                            "--ioengine=psync",
                                            "--thread",
                                            "--minimal",
                                            "--disk_util=0",
                                            "--terse-version=" + std::to_string(version)};
      arguments.insert(arguments.end(), row.options.begin(), row.options.end());
      const std::string their_line = RunFio(arguments);
      const OurRun run = RunOurs(arguments);
      const std::string our_line = FormatReport(run.invocation.plan, run.result,
                                                run.invocation.report, run.invocation.formats);
      CAPTURE(their_line, our_line);
      const std::vector<std::string> theirs = Split(Split(their_line, '\n').at(0), ';');
      const std::vector<std::string> ours = Split(Split(our_line, '\n').at(0), ';');
      REQUIRE(ours.size() == theirs.size());
      CheckTotals(theirs, ours);
      for (std::size_t i = 0; i < theirs.size(); ++i) {
        CAPTURE(i, theirs[i], ours[i]);
        CHECK(Shape(ours[i]) == Shape(theirs[i]));
      }
    }
  }
}

}  // namespace
}  // namespace zonal
