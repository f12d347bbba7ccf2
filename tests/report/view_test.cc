// SPDX-License-Identifier: MIT
// What views, units and formats change in the reports.
#include <nlohmann/json.hpp>

#include "report/units.h"
#include "sample_run.h"
#include "support/catch.h"

namespace zonal {
namespace {

using Json = nlohmann::ordered_json;

bool Has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// The first of the sample's workers, alone.
SampleRun OneWorker(const WorkerView& view) {
  SampleRun run = MakeSampleRun();
  run.plan.workers.resize(1);
  run.result.workers.resize(1);
  run.options.views = {view};
  return run;
}
std::string Text(const WorkerView& view) {
  const SampleRun run = OneWorker(view);
  return FormatText(run.plan, run.result, run.options);
}

TEST_CASE("rates and sizes are written to both bases, in bytes or bits", "[report]") {
  using report::RateInBoth, report::SizeInBoth, report::Units;
  CHECK(RateInBoth(2046000, Units{}) == "1998KiB/s (2046kB/s)");
  CHECK(RateInBoth(2046000, Units{4, 1000}) == "2046kB/s (1998KiB/s)");
  CHECK(RateInBoth(2046000, Units{4, 1024, true}) == "15.6Mibit/s (16.4Mbit/s)");
  CHECK(SizeInBoth(2457600, Units{}) == "2400KiB (2458kB)");
  CHECK(SizeInBoth(2457600, Units{4, 1000, true}) == "2458kB (2400KiB)");
}

TEST_CASE("kb_base turns the order of units, and converts samples", "[report]") {
  WorkerView view;
  view.kb_base = 1000;
  const std::string text = Text(view);
  CHECK(Has(text, "BW=4094kB/s (3998KiB/s)(8192kB/2001msec)"));
  CHECK(Has(text, "   bw (   kB/s): min= 4096, max= 4104,"));
  CHECK(Has(text, "4094kB/s-4094kB/s (3998KiB/s-3998KiB/s), io=8192kB (8000KiB)"));
}

TEST_CASE("rates in bits leave sizes in bytes", "[report]") {
  WorkerView view;
  view.rates_in_bits = true;
  CHECK(Has(Text(view), "BW=31.2Mibit/s (32.8Mbit/s)(8000KiB/2001msec)"));
}

TEST_CASE("a view hides latencies, and what derives from them", "[report]") {
  WorkerView view;
  view.completion = false;
  const std::string text = Text(view);
  CHECK_FALSE(Has(text, "clat"));
  CHECK_FALSE(Has(text, "lat (usec)   :"));
  CHECK(Has(text, "    slat (nsec)"));
  CHECK(Has(text, "     lat (usec)"));
  view.submission = view.total = false;
  CHECK_FALSE(Has(Text(view), "lat ("));
}

TEST_CASE("percentiles are those asked for, with as many digits as they need", "[report]") {
  WorkerView view;
  view.percentiles = {99, 50};
  CHECK(Has(Text(view), "    clat percentiles (usec):\n     | 50th=[  255], 99th=[  502]\n"));
  view.percentiles = {50, 99.9999, 2.123456789};
  CHECK(Has(Text(view), "     |  2.123456789th=["));
  view.percentiles = {50};
  view.completion_percentiles = false;
  view.submission_percentiles = view.total_percentiles = true;
  const std::string text = Text(view);
  CHECK(Has(text, "    slat percentiles (nsec):\n     | 50th=["));
  CHECK(Has(text, "    lat percentiles (usec):\n     | 50th=["));
  CHECK_FALSE(Has(text, "clat percentiles"));
}

TEST_CASE("flushes have a block of their own", "[report]") {
  WorkerView view;
  view.total = false;  // of reads and writes
  SampleRun run = OneWorker(view);
  for (int i = 0; i < 100; ++i) {
    run.result.workers[0].operations[static_cast<std::size_t>(OpClass::kFlush)].Record(
        3'000'000 + 100'000 * static_cast<std::uint64_t>(i));
  }
  const std::string text = FormatText(run.plan, run.result, run.options);
  CHECK(Has(text,
            "  fsync/fdatasync/sync_file_range:\n"
            "    sync (usec): min=3000, max=12900, avg=7950.00, stdev=2901.15\n"
            "    sync percentiles (usec):\n     |  1.00th=[ "));
  CHECK(Has(text, "issued rwts: total=2000,1800,0,100 short"));
  const Json job = Json::parse(FormatJson(run.plan, run.result, run.options))["jobs"][0];
  CHECK(job["sync"]["total_ios"] == 100);
  CHECK(job["sync"]["lat_ns"]["percentile"].size() == 17);
  run.options.views[0].submission = run.options.views[0].completion = false;
  CHECK_FALSE(Has(FormatText(run.plan, run.result, run.options), "sync ("));
}

TEST_CASE("errors are counted where a worker may go on after them", "[report]") {
  WorkerView view;
  view.error_counts = true;
  view.description = "a mix";
  SampleRun run = OneWorker(view);
  CHECK(Has(FormatText(run.plan, run.result, run.options),
            "     errors    : total=0, first_error=0/<Success>\n"));
  WorkerResult& worker = run.result.workers[0];
  worker.io_errors = 7;
  worker.first_error = IoResult{4096, 0, 5, Errc::kIo, Origin::kErrno};
  const std::string text = FormatText(run.plan, run.result, run.options);
  CHECK(Has(text, "mixed: (groupid=0, jobs=1): err= 5 (file:"));
  CHECK(Has(text, "\n  Description  : [a mix]\n"));
  CHECK(Has(text, "     errors    : total=7, first_error=5/<Input/output error>\n"));
  const Json job = Json::parse(FormatJson(run.plan, run.result, run.options))["jobs"][0];
  CHECK(job["total_err"] == 7);
  CHECK(job["first_error"] == 5);
  CHECK(job["desc"] == "a mix");
}

TEST_CASE("directions are shown apart, as one, or both", "[report]") {
  WorkerView view;
  view.directions = WorkerView::Directions::kMixed;
  SampleRun run = OneWorker(view);
  std::string text = FormatText(run.plan, run.result, run.options);
  CHECK(
      Has(text, "  mixed: IOPS=1899, BW=10.9MiB/s (11.5MB/s)(21.9MiB/2001msec); 3 zone resets\n"));
  CHECK(Has(text, "\n  MIXED: bw=10.9MiB/s "));
  CHECK_FALSE(Has(text, "  read: "));
  CHECK_FALSE(Has(text, "READ: "));
  Json job = Json::parse(FormatJson(run.plan, run.result, run.options))["jobs"][0];
  CHECK_FALSE(job.contains("read"));
  CHECK_FALSE(job.contains("sync"));
  CHECK(job["mixed"]["total_ios"] == 3800);
  CHECK(job["mixed"]["clat_ns"]["N"] == 3800);

  run.options.views[0].directions = WorkerView::Directions::kBoth;
  text = FormatText(run.plan, run.result, run.options);
  CHECK(Has(text, "  write: "));
  CHECK(Has(text, "  mixed: "));
  CHECK(Has(text, "\n  MIXED: bw=10.9MiB/s (11.5MB/s), 10.9MiB/s-10.9MiB/s "));
  job = Json::parse(FormatJson(run.plan, run.result, run.options))["jobs"][0];
  CHECK(job["read"]["total_ios"] == 2000);
  CHECK(job["mixed"]["total_ios"] == 3800);
}

TEST_CASE("JSON+ counts every latency in its bin", "[report]") {
  WorkerView view;
  view.submission_percentiles = true;
  const SampleRun run = OneWorker(view);
  const Json read =
      Json::parse(FormatJsonPlus(run.plan, run.result, run.options))["jobs"][0]["read"];
  for (const char* latency : {"slat_ns", "clat_ns"}) {
    CAPTURE(latency);
    std::uint64_t sum = 0;
    for (const auto& [ns, count] : read[latency]["bins"].items()) sum += count.get<std::uint64_t>();
    CHECK(sum == read[latency]["N"]);
  }
  CHECK_FALSE(read["lat_ns"].contains("bins"));
  CHECK_FALSE(
      Json::parse(FormatJson(run.plan, run.result, run.options))["jobs"][0]["read"]["clat_ns"]
          .contains("bins"));
}

TEST_CASE("several formats come in fio's order, each once", "[report]") {
  const SampleRun run = OneWorker({});
  const std::string text = FormatText(run.plan, run.result, run.options);
  const std::string terse = FormatTerse(run.plan, run.result, run.options);
  const std::string plus = FormatJsonPlus(run.plan, run.result, run.options);
  const ReportFormat all[] = {ReportFormat::kNormal, ReportFormat::kJson, ReportFormat::kJsonPlus,
                              ReportFormat::kTerse, ReportFormat::kNormal};
  CHECK(FormatReport(run.plan, run.result, run.options, all) == terse + plus + text);
}

}  // namespace
}  // namespace zonal
