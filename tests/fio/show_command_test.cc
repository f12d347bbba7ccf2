// SPDX-License-Identifier: MIT
// --showcmd: the line it prints makes the same plan.
#include <string>

#include "fio/option_table.h"
#include "parse.h"
#include "shell_words.h"
#include "support/catch.h"

namespace zonal {
namespace {

void CheckRoundTrip(std::vector<std::string> words, const FioParseOptions& options) {
  const auto once = ParseFioArguments(words, options);
  CAPTURE(once.status().ToString());
  REQUIRE(once.ok());
  words.push_back("--showcmd");
  const auto shown = ParseFioArguments(words, options);
  REQUIRE(shown.ok());
  CHECK(shown->action == FioAction::kShowCommand);
  CAPTURE(shown->text);
  CHECK(shown->text.find('\n') == std::string::npos);
  const auto again = ParseFioArguments(ShellWords(shown->text), options);
  CAPTURE(again.status().ToString());
  REQUIRE(again.ok());
  CHECK(again->plan.workers == once->plan.workers);
  CHECK(again->plan.seed == once->plan.seed);
  CHECK(again->report.views == once->report.views);
  CHECK(again->report.group_reporting_of == once->report.group_reporting_of);
  CHECK(again->unlink_after == once->unlink_after);
}

TEST_CASE("job files become command lines with the same plan", "[fio]") {
  const auto options = WithFiles(
      {{"a.fio",
        "[global]\nfilename=a b\\:c\nkb_base=1000\nsize=1m\n[one]\nrw=write\nstonewall\n"
        "write_bw_log\nbuffer_pattern=\"it's\"\n[two]\nkb_base=1024\nbs=8k\nwait_for=one\n"
        "[global]\nbs=16k\n[three]\nruntime=2*$ncpus\n"},
       {"b.fio", "[last]\nfilename=z\nnumjobs=2\n"}});
  CheckRoundTrip({"--rw=randread", "--name=line", "--filename=q", "a.fio", "b.fio"}, options);
}

// One value that each option accepts; the others of the table take "1".
const std::map<std::string_view, const char*> kValues = {
    {"filename", "a:b\\:c"},
    {"directory", "/d"},
    {"filename_format", "$jobname-$jobnum"},
    {"rw", "randrw:8"},
    {"rw_sequencer", "identical"},
    {"bs", "8k,,16k"},
    {"bsrange", "4k-64k"},
    {"bssplit", "4k/10:64k"},
    {"size", "8m"},
    {"filesize", "8m"},
    {"io_size", "50%"},
    {"offset", "2z"},
    {"random_distribution", "zoned:60/10:40/90"},
    {"ioengine", "io_uring"},
    {"rate_process", "poisson"},
    {"thinktime_blocks_type", "issue"},
    {"write_mode", "zone_append"},
    {"zonemode", "zbd"},
    {"zonesize", "64m"},
    {"zonecapacity", "32m"},
    {"zoneskip", "2z"},
    {"buffer_pattern", "0xab\"it's\"-12"},
    {"verify", "sha256"},
    {"verify_pattern", "0xff%o"},
    {"continue_on_error", "io"},
    {"ignore_error", ",EIO:61"},
    {"sync", "dsync"},
    {"cpus_allowed", "0,2-3"},
    {"cpus_allowed_policy", "split"},
    {"nice", "-3"},
    {"kb_base", "1000"},
    {"startdelay", "1-3"},
    {"exit_what", "all"},
    {"description", "two words"},
    {"norandommap", "1"},
    {"unit_base", "1"},
    {"latency_window", "10ms"},
};

TEST_CASE("every option that is supported survives showcmd", "[fio]") {
  // Options that ask for company, or that no plan survives.
  const std::map<std::string_view, std::vector<std::string>> company = {
      {"time_based", {"--runtime=1"}},
      {"zonesize", {"--zonemode=zbd"}},
      {"zone_reset_threshold", {"--zone_reset_frequency=1"}},
      {"zone_reset_frequency", {"--zone_reset_threshold=1"}},
      {"recover_zbd_write_error", {"--continue_on_error=1"}},
      {"verify_only", {"--verify=md5"}},
      {"latency_target", {"--latency_window=1ms"}},
      {"wait_for", {"--name=k"}},
  };
  int checked = 0;
  for (const fio::Option& option : fio::Options()) {
    if (option.support != fio::Support::kFull || option.scope != fio::Scope::kJob) continue;
    if (option.name == "name" || option.name == "experimental_verify") continue;
    CAPTURE(option.name);
    const auto value = kValues.find(option.name);
    std::vector<std::string> words = {"--name=1", "--filename=f", "--name=2", "--filename=f"};
    const auto others = company.find(option.name);
    if (others != company.end())
      words.insert(words.end(), others->second.begin(), others->second.end());
    if (option.name == "wait_for") words.push_back("--filename=f");
    words.push_back("--" + std::string(option.name) + "=" +
                    (value == kValues.end() ? "1" : value->second));
    CheckRoundTrip(words, {});
    ++checked;
  }
  CHECK(checked > 120);
}

}  // namespace
}  // namespace zonal
