// SPDX-License-Identifier: MIT
// The normal report: fio's blocks, groups and disk lines, then our own section.
#include <algorithm>
#include <set>

#include "absl/strings/str_format.h"
#include "report/blocks.h"
#include "report/text_block.h"
#include "report/text_zonal.h"
#include "report/units.h"
#include "zonal/report.h"

namespace zonal {
namespace {

using report::Block;
using report::GroupDirection;
using Group = std::array<GroupDirection, report::kShown>;

Group SumOf(const std::vector<Block>& blocks, std::uint32_t group) {
  Group sums;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    sums[i] = report::SumOfGroup(blocks, group, static_cast<report::Shown>(i));
  }
  return sums;
}

// In the units of the group's first block.
report::Units UnitsOfGroup(const std::vector<Block>& blocks, std::uint32_t group,
                           const ReportOptions& options) {
  const auto first = std::find_if(blocks.begin(), blocks.end(), [group](const Block& block) {
    return block.result.group == group;
  });
  return report::UnitsOf(first->view, options);
}

void AppendGroup(std::string& out, std::uint32_t number, const Group& group,
                 const report::Units& units) {
  constexpr const char* kNames[] = {"READ", "WRITE", "TRIM", "MIXED"};
  absl::StrAppendFormat(&out, "\nRun status group %u (all jobs):\n", number);
  for (std::size_t i = 0; i < group.size(); ++i) {
    const GroupDirection& sum = group[i];
    if (sum.bytes == 0) continue;
    const auto range = [&](int base) {
      return report::RateText(sum.slowest, base, units) + "-" +
             report::RateText(sum.fastest, base, units);
    };
    absl::StrAppendFormat(&out, "%7s: bw=%s, %s (%s), io=%s, run=%u-%umsec\n", kNames[i],
                          report::RateInBoth(sum.bandwidth, units), range(units.kb_base),
                          range(units.other_base()), report::SizeInBoth(sum.bytes, units),
                          report::Milliseconds(sum.shortest_run),
                          report::Milliseconds(sum.longest_run));
  }
}

void AppendDisks(std::string& out, const RunResult& result) {
  bool first = true;
  for (const TargetResult& target : result.targets) {
    if (!target.disk) continue;
    if (first) out += "\nDisk stats (read/write):\n";
    first = false;
    const DiskUse& disk = *target.disk;
    absl::StrAppendFormat(
        &out,
        "  %s: ios=%u/%u, sectors=%u/%u, merge=%u/%u, ticks=%u/%u, in_queue=%u, util=%3.2f%%\n",
        report::DiskName(target), disk.read_ios, disk.write_ios, disk.read_sectors,
        disk.write_sectors, disk.read_merges, disk.write_merges, disk.read_ms, disk.write_ms,
        disk.in_queue_ms, report::Utilization(disk, result.wall));
  }
}

}  // namespace

std::string FormatText(const RunPlan& plan, const RunResult& result, const ReportOptions& options) {
  const std::vector<Block> blocks = report::MakeBlocks(plan, result, options);
  const report::TextContext context{options, !result.simulated};
  std::string out = "\n";
  std::set<std::uint32_t> groups;
  for (const Block& block : blocks) {
    groups.insert(block.result.group);
    if (report::HasOutput(block.result)) {
      report::AppendBlock(out, block, SumOf(blocks, block.result.group), context);
    }
  }
  for (const std::uint32_t group : groups) {
    AppendGroup(out, group, SumOf(blocks, group), UnitsOfGroup(blocks, group, options));
  }
  if (!result.simulated) AppendDisks(out, result);
  report::AppendZonalSection(out, blocks, result, options.significant_figures);
  return out;
}

}  // namespace zonal
