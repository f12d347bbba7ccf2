// SPDX-License-Identifier: MIT
#include "model/step.h"

#include <algorithm>
#include <cstring>
#include <sstream>

namespace zonal::model {

std::string Describe(const Step& step) {
  std::ostringstream out;
  switch (step.kind) {
    case StepKind::kRead:
    case StepKind::kWrite:
    case StepKind::kAppend:
      out << (step.kind == StepKind::kRead    ? "read"
              : step.kind == StepKind::kWrite ? "write"
                                              : "append")
          << " at " << step.offset << " for " << step.bytes;
      break;
    case StepKind::kManage:
      out << ToString(step.op) << " at " << step.offset << " (queue)";
      break;
    case StepKind::kManageRange:
      out << ToString(step.op) << " zones " << step.first << " +" << step.count << " (device)";
      break;
    case StepKind::kManageAll:
      out << ToString(step.op) << " ALL";
      break;
  }
  return out.str();
}

std::string Describe(const Outcome& outcome) {
  std::ostringstream out;
  out << ToString(outcome.errc) << " " << ToString(outcome.origin) << " 0x" << std::hex
      << outcome.raw << std::dec << " at " << outcome.offset << " for " << outcome.bytes
      << ", zones " << outcome.zones;
  return out.str();
}

std::string Describe(const std::vector<Zone>& zones) {
  std::ostringstream out;
  for (const Zone& zone : zones) {
    out << "[" << zone.start << "+" << zone.size << " cap " << zone.capacity << " "
        << ToString(zone.type) << " " << ToString(zone.condition) << " pointer ";
    if (zone.write_pointer == ~std::uint64_t{0}) {
      out << "none";
    } else {
      out << zone.write_pointer;
    }
    const ZoneAttributes& a = zone.attributes;
    if (!(a == ZoneAttributes{})) out << " attributes";
    out << "] ";
  }
  return out.str();
}

void Fill(std::span<std::byte> bytes, std::uint64_t stamp) {
  constexpr std::uint64_t kEveryByteOdd = 0x0101010101010101ull;
  std::uint64_t word = stamp * 0x9E3779B97F4A7C15ull;
  for (std::size_t i = 0; i < bytes.size(); i += sizeof(word)) {
    word = word * 6364136223846793005ull + 1442695040888963407ull;
    const std::uint64_t value = (word ^ word >> 32) | kEveryByteOdd;
    std::memcpy(&bytes[i], &value, std::min(sizeof(value), bytes.size() - i));
  }
}

NaiveOptions NaiveOf(const EmulatedOptions& options) {
  NaiveOptions naive;
  naive.dialect = options.dialect;
  naive.zones = options.zones;
  naive.zone_size = options.zone_size;
  naive.zone_capacity = options.zone_capacity;
  naive.last_zone_size = options.last_zone_size;
  naive.conventional = options.conventional;
  naive.block = options.block;
  naive.write_granularity = options.write_granularity;
  naive.max_open = options.max_open.count();
  naive.max_active = options.max_active.count();
  naive.max_append = options.max_append;
  naive.read_only_zones = options.read_only_zones;
  naive.offline_zones = options.offline_zones;
  naive.auto_close = options.auto_close;
  naive.read_past_write_pointer_fails = options.read_past_write_pointer_fails;
  naive.keep_data = options.data == DataPolicy::kKeep;
  return naive;
}

namespace {

constexpr std::byte kUntouched{0xEE};
constexpr std::size_t kDepth = 64;

// Sizes the buffer for the step, and fills it with what is to be written.
void Prepare(const Step& step, std::vector<std::byte>& buffer) {
  buffer.assign(step.bytes, kUntouched);
  if (step.kind == StepKind::kWrite || step.kind == StepKind::kAppend) Fill(buffer, step.stamp);
}

IoRequest RequestOf(const Step& step, std::vector<std::byte>& buffer) {
  IoRequest request;
  request.offset = step.offset;
  request.zone_op = step.op;
  switch (step.kind) {
    case StepKind::kRead:
      request.op = IoOp::kRead;
      break;
    case StepKind::kWrite:
      request.op = IoOp::kWrite;
      break;
    case StepKind::kAppend:
      request.op = IoOp::kAppend;
      break;
    default:
      request.op = IoOp::kManage;
      return request;
  }
  request.bytes = step.bytes;
  request.buffer = buffer.data();
  return request;
}

Outcome FromResult(const IoResult& result) {
  Outcome outcome;
  outcome.errc = result.errc;
  outcome.origin = result.origin;
  outcome.raw = result.raw;
  outcome.offset = result.offset;
  outcome.bytes = result.bytes;
  return outcome;
}

// An answer no model gives: the call itself failed.
Outcome FailedCall() {
  Outcome outcome;
  outcome.errc = Errc::kDeviceMisbehaved;
  return outcome;
}

Outcome FromManage(const absl::StatusOr<ManageResult>& result) {
  if (!result.ok()) return FailedCall();
  Outcome outcome = FromResult(result->first_error);
  if (outcome.ok()) outcome.offset = 0;  // no first error, so no place of one
  outcome.zones = result->completed;
  return outcome;
}

}  // namespace

Outcome ApplyTo(NaiveDrive& drive, const Step& step, std::vector<std::byte>& buffer) {
  if (step.kind == StepKind::kManageRange)
    return drive.ManageRange(step.op, step.first, step.count);
  Prepare(step, buffer);
  Command command;
  command.op = step.op;
  command.offset = step.offset;
  command.bytes = step.bytes;
  switch (step.kind) {
    case StepKind::kRead:
      command.kind = Command::Kind::kRead;
      command.target = buffer;
      break;
    case StepKind::kWrite:
      command.kind = Command::Kind::kWrite;
      command.source = buffer;
      break;
    case StepKind::kAppend:
      command.kind = Command::Kind::kAppend;
      command.source = buffer;
      break;
    case StepKind::kManage:
      command.kind = Command::Kind::kManage;
      break;
    case StepKind::kManageRange:
    case StepKind::kManageAll:
      command.kind = Command::Kind::kManageAll;
      break;
  }
  return drive.Apply(command);
}

RealDrive::RealDrive(std::unique_ptr<Device> device) : device_(std::move(device)) {
  QueueOptions options;
  options.depth = kDepth;
  absl::StatusOr<std::unique_ptr<IoQueue>> queue = device_->NewQueue(options);
  if (queue.ok()) queue_ = *std::move(queue);
}

std::vector<Outcome> RealDrive::Run(std::vector<IoRequest> requests) {
  std::vector<Outcome> outcomes(requests.size(), FailedCall());
  if (queue_ == nullptr) return outcomes;
  for (std::size_t i = 0; i < requests.size(); ++i) requests[i].user_data = i;
  std::size_t submitted = 0;
  Completion completions[kDepth];
  while (submitted < requests.size() || queue_->in_flight() > 0) {
    submitted += queue_->Submit(std::span<const IoRequest>(requests).subspan(submitted));
    const std::size_t count = queue_->Poll(completions, 1, std::chrono::seconds(10));
    if (count == 0) return outcomes;  // a completion was lost: that answer stays a failed call
    for (std::size_t i = 0; i < count; ++i) {
      outcomes[completions[i].user_data] = FromResult(completions[i].result);
    }
  }
  return outcomes;
}

Outcome RealDrive::Apply(const Step& step, std::vector<std::byte>& buffer) {
  const nanoseconds device_default{0};
  if (step.kind == StepKind::kManageRange) {
    return FromManage(device_->Manage(step.op, {ZoneId(step.first), step.count}, device_default));
  }
  if (step.kind == StepKind::kManageAll) {
    return FromManage(device_->ManageAll(step.op, device_default));
  }
  Prepare(step, buffer);
  return Run({RequestOf(step, buffer)})[0];
}

std::vector<Outcome> RealDrive::ApplyTogether(std::span<const Step> steps) {
  std::vector<std::vector<std::byte>> buffers(steps.size());
  std::vector<IoRequest> requests;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    Prepare(steps[i], buffers[i]);
    requests.push_back(RequestOf(steps[i], buffers[i]));
  }
  return Run(std::move(requests));
}

std::vector<Zone> RealDrive::Report() {
  std::vector<Zone> zones(device_->info().geometry.zone_count);
  const absl::StatusOr<std::size_t> count = device_->Report(ZoneId(0), zones);
  zones.resize(count.ok() ? *count : 0);
  return zones;
}

std::vector<Zone> RealDrive::ReportByQueue() {
  const Geometry& geometry = device_->info().geometry;
  std::vector<Zone> zones(geometry.zone_count);
  std::vector<IoRequest> requests(zones.size());
  for (std::uint32_t i = 0; i < geometry.zone_count; ++i) {
    requests[i].op = IoOp::kReport;
    requests[i].offset = geometry.StartOf(ZoneId(i));
    requests[i].zone = &zones[i];
  }
  const std::vector<Outcome> outcomes = Run(std::move(requests));
  for (std::size_t i = 0; i < zones.size(); ++i) {
    if (!outcomes[i].ok()) zones[i] = Zone{};
  }
  return zones;
}

std::vector<Outcome> RealDrive::ReadAll(std::vector<std::byte>& bytes) {
  const Geometry& geometry = device_->info().geometry;
  const std::uint64_t block = geometry.block_size;
  bytes.assign(geometry.size_bytes, kUntouched);
  std::vector<IoRequest> requests(geometry.size_bytes / block);
  for (std::size_t i = 0; i < requests.size(); ++i) {
    requests[i].op = IoOp::kRead;
    requests[i].offset = i * block;
    requests[i].bytes = block;
    requests[i].buffer = bytes.data() + i * block;
  }
  return Run(std::move(requests));
}

std::string CompareReports(RealDrive& real, const NaiveDrive& model) {
  const std::vector<Zone> found = real.Report();
  const std::vector<Zone> expected = model.Report();
  if (found != expected) {
    return "report: drive " + Describe(found) + "; model " + Describe(expected);
  }
  const absl::StatusOr<DriveCounters> counters = real.device().Counters();
  if (!counters.ok()) return "counters: " + counters.status().ToString();
  if (counters->open_now != model.open_count() || counters->active_now != model.active_count()) {
    std::ostringstream out;
    out << "counts: drive open " << counters->open_now << " active " << counters->active_now
        << "; model open " << model.open_count() << " active " << model.active_count();
    return out.str();
  }
  return "";
}

Compared ApplyAndCompare(RealDrive& real, NaiveDrive& model, const Step& step) {
  thread_local std::vector<std::byte> found_bytes;
  thread_local std::vector<std::byte> expected_bytes;
  const Outcome expected = ApplyTo(model, step, expected_bytes);
  const Outcome found = real.Apply(step, found_bytes);
  if (found != expected) {
    return {expected, "answer: drive " + Describe(found) + "; model " + Describe(expected)};
  }
  if (step.kind == StepKind::kRead && expected.ok() && found_bytes != expected_bytes) {
    return {expected, "bytes read differ"};
  }
  return {expected, CompareReports(real, model)};
}

std::string CompareContents(RealDrive& real, NaiveDrive& model) {
  thread_local std::vector<std::byte> found;
  thread_local std::vector<std::byte> expected;
  const std::vector<Outcome> answers = real.ReadAll(found);
  const std::uint64_t block = model.options().block;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    Step read;
    read.offset = i * block;
    read.bytes = block;
    const Outcome answer = ApplyTo(model, read, expected);
    if (answers[i] != answer) {
      return Describe(read) + ": drive " + Describe(answers[i]) + "; model " + Describe(answer);
    }
    if (answer.ok() && !std::equal(expected.begin(), expected.end(),
                                   found.begin() + static_cast<std::ptrdiff_t>(i * block))) {
      return Describe(read) + ": bytes differ";
    }
  }
  const std::vector<Zone> zones = real.ReportByQueue();
  if (zones != model.Report()) {
    return "report by queue: drive " + Describe(zones) + "; model " + Describe(model.Report());
  }
  return "";
}

}  // namespace zonal::model
