// SPDX-License-Identifier: MIT
// Verification of what was written.
#include "fio/options/apply.h"
#include "fio/values/pattern.h"

namespace zonal::fio {
namespace {

using absl::InvalidArgumentError;
using absl::OkStatus;
using absl::Status;
using std::string_view;

constexpr Choice<Checksum> kChecksums[] = {
    {"0", Checksum::kNone},        {"none", Checksum::kNone},       {"md5", Checksum::kMd5},
    {"sha1", Checksum::kSha1},     {"sha256", Checksum::kSha256},   {"sha512", Checksum::kSha512},
    {"crc32", Checksum::kCrc32},   {"crc32c", Checksum::kCrc32c},   {"crc64", Checksum::kCrc64},
    {"xxhash", Checksum::kXxhash}, {"pattern", Checksum::kPattern}, {"meta", Checksum::kHeaderOnly},
};

Status SetVerify(string_view value, Target target) {
  for (const string_view weak : {"crc16", "crc7", "sha3-224", "sha3-256", "sha3-384", "sha3-512"}) {
    if (value == weak) {
      return InvalidArgumentError("not available here: use crc32c, xxhash, sha256 or sha512");
    }
  }
  if (value == "null") {
    return InvalidArgumentError("not available here: it would only pretend to verify");
  }
  // fio takes it for crc32c where there is hardware for it; ours always may.
  ZONAL_ASSIGN_OR_RETURN(target.job.work.verify.checksum,
                         Choose(value == "crc32c-intel" ? "crc32c" : value, kChecksums));
  return OkStatus();
}

Status VerifyPattern(string_view value, Target target) {
  ZONAL_ASSIGN_OR_RETURN(const BytePattern pattern,
                         ParsePattern(value, true, target.host.read_file));
  zonal::Verify& verify = target.job.work.verify;
  verify.pattern = pattern.bytes;
  verify.pattern_has_offset = pattern.offset_at.has_value();
  verify.pattern_offset_at = pattern.offset_at.value_or(0);
  return OkStatus();
}

constexpr Option kRows[] = {
    Value("verify", "CHECKSUM", "0",
          "Blocks carry a header and are read back: md5, sha1, sha256, sha512, crc32, crc32c, "
          "crc64, xxhash, meta (a header without a checksum), pattern (verify_pattern alone); 0 or "
          "none: no verification.",
          SetVerify),
    Switch("do_verify", "1", "A writer reads its blocks back after each pass.",
           Flag<&zonal::Verify::reads_back>),
    Switch("verify_only", "0", "Writes nothing: reads back what the same job wrote before.",
           Flag<&zonal::Verify::only>),
    Switch("verify_header_seed", "0",
           "To a reading job, blocks written with another randseed are mismatches; else it takes "
           "blocks of any run, and tells of how many runs they are.",
           Flag<&zonal::Verify::own_run>),
    Value("verify_interval", "SIZE", "the block size", "Bytes under one header.",
          Count<&zonal::Verify::interval, 0, kMost32>),
    Value("verify_offset", "SIZE", "0", "Where in its interval the header stands.",
          Count<&zonal::Verify::offset, 0, kMost32>),
    Value("verify_pattern", "PATTERN", "",
          "What blocks are filled with: any sequence of 0xHEX, \"text\", numbers, 'file', and %o "
          "for the block's offset.",
          VerifyPattern),
    Value("verify_backlog", "N", "at the end", "Reads back whenever so many blocks are written.",
          Count<&zonal::Verify::backlog, 0, kMost64>),
    Value("verify_backlog_batch", "N", "all", "So many of them at a time.",
          Count<&zonal::Verify::backlog_batch, 0, kMost32>),
    Switch("verify_fatal", "0", "Ends at the first mismatch, not at the end of the run.",
           Flag<&zonal::Verify::fatal>),
    Switch("verify_dump", "0", "Writes the expected and the received block to files.",
           Flag<&zonal::Verify::dump>),
    Switch("verify_state_save", "0",
           "Writes what is needed to verify after a restart to local-JOB-N-verify.state.",
           Flag<&VerifyState::save>),
    Switch("verify_state_load", "0", "Takes that file to know what was written.",
           Flag<&VerifyState::load>),
    Switch("experimental_verify", "0", "Refused if set: use verify.",
           Flag<&Job::experimental_verify>),
    NoEffect("verify_async", "N", "A worker verifies its own blocks."),
    NoEffect("verify_async_cpus", "CPUS", "A worker verifies its own blocks."),
    NoEffect("verify_write_sequence", "0|1", "Headers are always told apart by their sequence."),
    Refused("trim_percentage", "0..100", "Use a second job with rw=randtrim.", "0"),
    Refused("trim_verify_zero", "0|1", "Use verify=pattern with a second job.", "0|1"),
    Refused("trim_backlog", "N", "Use a second job with rw=randtrim.", "0"),
    Refused("trim_backlog_batch", "N", "Use a second job with rw=randtrim.", "0"),
};

}  // namespace

std::span<const Option> VerifyOptions() { return kRows; }

}  // namespace zonal::fio
